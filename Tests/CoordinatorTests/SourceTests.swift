import CompositionModel
import Coordinator
import Curl
import Farm
import Foundation
import Logging
import TestSupport
import Testing
import WireProtocol

@testable import ObjectStorage

/// Files elsewhere that a coordinator fetches as assets.
@Suite struct SourceTests {
    private let data = Data(
        (0..<3_000_000).map { (number: Int) -> UInt8 in UInt8(97 + number % 13 + number / 1000 % 13) }
    )
    private var digest: ContentDigest { ContentDigest(of: data) }

    private func settings(_ rules: [String]) throws -> SourceSettings {
        SourceSettings(allowed: try SourceAllowList(rules))
    }

    private func ask(
        _ farm: RunningCoordinator,
        _ order: SourceOrder,
        as owner: String = "editor"
    ) async throws -> SourceView {
        let answer = try await farm.post("/v1/sources", order, as: owner)
        try #require(answer.status == 202, "\(answer.text)")
        return try answer.decode(SourceView.self)
    }

    private func source(_ farm: RunningCoordinator, _ id: ContentDigest) async throws -> SourceView {
        try await farm.call("GET", "/v1/sources/\(id.hex)", as: "editor").decode(SourceView.self)
    }

    /// Waits until a source is ready or has failed.
    private func end(_ farm: RunningCoordinator, _ order: SourceOrder) async throws -> SourceView {
        let id = try await ask(farm, order).id
        try await waitUntil { [.ready, .failed].contains(try await source(farm, id).state) }
        return try await source(farm, id)
    }

    private func isAsset(_ farm: RunningCoordinator) async throws -> Bool {
        try await farm.call("HEAD", "/v1/assets/\(digest.hex)", as: "editor").status == 200
    }

    /// Starts a coordinator that fetches.
    private func fetching(
        _ settings: SourceSettings,
        _ store: InMemoryFarmStore? = nil,
        _ artifacts: String? = nil,
        _ body: (RunningCoordinator) async throws -> Void
    ) async throws {
        try await withCoordinator { configuration, _ in
            configuration.sources = settings
            if let store { configuration.store = store }
            if let artifacts { configuration.artifactRoot = artifacts }
        } _: { farm in
            try await body(farm)
        }
    }

    private func withWeb(
        _ adjust: (inout SourceSettings) -> Void = { _ in },
        _ body: (RunningCoordinator, LoopbackServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        try server.serve(data, at: "/films/a.mp4")
        var settings = try settings([server.url + "/films/"])
        adjust(&settings)
        try await fetching(settings) { farm in
            try await body(farm, server)
        }
    }

    @Test func aFileIsFetchedOnceAndLookedAtAgain() async throws {
        try await withWeb { farm, server in
            let order = SourceOrder(address: server.url + "/films/a.mp4")
            let first = try await end(farm, order)
            #expect(first.state == .ready && first.asset == digest && first.byteCount == 3_000_000)
            #expect(try await isAsset(farm))
            #expect(try await end(farm, order) == first)
            // What is no longer the same is fetched anew.
            let other = Data("another film".utf8)
            try server.serve(other, at: "/films/a.mp4")
            #expect(try await end(farm, order).asset == ContentDigest(of: other))
        }
    }

    /// Each step of a redirect must be allowed by itself; what is here of the file is not asked for again behind it.
    @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectIsFollowed(status: Int) async throws {
        try await withWeb { farm, server in
            try server.script(
                ["to \(status) ../films/./b.mp4?key=1", "to \(status) /films/b.mp4?key=2"],
                at: "/films/a.mp4"
            )
            try server.serve(data, at: "/films/b.mp4")
            try server.script(["cut"], at: "/films/b.mp4")
            let view = try await end(farm, SourceOrder(address: server.url + "/films/a.mp4"))
            #expect(view.asset == digest && view.address == server.url + "/films/a.mp4")
            #expect(
                server.log == [
                    "GET /films/a.mp4 - -", "GET /films/b.mp4?key=1 - -", "GET /films/a.mp4 bytes=1500000- -",
                    "GET /films/b.mp4?key=2 bytes=1500000- -",
                ]
            )
        }
    }

