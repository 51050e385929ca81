import CompositionModel
import Coordinator
import Foundation
import NIOCore
import Storage
import TestSupport
import Testing
import WireProtocol

/// Uploads that are cut and go on where they were.
@Suite struct ResumableUploadTests {
    /// Bytes that are also text, so that a raw connection can send them.
    private let data = Data(
        (0..<700_000).map { (number: Int) -> UInt8 in UInt8(97 + number % 13 + number / 1000 % 13) }
    )
    private var digest: ContentDigest { ContentDigest(of: data) }
    private var asset: String { "/v1/assets/\(digest.hex)" }
    private var upload: String { asset + "/upload" }

    /// Sends a part of the data.
    /// - Parameter length: what Upload-Length says; nil leaves it out.
    private func send(
        _ range: Range<Int>,
        to farm: RunningCoordinator,
        as owner: String = "editor",
        isLast: Bool = true,
        offset: String? = nil,
        length: String? = nil,
        bytes: Data? = nil
    ) async throws -> HTTPAnswer {
        let file = farm.folder.path(UUID().uuidString)
        try (bytes ?? data)[range].write(to: URL(fileURLWithPath: file))
        let isFirst = range.lowerBound == 0 && offset == nil
        var headers = ["Upload-Complete: \(isLast ? "?1" : "?0")"]
        if !isFirst { headers.append("Upload-Offset: \(offset ?? String(range.lowerBound))") }
        if !isFirst { headers.append("Content-Type: application/partial-upload") }
        if let length { headers.append("Upload-Length: \(length)") }
        return try await farm.call(
            isFirst ? "PUT" : "PATCH",
            isFirst ? asset : upload,
            as: owner,
            headers: headers,
            extra: ["--data-binary", "@" + file]
        )
    }

    private func begin(_ count: Int, of farm: RunningCoordinator, as owner: String = "editor") async throws {
        let begun = try await send(0..<count, to: farm, as: owner, isLast: false, length: String(data.count))
        try #require(begun.status == 204, "\(begun.text)")
        #expect(begun.headers["upload-offset"] == String(count) && begun.headers["upload-complete"] == "?0")
    }

    private func standing(_ farm: RunningCoordinator, as owner: String = "editor") async throws -> String? {
        try await farm.call("HEAD", upload, as: owner).headers["upload-offset"]
    }

    private func files(_ farm: RunningCoordinator) -> [String] {
        let folder = URL(fileURLWithPath: farm.folder.path("artifacts/uploads"))
        let names = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        return names.compactMap { ($0 as? URL)?.lastPathComponent }.filter { $0.contains(".") }
    }

    @Test func whatIsMissingIsAskedForAndSent() async throws {
        try await withCoordinator { farm in
            #expect(try await farm.call("HEAD", upload, as: "editor").status == 404)
            try await begin(100_000, of: farm)
            let head = try await farm.call("HEAD", upload, as: "editor")
            #expect(head.status == 204 && head.headers["upload-length"] == "700000")
            #expect(head.headers["upload-limit"]?.contains("max-age=86400") == true)
            #expect(try await farm.call("HEAD", asset, as: "editor").status == 404)
            let middle = try await send(100_000..<400_000, to: farm, isLast: false)
            #expect(middle.status == 204 && middle.headers["upload-offset"] == "400000")
            let end = try await send(400_000..<700_000, to: farm)
            #expect(end.status == 201 && end.headers["upload-complete"] == "?1", "\(end.text)")
            let record = try end.decode(AssetRecord.self)
            #expect(record.digest == digest && record.blocks == [digest])
            #expect(try await farm.call("GET", asset, as: "worker").body == data)
            #expect(files(farm).isEmpty)
            let done = try await farm.call("HEAD", upload, as: "editor")
            #expect(done.headers["upload-complete"] == "?1" && done.headers["upload-offset"] == "700000")
        }
    }

