import CompositionModel
import Coordinator
import Farm
import Foundation
import Sandbox
import Storage
import TestSupport
import Testing
import WireProtocol

@Suite struct AssetTests {
    let data = Data((0..<2_200_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 7) })
    var digest: ContentDigest { ContentDigest(of: data) }

    @Test func anUploadIsProbedAndKept() async throws {
        try await withCoordinator { farm in
            #expect(try await farm.call("HEAD", "/v1/assets/\(digest.hex)", as: "editor").status == 404)
            let answer = try await farm.upload(data, to: "/v1/assets/\(digest.hex)", as: "editor")
            #expect(answer.status == 201)
            let record = try answer.decode(AssetRecord.self)
            let facts = try FakeRenderer.facts()
            #expect(record.digest == digest && record.byteCount == 2_200_000 && record.facts == facts)
            let blocks = stride(from: 0, to: data.count, by: 1 << 20).map { start in
                ContentDigest(of: data[start..<min(start + 1 << 20, data.count)])
            }
            #expect(record.blocks == blocks)
            let index = try #require(record.frameIndexes[0])
            #expect(try await farm.call("GET", "/v1/artifacts/\(index.hex)", as: "worker").text == "frame index")
            let kept = try await farm.call("GET", "/v1/assets/\(digest.hex)/record", as: "worker")
            #expect(try kept.decode(AssetRecord.self) == record)
            let part = try await farm.call(
                "GET",
                "/v1/assets/\(digest.hex)",
                as: "worker",
                headers: ["Range: bytes=-5"]
            )
            #expect(part.status == 206 && part.body == data.suffix(5))
            #expect(try await farm.call("HEAD", "/v1/assets/\(digest.hex)", as: "editor").status == 200)
            #expect(try await farm.upload(data, to: "/v1/assets/\(digest.hex)", as: "editor").status == 200, "again")
            #expect(try FileManager.default.contentsOfDirectory(atPath: farm.folder.path("artifacts/scratch")).isEmpty)
        }
    }

    @Test func whichOfManyAreHereIsAnswered() async throws {
        try await withCoordinator { farm in
            let other = ContentDigest(of: Data("other".utf8))
            func known(_ digests: [ContentDigest]) async throws -> HTTPAnswer {
                let body = String(decoding: try WireJSON.encode(["digests": digests]), as: UTF8.self)
                return try await farm.call("POST", "/v1/assets:known", as: "editor", body: body)
            }
            #expect(try await known([digest, other]).decode([String: [ContentDigest]].self) == ["digests": []])
            let upload = try await farm.upload(data, to: "/v1/assets/\(digest.hex)", as: "editor")
            #expect(upload.status == 201)
            #expect(try await known([other, digest]).decode([String: [ContentDigest]].self) == ["digests": [digest]])
            #expect(try await known(Array(repeating: other, count: 501)).status == 400)
            #expect(try await farm.call("POST", "/v1/assets:known", as: "viewer", body: "{}").status == 403)
        }
    }

    private func spoil(_ digest: ContentDigest, _ farm: RunningCoordinator) throws {
        let path = farm.folder.path("artifacts/\(digest.storePath)")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Data([0xff, 0xff]))
        try handle.close()
    }

    @Test func anAssetThatHasRottenIsNotSentAndCanBeReplaced() async throws {
        try await withCoordinator { farm in
            let address = "/v1/assets/\(digest.hex)"
            _ = try await farm.upload(data, to: address, as: "editor")
            try spoil(digest, farm)
            func block(_ range: Range<Int>) async throws -> Data {
                let range = "Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)"
                return try await farm.call("GET", address, as: "worker", headers: [range]).body
            }
            #expect(try await block(1 << 20..<2 << 20) == data[1 << 20..<2 << 20], "this one is whole")
            await #expect(throws: CurlFailed.self) { try await block(0..<1 << 20) }
            #expect(try await farm.call("HEAD", address, as: "editor").status == 404)
            #expect(try await farm.upload(data, to: address, as: "editor").status == 201)
            #expect(try await block(0..<1 << 20) == data[..<(1 << 20)])
        }
    }

    @Test func aFrameIndexThatHasRottenIsMadeAgain() async throws {
        try await withCoordinator { farm in
            let address = "/v1/assets/\(digest.hex)"
            let record = try await farm.upload(data, to: address, as: "editor").decode(AssetRecord.self)
            let index = try #require(record.frameIndexes[0])
            try spoil(index, farm)
            let answer = try await farm.call("GET", "/v1/artifacts/\(index.hex)", as: "worker")
            #expect(answer.status == 404 && answer.code == "artifact_missing")
            #expect(try await farm.call("HEAD", address, as: "editor").status == 404)
            #expect(try await farm.upload(data, to: address, as: "editor").status == 201)
            #expect(try await farm.call("GET", "/v1/artifacts/\(index.hex)", as: "worker").text == "frame index")
        }
    }

    @Test func whatIsNoMediaIsRefusedWithItsSentenceAndRemoved() async throws {
        try await withCoordinator { farm in
            let bad = Data("BAD bytes".utf8)
            let digest = ContentDigest(of: bad)
            let answer = try await farm.upload(bad, to: "/v1/assets/\(digest.hex)", as: "editor")
            #expect(answer.status == 422 && answer.code == "not_media")
            #expect(try answer.decode(Problem.self).detail == "This is no movie.")
            let store = try ArtifactStore(root: farm.folder.path("artifacts"))
            #expect(store.byteCount(of: digest) == nil)
            #expect(try farm.store.asset(digest) == nil)
        }
    }

    /// An output, say, that somebody sends as an asset.
    @Test func whatWasStoredBeforeIsNotRemoved() async throws {
        try await withCoordinator { farm in
            let bad = Data("BAD bytes of an artifact".utf8)
            let hex = ContentDigest(of: bad).hex
            #expect(try await farm.upload(bad, to: "/v1/artifacts/\(hex)").status == 201)
            #expect(try await farm.upload(bad, to: "/v1/assets/\(hex)", as: "editor").status == 422)
            let kept = try await farm.call("GET", "/v1/artifacts/\(hex)", as: "worker")
            #expect(kept.body == bad)
        }
    }

    /// The disk is full, say: the bytes have come and need not come again.
    @Test func aFailureThatMayPassRemovesNothing() async throws {
        try await withCoordinator { farm in
            let data = Data("OOPS a movie".utf8)
            let digest = ContentDigest(of: data)
            let answer = try await farm.upload(data, to: "/v1/assets/\(digest.hex)", as: "editor")
            #expect(answer.status == 503 && answer.code == "no_memory" && answer.headers["retry-after"] == "1")
            let store = try ArtifactStore(root: farm.folder.path("artifacts"))
            #expect(store.byteCount(of: digest) == 12)
        }
    }

    /// A file that is made to keep its reader busy for ever.
    @Test func aProbeThatDoesNotEndIsStopped() async throws {
        let clock = TestClock()
        try await withCoordinator { configuration, _ in
            configuration.renderer.clock = clock
            configuration.probeTime = .seconds(100)
        } _: { farm in
            let data = Data("HANG".utf8)
            let digest = ContentDigest(of: data)
            async let refused = farm.upload(data, to: "/v1/assets/\(digest.hex)", as: "editor")
            try await clock.waitForSleep(of: .seconds(100))
            clock.advance(by: .seconds(100))
            let answer = try await refused
            #expect(answer.status == 422 && answer.code == "probe_limit", "\(answer.text)")
            #expect(try farm.store.asset(digest) == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: farm.folder.path("artifacts/scratch")).isEmpty)
            // Its place is free again.
            let clip = Data("a clip".utf8)
            let next = try await farm.upload(clip, to: "/v1/assets/\(ContentDigest(of: clip).hex)", as: "editor")
            #expect(next.status == 201)
        }
    }

    /// Registered by path and found to be no media, while an artifact of the same bytes is stored.
    @Test func aRefusedRegistrationTakesNothingAway() async throws {
        try await withCoordinator { farm in
            let bad = Data("BAD bytes".utf8)
            let path = farm.folder.path("footage/bad.mov")
            try bad.write(to: URL(fileURLWithPath: path))
            let hex = ContentDigest(of: bad).hex
            #expect(try await farm.upload(bad, to: "/v1/artifacts/\(hex)").status == 201)
            #expect(try await register(path, farm).status == 422)
            #expect(try await farm.call("GET", "/v1/artifacts/\(hex)", as: "worker").body == bad)
        }
    }

    @Test func aFileOfThisHostIsRegisteredWithoutBeingSent() async throws {
        try await withCoordinator { farm in
            let path = farm.folder.path("footage/clip.mov")
            try data.write(to: URL(fileURLWithPath: path))
            symlink("/etc/hostname", farm.folder.path("footage/link"))
            // A folder whose name begins as the allowed one's.
            let neighbour = farm.folder.path("footage-private")
            try FileManager.default.createDirectory(atPath: neighbour, withIntermediateDirectories: true)
            try data.write(to: URL(fileURLWithPath: neighbour + "/clip.mov"))
            let answer = try await register(path, farm)
            #expect(answer.status == 200)
            #expect(try answer.decode(AssetRecord.self).digest == digest)
            #expect(try farm.store.asset(digest)?.path == path)
            let got = try await farm.call("GET", "/v1/assets/\(digest.hex)", as: "worker")
            #expect(got.body == data)
            for (path, code) in [
                ("/etc/hostname", "path_not_allowed"), (neighbour + "/clip.mov", "path_not_allowed"),
                (farm.folder.path("footage/../fake-render"), "path_not_allowed"),
                (farm.folder.path("footage/link"), "path_not_allowed"), ("clip.mov", "path_not_allowed"),
                (farm.folder.path("footage/none.mov"), "asset_unreadable"),
                (farm.folder.path("footage"), "asset_unreadable"),
            ] {
                let refused = try await register(path, farm)
                #expect(refused.status == 422 && refused.code == code, "\(path): \(refused.text)")
            }
            try Data("other bytes".utf8).write(to: URL(fileURLWithPath: path))
            let changed = try await farm.call("GET", "/v1/assets/\(digest.hex)", as: "worker")
            #expect(changed.status == 410 && changed.text.contains("asset_changed"))
            #expect(try await farm.call("HEAD", "/v1/assets/\(digest.hex)", as: "editor").status == 404)
        }
    }

    /// Behind a reverse proxy on this host everybody comes from here.
    @Test func aProxysClientIsNotOfThisHost() async throws {
        try await withCoordinator { farm in
            let path = farm.folder.path("footage/clip.mov")
            try data.write(to: URL(fileURLWithPath: path))
            let body = #"{"path": "\#(path)"}"#
            for header in ["Forwarded: for=192.0.2.43", "X-Forwarded-For: 192.0.2.43", "Via: 1.1 proxy"] {
                let answer = try await farm.call(
                    "POST",
                    "/v1/assets:register",
                    as: "editor",
                    body: body,
                    headers: [header]
                )
                #expect(answer.status == 403 && answer.code == "not_local", "\(header)")
            }
        }
    }

    private func register(_ path: String, _ farm: RunningCoordinator) async throws -> HTTPAnswer {
        try await farm.post("/v1/assets:register", ["path": path], as: "editor")
    }

    /// 12 uploads at once: all are probed, two at a time.
    @Test func manyArriveAtOnce() async throws {
        try await withCoordinator { farm in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        let clip = Data("clip \(number)".utf8)
                        return try await farm.upload(
                            clip,
                            to: "/v1/assets/\(ContentDigest(of: clip).hex)",
                            as: "editor"
                        ).status
                    }
                }
                for try await status in group { #expect(status == 201) }
            }
        }
    }
}