    /// What the answer of an allowed server names is asked for only where a rule allows it.
    @Test func aRedirectLeadsOnlyWhereARuleAllows() async throws {
        try await withWeb { farm, server in
            let other = server.url.replacing("127.0.0.1", with: "127.0.0.2")
            for location in [
                "/secret.mp4", "../secret.mp4", "//\(other.dropFirst(7))/films/a.mp4", "\(other)/films/a.mp4",
                "s3://bucket/films/a.mp4", "http://169.254.169.254/latest/meta-data/",
                "https://\(server.url.dropFirst(7))/films/b",
            ] {
                try server.script(["to 302 " + location], at: "/films/a.mp4")
                let failure = try await end(farm, SourceOrder(address: server.url + "/films/a.mp4")).failure
                #expect(failure?.code == "source_not_allowed", "\(location): \(failure.debugDescription)")
            }
            for location in [
                "file:///etc/passwd", "gopher://127.0.0.1/", "/films/%2e%2e/secret.mp4", "http://u:p@127.0.0.1/",
            ] {
                try server.script(["to 302 " + location], at: "/films/a.mp4")
                let failure = try await end(farm, SourceOrder(address: server.url + "/films/a.mp4")).failure
                #expect(failure?.code == "source_address", "\(location): \(failure.debugDescription)")
            }
            #expect(Set(server.log) == ["GET /films/a.mp4 - -"])
        }
    }

    @Test func aRedirectWithoutEndIsGivenUp() async throws {
        try await withWeb { farm, server in
            try server.script(Array(repeating: "to 307 /films/a.mp4", count: 6), at: "/films/a.mp4")
            let failure = try await end(farm, SourceOrder(address: server.url + "/films/a.mp4")).failure
            #expect(failure?.code == "source_refused" && failure?.message.contains("without end") == true)
            #expect(server.log.count == 6, "the address itself, and five redirects")
            try server.script(Array(repeating: "to 307 /films/a.mp4", count: 5), at: "/films/a.mp4")
            let view = try await end(farm, SourceOrder(address: server.url + "/films/a.mp4"))
            #expect(view.asset == digest)
        }
    }

