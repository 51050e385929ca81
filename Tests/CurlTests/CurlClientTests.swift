import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Curl

@Suite struct CurlClientTests {
    let folder: TemporaryFolder
    let server: LoopbackServer
    let client = CurlClient()

    init() async throws {
        folder = try TemporaryFolder()
        server = try await LoopbackServer(folder: folder.path("served"))
        try server.serve(Data("hello".utf8), at: "/hello")
    }

    func code(_ request: HTTPRequest, limit: Int = 1 << 20) async -> HTTPError.Code? {
        do {
            _ = try await client.send(request, limit: limit)
            return nil
        } catch {
            return (error as? HTTPError)?.code
        }
    }

    /// A stream that is cut is a cut, also where HTTP/2 or HTTP/3 is spoken (libcurl-errors(3)).
    @Test(
        arguments: [
            (7, "unreachable"), (16, "unreachable"), (92, "unreachable"), (95, "unreachable"), (28, "timedOut"),
            (35, "tls"), (60, "certificate"), (1, "protocolError"), (23, "protocolError"),
        ] as [(UInt32, String)]
    )
    func errorsOfTheLibraryAreOfTheseKinds(number: UInt32, kind: String) {
        #expect(HTTPError.Code(libcurl: number).rawValue == kind)
    }

    @Test func getsAndHeads() async throws {
        let get = try await client.send(HTTPRequest(.get, server.url + "/hello"))
        #expect(get.status == 200)
        #expect(get.body == Data("hello".utf8))
        #expect(get.headers["x-name"] == "Value")
        let head = try await client.send(HTTPRequest(.head, server.url + "/hello"))
        #expect(head.status == 200)
        #expect(head.headers["content-length"] == "5")
        #expect(head.body.isEmpty)
    }

    @Test(arguments: [404, 409, 422, 500, 503]) func anyStatusIsAnAnswer(status: Int) async throws {
        let response = try await client.send(HTTPRequest(.get, server.url + "/status/\(status)"))
        #expect(response.status == status)
        #expect(!response.isSuccess)
        #expect(String(decoding: response.body, as: UTF8.self).contains("Detail of \(status)."))
    }

    @Test func sendsHeadersAndBodies() async throws {
        let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let path = folder.path("file")
        try data.write(to: URL(fileURLWithPath: path))
        let headers = [(name: "Authorization", value: "Bearer secret")]
        let put = HTTPRequest(.put, server.url + "/kept", headers: headers, body: .file(path: path))
        #expect(try await client.send(put).status == 201)
        let isKept = server.file("/kept") == data
        #expect(isKept)
        #expect(server.log == ["PUT /kept - Bearer secret"])
        let post = try await client.send(HTTPRequest(.post, server.url + "/echo", body: .data(data)))
        let isEchoed = post.body == data
        #expect(isEchoed)
        #expect(try await client.send(HTTPRequest(.post, server.url + "/echo")).body.isEmpty)
        #expect(try await client.send(HTTPRequest(.put, server.url + "/empty")).status == 201)
        #expect(try await client.send(HTTPRequest(.delete, server.url + "/hello")).status == 200)
    }

    @Test func aSinkGetsTheBodyInOrder() async throws {
        let data = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        try server.serve(data, at: "/large")
        let got = Mutex(Data())
        let response = try await client.receive(HTTPRequest(.get, server.url + "/large")) { bytes in
            got.withLock { $0.append(contentsOf: bytes) }
        }
        #expect(response.body.isEmpty)
        let isWhole = got.withLock { $0 == data }
        #expect(isWhole)
    }

