import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Curl

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.1.1", "198.17.0.1",
        "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
        "2002:808:808::1",
    ])
    func isPublic(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.isPublic)
        #expect(NetworkAddress(address.description) == address)
    }

    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.0.9", "169.254.169.254", "172.16.0.1",
        "172.31.255.1",
        "192.0.0.1", "192.0.2.7", "192.168.0.1", "198.18.0.1", "198.19.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.1.1.1", "::127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "3fff:1::1", "fc00::1", "fd12::1", "fe80::1",
        "fec0::1",
        "ff02::1", "fe80::1%eth0",
    ])
    func isNotPublic(text: String) throws { #expect(try #require(NetworkAddress(text)).isPublic == false) }

    @Test(arguments: ["", "localhost", "1.2.3", "0x7f000001", "1.2.3.4.5", "::g", "[::1]"])
    func isNoAddress(text: String) { #expect(NetworkAddress(text) == nil) }

    /// Nothing is sent to an address that is refused, whatever its name is.
    @Test(arguments: ["127.0.0.1", "localhost"]) func aRefusedAddressIsNotConnectedTo(host: String) async throws {
        let server = try await LoopbackServer(folder: TemporaryFolder().path("served"))
        let url = server.url.replacing("127.0.0.1", with: host) + "/status/200?signature=secret"
        var request = HTTPRequest(.get, url)
        request.acceptsAddress = { $0.isPublic }
        let refused = request
        let error = await #expect(throws: HTTPError.self) { try await CurlClient().send(refused) }
        #expect(error?.code == .addressRefused)
        #expect(error?.description.contains("address") == true && error?.description.contains("secret") == false)
        #expect(server.log.isEmpty)
    }

    /// A kept connection that another request made is looked at too.
    @Test func aKeptConnectionIsLookedAt() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        let client = CurlClient(largestIdle: 1)
        var request = HTTPRequest(.get, server.url + "/status/404")
        #expect(try await client.send(request).status == 404)
        let seen = Mutex<[String]>([])
        request.acceptsAddress = { address in
            seen.withLock { $0.append("\(address)") }
            return true
        }
        #expect(try await client.send(request).status == 404)
        #expect(seen.withLock(\.self) == ["127.0.0.1"])
        request.acceptsAddress = { _ in false }
        let refused = request
        let error = await #expect(throws: HTTPError.self) { try await client.send(refused) }
        #expect(error?.code == .addressRefused)
        #expect(server.log.count == 2)
    }

    /// A part of a file is sent, and a path as it stands.
    @Test func aPartOfAFileIsSentToAPathAsItStands() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        try FileManager.default.createDirectory(atPath: folder.path("served/a"), withIntermediateDirectories: true)
        try Data("12345678".utf8).write(to: URL(fileURLWithPath: folder.path("file")))
        let body = HTTPRequest.Body.file(path: folder.path("file"), offset: 2, byteCount: 3)
        #expect(try await CurlClient().send(HTTPRequest(.put, server.url + "/a/../kept", body: body)).status == 201)
        #expect(server.log == ["PUT /a/../kept - -"])
        #expect(server.file("/kept") == Data("345".utf8))
        let past = HTTPRequest.Body.file(path: folder.path("file"), offset: 6, byteCount: 3)
        let error = await #expect(throws: HTTPError.self) {
            try await CurlClient().send(HTTPRequest(.put, server.url + "/kept", body: past))
        }
        #expect(error?.code == .bodyFailed)
    }
}

@Suite struct AddressBlockTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/31", "10.1.2.2", true),
        ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.2", false), ("0.0.0.0/0", "255.1.1.1", true),
        ("0.0.0.0/0", "::1", false), ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false),
        ("::1", "::1", true),
    ])
    func holdsAddresses(block: String, address: String, holds: Bool) throws {
        #expect(try #require(AddressBlock(block)).contains(#require(NetworkAddress(address))) == holds)
    }

    @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/", "x/8", "::/129"])
    func isNoBlock(text: String) { #expect(AddressBlock(text) == nil) }
}