    @Test(arguments: [false, true]) func aConnectionThatBreaksLeavesWhatCame(isReset: Bool) async throws {
        try await withCoordinator { configuration, _ in
            waiting(&configuration)
        } _: { farm in
            try await sendHalf(of: farm, asked: true) { raw in
                try await waitUntil { (Int(try await standing(farm) ?? "0") ?? 0) >= 256 << 10 }
                if isReset { raw.resetAtClose() } else { raw.finishSending() }
            }
            var rest: HTTPAnswer
            repeat {
                // The last of what came may be written while this is asked.
                let offset = try #require(Int(try await standing(farm) ?? ""))
                #expect(offset >= 256 << 10 && offset <= 300_000)
                rest = try await send(offset..<700_000, to: farm)
            } while rest.status == 409
            #expect(rest.status == 201, "\(rest.text)")
            #expect(try await farm.call("GET", asset, as: "worker").body == data)
        }
    }

    /// Announces all of the data and sends the first 300,000 bytes.
    /// - Parameter asked: whether it is said that the rest may come later.
    private func sendHalf(
        of farm: RunningCoordinator,
        asked: Bool,
        _ body: (RawConnection) async throws -> Void
    ) async throws {
        let raw = try RawConnection(port: farm.port)
        let head =
            "PUT \(asset) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(farm.secret("editor"))\r\n"
            + (asked ? "Upload-Complete: ?1\r\n" : "") + "Content-Length: 700000\r\n\r\n"
        let half = head + String(decoding: data[..<300_000], as: UTF8.self)
        #expect(try await onThread(raw) { $0.send(half) })
        try await body(raw)
        withExtendedLifetime(raw) {}
    }

    /// Runs `work`, which blocks, on a thread of its own, while nobody else uses the connection.
    private func onThread<Value: Sendable>(
        _ raw: RawConnection,
        _ work: @escaping @Sendable (RawConnection) -> Value
    ) async throws -> Value {
        nonisolated(unsafe) let raw = raw
        return try await CoordinatorTests.onThread { work(raw) }
    }

    /// However long a test takes: a body that does not come has no other end than the test's.
    private func waiting(_ configuration: inout CoordinatorConfiguration) {
        (configuration.limits.bodyWindow, configuration.limits.idle) = (.hours(1), .hours(1))
    }

    /// What an owner sent is the owner's.
    @Test func nobodyElseSeesOrSpoilsIt() async throws {
        try await withCoordinator { farm in
            try await begin(100_000, of: farm)
            #expect(try await farm.call("HEAD", upload, as: "other").status == 404)
            #expect(try await farm.call("HEAD", upload, as: "admin").status == 404)
            #expect(try await farm.call("DELETE", upload, as: "other").status == 404)
            let stolen = try await send(100_000..<700_000, to: farm, as: "other")
            #expect(stolen.status == 404 && stolen.code == "upload_missing")
            for token in ["viewer", "worker"] {
                #expect(try await farm.call("HEAD", upload, as: token).status == 403)
                #expect(try await send(0..<10, to: farm, as: token).status == 403)
            }
            // Another owner's bytes under the same digest, which are other bytes.
            let wrong = Data(repeating: 120, count: data.count)
            let spoilt = try await send(0..<700_000, to: farm, as: "other", bytes: wrong)
            #expect(spoilt.status == 422 && spoilt.code == "digest_mismatch")
            #expect(try await standing(farm) == "100000")
            #expect(try await send(100_000..<700_000, to: farm).status == 201)
        }
    }

    @Test func otherBytesAreNotTakenAndNothingOfThemIsKept() async throws {
        try await withCoordinator { farm in
            try await begin(100_000, of: farm)
            var wrong = data
            wrong[500_000] ^= 1
            let refused = try await send(100_000..<700_000, to: farm, bytes: wrong)
            #expect(refused.status == 422 && refused.code == "digest_mismatch", "\(refused.text)")
            #expect(files(farm).isEmpty)
            #expect(try await farm.call("HEAD", upload, as: "editor").status == 404)
            #expect(try await farm.call("HEAD", asset, as: "editor").status == 404)
            #expect(try await send(0..<700_000, to: farm).status == 201)
        }
    }