    @Test func aSinkThatFailsEndsTheTransfer() async throws {
        struct Full: Error {}
        let error = await #expect(throws: HTTPError.self) {
            try await client.receive(HTTPRequest(.get, server.url + "/hello")) { _ in throw Full() }
        }
        #expect(error?.code == .sinkFailed)
    }

    @Test func aRefusalIsKeptAndNotGivenToTheSink() async throws {
        let got = Mutex(0)
        let response = try await client.receive(HTTPRequest(.get, server.url + "/status/409")) { bytes in
            got.withLock { $0 += bytes.count }
        }
        #expect(response.status == 409)
        #expect(String(decoding: response.body, as: UTF8.self).contains("Detail of 409."))
        #expect(got.withLock(\.self) == 0)
    }

    /// A folder can be opened, and has a size on some file systems, but nothing can be read from it.
    @Test func aBodyThatCannotBeReadIsSaid() async throws {
        let put = HTTPRequest(.put, server.url + "/kept", body: .file(path: "/"), timeout: .seconds(20))
        let error = await #expect(throws: HTTPError.self) { try await client.send(put) }
        #expect(error?.code == .bodyFailed)
        #expect(error?.description.hasPrefix("/ cannot be sent: ") == true)
    }

    @Test func aFileThatBecameShorterIsSaid() throws {
        try Data("12345".utf8).write(to: URL(fileURLWithPath: folder.path("file")))
        let file = try #require(FileHandle(forReadingAtPath: folder.path("file")))
        var upload = Upload.file(file, path: "file", range: 0..<8, offset: 0)
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(try buffer.withUnsafeMutableBytes { try upload.read(into: $0) } == 5)
        let error = #expect(throws: HTTPError.self) {
            try buffer.withUnsafeMutableBytes { try upload.read(into: $0) }
        }
        #expect(error?.code == .bodyFailed)
        let isSought = upload.seek(to: 3)
        #expect(isSought)
        #expect(try buffer.withUnsafeMutableBytes { try upload.read(into: $0) } == 2)
        #expect(buffer.prefix(2) == Array("45".utf8)[...])
    }

    /// The body begins at a byte of the file; libcurl counts from there when it sends it again.
    @Test func aFileIsSentFromAByteOn() async throws {
        try Data("12345678".utf8).write(to: URL(fileURLWithPath: folder.path("file")))
        let file = try #require(FileHandle(forReadingAtPath: folder.path("file")))
        var upload = Upload.file(file, path: "file", range: 3..<8, offset: 3)
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(try buffer.withUnsafeMutableBytes { try upload.read(into: $0) } == 5 && buffer[0] == UInt8(ascii: "4"))
        let (isSought, isPast) = (upload.seek(to: 2), upload.seek(to: 6))
        #expect(isSought && !isPast && upload.isUnderWay)
        #expect(try buffer.withUnsafeMutableBytes { try upload.read(into: $0) } == 3 && buffer[0] == UInt8(ascii: "6"))
        #expect(!upload.isUnderWay)
        let put = HTTPRequest(.put, server.url + "/kept", body: .file(path: folder.path("file"), offset: 6))
        #expect(try await CurlClient().send(put).status == 201)
        #expect(server.file("/kept") == Data("78".utf8))
        let past = HTTPRequest(.put, server.url + "/kept", body: .file(path: folder.path("file"), offset: 9))
        await #expect(throws: HTTPError.self) { try await CurlClient().send(past) }
    }

    @Test func aBodyAboveTheLimitIsRefused() async throws {
        #expect(await code(HTTPRequest(.get, server.url + "/hello"), limit: 4) == .bodyTooLarge)
        #expect(await code(HTTPRequest(.get, server.url + "/hello"), limit: 5) == nil)
    }

    @Test func silenceTimesOut() async throws {
        #expect(await code(HTTPRequest(.get, server.url + "/stall", timeout: .milliseconds(300))) == .timedOut)
        #expect(await code(HTTPRequest(.get, server.url + "/stall", stallTimeout: .seconds(1))) == .timedOut)
    }

    @Test func nobodyThereIsUnreachable() async throws {
        #expect(await code(HTTPRequest(.get, "http://127.0.0.1:1/")) == .unreachable)
    }

    @Test func otherProtocolsAreRefused() async throws {
        #expect(await code(HTTPRequest(.get, "file:///etc/passwd")) == .protocolError)
    }

    @Test func cancellingEndsIt() async throws {
        let request = HTTPRequest(.get, server.url + "/stall")
        let task = Task { await code(request) }
        try await waitUntil { server.count("GET", "/stall") == 1 }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    /// A server that closes a kept connection between two requests is asked anew.
    @Test func aDroppedConnectionIsMadeAnew() async throws {
        for _ in 0..<3 { #expect(try await client.send(HTTPRequest(.get, server.url + "/drop")).status == 200) }
        let put = HTTPRequest(.put, server.url + "/kept", body: .data(Data("kept".utf8)))
        #expect(try await client.send(put).status == 201)
        #expect(server.file("/kept") == Data("kept".utf8))
    }

    /// The reset of a kept connection is found while sending or while reading, as it happens; in 300 rounds both were seen
    /// many times.
    @Test func aConnectionThatIsResetWhileSendingIsMadeAnew() async throws {
        let put = HTTPRequest(.put, server.url + "/reset", body: .data(Data(count: 300_000)))
        for _ in 0..<300 { #expect(try await client.send(put).status == 201) }
        #expect(server.file("/reset") == Data(count: 300_000))
    }

    /// The addresses of a name are those that the request says, and the one that is connected to must be allowed, also where
    /// the client has a connection to it.
    @Test func aRequestConnectsOnlyToAllowedAddresses() async throws {
        let port = try #require(URLComponents(string: server.url)?.port)
        func request(_ addresses: [String], _ url: String, allowing allowed: Set<String>) -> HTTPRequest {
            var request = HTTPRequest(.get, url)
            request.addresses = addresses
            request.acceptsAddress = { allowed.contains($0.description) }
            return request
        }
        let named = "http://no-such-name.test:\(port)/hello"
        let answer = try await client.send(request(["127.0.0.1"], named, allowing: ["127.0.0.1"]))
        #expect(answer.status == 200)
        #expect(await code(request(["127.0.0.1"], named, allowing: [])) == .addressRefused)
        #expect(await code(request(["127.0.0.1"], server.url + "/hello", allowing: ["127.0.0.2"])) == .addressRefused)
        #expect(await code(request([], "http://[::1]:\(port)/hello", allowing: ["127.0.0.1"])) == .addressRefused)
        let both = request(["127.0.0.9", "127.0.0.1"], named, allowing: ["127.0.0.1"])
        #expect(try await CurlClient().send(both).status == 200, "an address that is allowed is tried next")
    }

    /// Whoever sends a large body decides what of it is sent again.
    @Test func aLargeBodyHasAConnectionOfItsOwn() async throws {
        #expect(try await client.send(HTTPRequest(.get, server.url + "/hello")).status == 200)
        let put = HTTPRequest(.put, server.url + "/reset", body: .data(Data(count: 3_000_000)))
        #expect(try await client.send(put).status == 201)
        #expect(server.log == ["GET /hello - -", "PUT /reset - -"])
    }

    @Test func manyAtATime() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<24 { group.addTask { try await client.send(HTTPRequest(.get, server.url + "/hello")).status } }
            for try await status in group { #expect(status == 200) }
        }
    }
}