    /// A query may be what lets its holder read the file for a day: neither the log nor a failure has it.
    @Test func aSignatureIsNotWrittenDown() async throws {
        let log = KeptLog()
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        try server.serve(data, at: "/films/a.mp4")
        let settings = try settings([server.url + "/films/"])
        try await withCoordinator { configuration, _ in
            (configuration.sources, configuration.logger) = (settings, log.logger(.trace))
        } _: { farm in
            let answers = [
                ["404 gone"], ["416 x"], ["302 x"], ["418 x"], ["to 302 /secret?key=secret"],
                Array(repeating: "to 302 ?key=secret", count: 6),
                ["503 x", "404 gone"], ["drop", "404 gone"],
            ]
            for answer in answers {
                try server.script(answer, at: "/films/a.mp4")
                let view = try await end(farm, SourceOrder(address: server.url + "/films/a.mp4?key=secret"))
                #expect(view.state == .failed && view.failure?.message.contains("/films/a.mp4") == true)
                #expect(
                    view.failure?.message.contains("secret?") == false
                        && view.failure?.message.contains("key=") == false
                )
            }
            let other = SourceOrder(address: server.url + "/films/a.mp4?key=secret", digest: ContentDigest(of: Data()))
            #expect(try await end(farm, other).failure?.message.contains("key=") == false)
            for wrong in ["/films/../a?key=secret", "/a?key=secret"] {
                let answer = try await farm.post("/v1/sources", SourceOrder(address: server.url + wrong), as: "editor")
                #expect(answer.status == 422 && !answer.text.contains("key="), "\(answer.text)")
            }
        }
        #expect(log.lines.contains { $0.message == "source not fetched" })
        #expect(log.lines.allSatisfy { !"\($0)".contains("key=") })
    }

    /// Bytes that came are not asked for again, also not by the next coordinator.
    @Test func aCutTransferGoesOn() async throws {
        try await withWeb { farm, server in
            try server.script(["cut"], at: "/films/a.mp4")
            let view = try await end(farm, SourceOrder(address: server.url + "/films/a.mp4"))
            #expect(view.state == .ready && view.asset == digest)
            #expect(server.log == ["GET /films/a.mp4 - -", "GET /films/a.mp4 bytes=1500000- -"])
        }
    }

    @Test func theNextCoordinatorGoesOn() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        try server.serve(data, at: "/a.mp4")
        let settings = try settings([server.url + "/"])
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        let artifacts = folder.path("artifacts")
        try server.script(["cut"] + Array(repeating: "503 busy", count: 1000), at: "/a.mp4")
        let order = SourceOrder(address: server.url + "/a.mp4")
        try await fetching(settings, store, artifacts) { farm in
            let id = try await ask(farm, order).id
            try await waitUntil { try await source(farm, id).waiting?.contains("503") == true }
            let view = try await source(farm, id)
            #expect(view.receivedByteCount == 1_500_000 && view.byteCount == 3_000_000 && !view.state.isFinal)
        }
        try server.script([], at: "/a.mp4")
        try await fetching(settings, store, artifacts) { farm in
            let view = try await end(farm, order)
            #expect(view.asset == digest)
        }
        #expect(server.log.last == "GET /a.mp4 bytes=1500000- -")
        #expect(server.log.count { $0 == "GET /a.mp4 - -" } == 1)
    }

    @Test func whatCannotBeHadSaysWhy() async throws {
        try await withWeb { farm, server in
            func failure(_ path: String, _ change: (inout SourceOrder) -> Void = { _ in }) async throws -> Failure? {
                var order = SourceOrder(address: server.url + path)
                change(&order)
                return try await end(farm, order).failure
            }
            #expect(try await failure("/films/none.mp4")?.code == "source_missing")
            let other = try await failure("/films/a.mp4") { $0.digest = ContentDigest(of: Data()) }
            #expect(other?.code == "digest_mismatch" && other?.message.contains(digest.hex) == true)
            #expect(try await failure("/films/a.mp4") { $0.entityTag = "\"x\"" }?.code == "source_changed")
            #expect(try await failure("/films/a.mp4") { $0.entityTag = "\"sha256:\(digest.hex)\"" } == nil)
            try server.serve(Data("BAD".utf8), at: "/films/bad.mp4")
            let bad = try await failure("/films/bad.mp4")
            #expect(bad?.code == "not_media" && bad?.message.contains("This is no movie.") == true)
            try server.script(["403 no"], at: "/films/a.mp4")
            #expect(try await failure("/films/a.mp4?x")?.code == "source_not_allowed")
            // One that failed is tried anew when it is asked for again.
            #expect(try await failure("/films/a.mp4?x") == nil)
        }
    }

    @Test func aFileThatIsTooLargeIsNotTaken() async throws {
        try await withWeb {
            $0.largest = 2_999_999
        } _: { farm, server in
            let failure = try await end(farm, SourceOrder(address: server.url + "/films/a.mp4")).failure
            #expect(failure?.code == "source_too_large" && failure?.message.contains("3000000") == true)
            #expect(try await !isAsset(farm))
        }
    }

    /// A digest that is known needs no transfer.
    @Test func whatIsHereIsNotFetched() async throws {
        try await withWeb { farm, server in
            _ = try await farm.upload(data, to: "/v1/assets/\(digest.hex)", as: "editor")
            let order = SourceOrder(address: server.url + "/films/a.mp4", digest: digest)
            #expect(try await end(farm, order).asset == digest)
            #expect(server.log.isEmpty)
        }
    }

    @Test func whatIsNotAllowedIsNotAskedFor() async throws {
        try await withWeb { farm, server in
            for address in [server.url + "/secret.mp4", "https://media.example.org/films/a.mp4", "s3://bucket/a.mp4"] {
                let answer = try await farm.post("/v1/sources", SourceOrder(address: address), as: "editor")
                #expect(answer.status == 422 && answer.code == "source_not_allowed", "\(answer.text)")
            }
            let wrong = try await farm.post("/v1/sources", SourceOrder(address: "films/a.mp4"), as: "editor")
            #expect(wrong.status == 422 && wrong.code == "source_address")
            #expect(server.log.isEmpty)
            #expect(try await farm.post("/v1/sources", SourceOrder(address: "s3://a/b"), as: "viewer").status == 403)
        }
        try await withCoordinator { farm in
            let answer = try await farm.post("/v1/sources", SourceOrder(address: "https://a.test/b"), as: "editor")
            #expect(answer.status == 422 && answer.text.contains("--source-allow"))
        }
    }

    /// The rule names the host, which is found at an address of this machine.
    @Test func aNameThatLeadsToThisMachineIsRefused() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        try server.serve(data, at: "/a.mp4")
        let base = server.url.replacing("127.0.0.1", with: "localhost")
        let named = try settings([base + "/"])
        try await fetching(named) { farm in
            let failure = try await end(farm, SourceOrder(address: base + "/a.mp4")).failure
            #expect(failure?.code == "source_not_allowed" && server.log.isEmpty)
        }
        let opened = try settings([base + "/", "127.0.0.0/8", "::1"])
        try await fetching(opened) { farm in
            let view = try await end(farm, SourceOrder(address: base + "/a.mp4"))
            #expect(view.asset == digest)
        }
    }

    @Test func othersDoNotSeeASource() async throws {
        try await withWeb { farm, server in
            let id = try await ask(farm, SourceOrder(address: server.url + "/films/a.mp4")).id
            #expect(try await farm.call("GET", "/v1/sources/\(id.hex)", as: "other").status == 404)
        }
    }

    /// An object of a bucket, through a proxy that cuts; of a real service.
    @Test func anObjectOfABucketIsFetched() async throws {
        guard let service = try await ObjectServer.start() else { return }
        let proxy = try await FaultProxy(before: service.port)
        let keys = BucketCredentials(accessKey: "test:tester", secretKey: "testing")
        let location = try BucketLocation(bucket: "films", region: ObjectServer.region, endpoint: service.url)
        _ = try await Bucket(location, keys).send(.put, "", "making")
        _ = try await Bucket(location, keys).put("a b/film.mp4", .data(data))
        var settings = try settings(["s3://films/a%20b/"])
        settings.buckets.endpoint = proxy.url
        settings.buckets.region = ObjectServer.region
        settings.buckets.credentials = keys
        try await fetching(settings) { farm in
            try proxy.script([.none, .cutAnswer(1_000_000)])
            let order = SourceOrder(address: "s3://films/a%20b/film.mp4")
            #expect(try await end(farm, order).asset == digest)
            let asked = proxy.log.filter { $0.hasPrefix("GET") }
            #expect(asked.count == 2 && asked.last?.hasSuffix("bytes=1000000-2999999") == true, "\(asked)")
            // Looked at again, it is not read again.
            #expect(try await end(farm, order).state == .ready)
            #expect(proxy.log.count { $0.hasPrefix("GET") } == 2)
            #expect(
                try await end(farm, SourceOrder(address: "s3://films/a%20b/none")).failure?.code == "source_missing"
            )
            let answer = try await farm.post("/v1/sources", SourceOrder(address: "s3://films/b/c"), as: "editor")
            #expect(answer.code == "source_not_allowed")
        }
    }
}

extension SourceState {
    fileprivate var isFinal: Bool { self == .ready || self == .failed }
}