    /// The bytes that came first have rotted on the disk meanwhile.
    @Test func whatRottedIsNotTaken() async throws {
        try await withCoordinator { farm in
            try await begin(100_000, of: farm)
            let folder = farm.folder.path("artifacts/uploads")
            let owner = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
            let handle = FileHandle(forUpdatingAtPath: "\(folder)/\(owner)/\(digest.hex).700000")
            try handle?.write(contentsOf: Data([0]))
            try handle?.close()
            #expect(try await send(100_000..<700_000, to: farm).code == "digest_mismatch")
            #expect(files(farm).isEmpty)
        }
    }

    @Test(arguments: ["99999", "100001", "0", "700000", "999999999999999"])
    func elsewhereThanItStandsItDoesNotGoOn(offset: String) async throws {
        try await withCoordinator { farm in
            try await begin(100_000, of: farm)
            let refused = try await send(100_000..<700_000, to: farm, offset: offset)
            #expect(refused.status == 409 && refused.code == "upload_offset", "\(refused.text)")
            #expect(refused.headers["upload-offset"] == "100000")
            #expect(try await send(100_000..<700_000, to: farm).status == 201)
        }
    }

    @Test(arguments: ["-1", "", "1e5", "0x10", "1000000000000000", "100000, 5", "+1", "１"])
    func anOffsetIsANumber(offset: String) async throws {
        try await withCoordinator { farm in
            try await begin(100_000, of: farm)
            let refused = try await send(100_000..<700_000, to: farm, offset: offset)
            #expect(refused.status == 400, "\(refused.text)")
            #expect(try await standing(farm) == "100000")
        }
    }

    @Test func theLengthStaysWhatItWas() async throws {
        try await withCoordinator { farm in
            for length in ["699999", "700001", "-5", "x"] {
                try await begin(100_000, of: farm)
                let refused = try await send(100_000..<700_000, to: farm, length: length)
                #expect(refused.status == 400, "\(length): \(refused.text)")
            }
            // More than is missing, and less as the last of it.
            for end in [699_999, 100_000] {
                let refused = try await send(100_000..<end, to: farm)
                #expect(refused.status == 400 && refused.code == "upload_length", "\(refused.text)")
            }
            let long = try await send(100_000..<700_001, to: farm, bytes: data + Data("x".utf8))
            #expect(long.code == "upload_length")
            let chunked = try await farm.call(
                "PATCH",
                upload,
                as: "editor",
                headers: [
                    "Upload-Offset: 100000", "Upload-Complete: ?1", "Content-Type: application/partial-upload",
                    "Transfer-Encoding: chunked",
                ],
                extra: ["--data-binary", String(repeating: "y", count: 100_000)]
            )
            #expect(chunked.status == 400 && chunked.text.contains("send the rest"), "\(chunked.text)")
            // Those bytes are there, and are the wrong ones.
            #expect(try await standing(farm) == "200000")
            #expect(try await send(200_000..<700_000, to: farm).code == "digest_mismatch")
            let unknown = try await farm.call("PUT", asset, as: "editor", body: "x", headers: ["Upload-Complete: ?0"])
            #expect(unknown.status == 400 && unknown.text.contains("Upload-Length"))
            let type = try await farm.call(
                "PATCH",
                upload,
                as: "editor",
                body: "x",
                headers: ["Upload-Offset: 0", "Upload-Complete: ?1"]
            )
            #expect(type.status == 415)
        }
    }

    @Test func tinyPiecesAreRefused() async throws {
        try await withCoordinator { farm in
            try await begin(100_000, of: farm)
            let tiny = try await send(100_000..<100_001, to: farm, isLast: false)
            #expect(tiny.status == 400 && tiny.code == "upload_length", "\(tiny.text)")
            #expect(try await standing(farm) == "100000")
            // The last may be as small as it is.
            #expect(try await send(100_000..<699_999, to: farm, isLast: false).status == 204)
            #expect(try await send(699_999..<700_000, to: farm, isLast: false).status == 204)
            #expect(try await send(700_000..<700_000, to: farm).status == 201)
        }
    }

    /// Two clients of one owner at one upload: each byte is taken from one of them, and the other learns where it stands.
    @Test func twoAtOnceDoNotSpoilIt() async throws {
        try await withCoordinator { farm in
            try await begin(100_000, of: farm)
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for _ in 0..<4 { group.addTask { try await send(100_000..<700_000, to: farm) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let taken = answers.filter { $0.status < 300 }
            #expect(!taken.isEmpty, "\(answers.map(\.text))")
            for answer in answers where answer.status >= 300 {
                #expect([404, 409].contains(answer.status), "\(answer.text)")
            }
            #expect(try await farm.call("GET", asset, as: "worker").body == data)
            #expect(files(farm).isEmpty)
        }
    }

    /// The slow one holds its connection; who comes back overtakes it.
    @Test func whoComesBackOvertakesAConnectionThatHangs() async throws {
        try await withCoordinator { configuration, _ in
            waiting(&configuration)
        } _: { farm in
            try await sendHalf(of: farm, asked: true) { raw in
                try await waitUntil { (Int(try await standing(farm) ?? "0") ?? 0) >= 256 << 10 }
                let offset = try #require(Int(try await standing(farm) ?? ""))
                #expect(try await send(offset..<700_000, to: farm).status == 201)
                let rest = String(decoding: data[300_000...], as: UTF8.self)
                let answer = try await onThread(raw) { raw in
                    raw.send(rest)
                    return raw.receive(until: "\r\n")
                }
                #expect(answer.hasPrefix("HTTP/1.1 409"), "\(answer)")
            }
            #expect(try await farm.call("GET", asset, as: "worker").body == data)
        }
    }

    @Test func anOwnerHasSoManyUnfinished() async throws {
        let later = Later()
        try await withCoordinator { configuration, _ in
            configuration.unfinishedUploads = OwnerUploads.Limits(count: 2, byteCount: 1_000_000)
            configuration.now = { Date(timeIntervalSinceNow: later.seconds) }
        } _: { farm in
            func begin(_ name: String, _ length: Int, as owner: String = "editor") async throws -> HTTPAnswer {
                try await farm.call(
                    "PUT",
                    "/v1/assets/\(ContentDigest(of: Data(name.utf8)).hex)",
                    as: owner,
                    headers: ["Upload-Complete: ?0", "Upload-Length: \(length)"],
                    extra: ["--data-binary", String(repeating: "x", count: 65_536)]
                )
            }
            #expect(try await begin("a", 400_000).status == 204)
            let large = try await begin("b", 600_001)
            #expect(large.status == 429 && large.code == "too_many_uploads", "\(large.text)")
            #expect(try await begin("b", 600_000).status == 204)
            #expect(try await begin("c", 65_536).status == 429)
            #expect(try await begin("b", 500_000).status == 204, "begun anew it takes its own place")
            #expect(try await begin("c", 65_536, as: "other").status == 204)
            #expect(try await begin("d", 1_000_001, as: "other").status == 429)
            // The oldest makes room once nobody goes on with it.
            later.seconds = 700
            #expect(try await begin("c", 65_536).status == 204)
            #expect(files(farm).count == 3)
        }
    }

    @Test func whatNobodyGoesOnWithIsForgotten() async throws {
        let (clock, later) = (TestClock(), Later())
        try await withCoordinator { configuration, _ in
            configuration.clock = clock
            configuration.now = { Date(timeIntervalSinceNow: later.seconds) }
        } _: { farm in
            try await begin(100_000, of: farm)
            later.seconds = 86_300
            for _ in 0..<3 {
                try await clock.waitForSleep(of: .seconds(5))
                clock.advance(by: .seconds(5))
            }
            #expect(try await standing(farm) == "100000")
            later.seconds = 86_500
            try await clock.turn(by: .seconds(5)) { files(farm).isEmpty }
            #expect(try await farm.call("HEAD", upload, as: "editor").status == 404)
        }
    }

    /// Where the disk is nearly full, what nobody goes on with makes room before any job is held up.
    @Test func whatNobodyGoesOnWithMakesRoom() async throws {
        let (clock, later, room) = (TestClock(), Later(), Room())
        try await withCoordinator { configuration, _ in
            configuration.clock = clock
            configuration.now = { Date(timeIntervalSinceNow: later.seconds) }
            configuration.space = { _ in DiskSpace(free: room.free, capacity: 1 << 40) }
        } _: { farm in
            try await begin(100_000, of: farm)
            later.seconds = 700
            try await clock.turn(by: .seconds(5)) { true }
            #expect(try await standing(farm) == "100000")
            let reserve = DiskSpace(free: 0, capacity: 1 << 40).reserve
            room.free = 2 * reserve - 1
            try await clock.turn(by: .seconds(5)) { files(farm).isEmpty }
        }
    }

    /// All bytes were stored, and the connection or the coordinator ended before an asset was made of them.
    @Test func anAnswerThatIsLostNeedsNoByteAgain() async throws {
        try await withCoordinator { farm in
            let store = try ArtifactStore(root: farm.folder.path("artifacts"))
            let limits = OwnerUploads.Limits(count: 2, byteCount: 1 << 30)
            let complete = try store.uploads(of: "editor").begin(digest, byteCount: Int64(data.count), within: limits)
            try data.withUnsafeBytes { try complete.append($0) }
            _ = try complete.commit()
            let head = try await farm.call("HEAD", upload, as: "editor")
            #expect(head.headers["upload-offset"] == "700000" && head.headers["upload-complete"] == "?0")
            #expect(try await standing(farm, as: "other") == nil)
            #expect(try await send(700_000..<700_000, to: farm).status == 201)
            #expect(files(farm).isEmpty)
        }
    }

    @Test func itIsForgottenOnDemand() async throws {
        try await withCoordinator { farm in
            try await begin(100_000, of: farm)
            #expect(try await farm.call("DELETE", upload, as: "editor").status == 204)
            #expect(try await farm.call("DELETE", upload, as: "editor").status == 404)
            #expect(files(farm).isEmpty)
        }
    }

    @Test func aFullDiskKeepsWhatCame() async throws {
        let room = Room()
        try await withCoordinator { configuration, _ in
            configuration.space = { _ in DiskSpace(free: room.free, capacity: 1 << 40) }
        } _: { farm in
            try await begin(100_000, of: farm)
            room.free = 256 << 20 + 599_999
            let refused = try await send(100_000..<700_000, to: farm)
            #expect(refused.status == 507 && refused.code == "no_space", "\(refused.text)")
            #expect(try await standing(farm) == "100000")
            room.free += 1
            #expect(try await send(100_000..<700_000, to: farm).status == 201)
        }
    }

    /// A coordinator with artifacts that another one may have left.
    private func startingOver(
        in folder: TemporaryFolder,
        _ body: (RunningCoordinator) async throws -> Void
    ) async throws {
        // The farm's name is in its store, which begins anew with the process.
        unlink(folder.path("artifacts/owner"))
        try await withCoordinator { configuration, _ in
            configuration.artifactRoot = folder.path("artifacts")
        } _: { farm in
            try await body(farm)
        }
    }

    /// A coordinator that starts anew, as after a crash, finds what its predecessor took.
    @Test func itOutlivesTheCoordinator() async throws {
        let folder = try TemporaryFolder()
        try await startingOver(in: folder) { farm in try await begin(100_000, of: farm) }
        try await startingOver(in: folder) { farm in
            let standing = try await standing(farm)
            #expect(standing == "100000")
            let rest = try await send(100_000..<700_000, to: farm)
            #expect(rest.status == 201)
        }
    }

    /// Without the field nothing is kept of a body that is cut: who does not ask does not come back.
    @Test func aPlainUploadThatIsCutLeavesNothing() async throws {
        try await withCoordinator { configuration, _ in
            waiting(&configuration)
        } _: { farm in
            try await sendHalf(of: farm, asked: false) { raw in
                _ = try await onThread(raw) { raw in
                    raw.finishSending()
                    return raw.drain()
                }
            }
            #expect(try await farm.call("HEAD", upload, as: "editor").status == 404)
            #expect(files(farm).isEmpty)
        }
    }
}
