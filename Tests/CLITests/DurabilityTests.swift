import CompositionModel
import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing

/// What a coordinator has acknowledged survives a crash of the machine: the bytes reach the disk before their name, and
/// the name before the answer. Killing a process cannot show it, because the kernel keeps what a process has written.
@Suite struct DurabilityTests {
    @Test func bytesAndNamesAreDurableBeforeTheyAreAcknowledged() async throws {
        let folder = try TemporaryFolder()
        let recorder = try await CallRecorder(in: folder)
        let (coordinator, address) = try await start(recorder, in: folder)
        let movie = folder.path("a.mp4")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "libx264", movie])
        let part = folder.path("part")
        try Data("a part".utf8).write(to: URL(fileURLWithPath: part))
        let stored = try [
            await upload(part, to: "/v1/artifacts/", at: address, token: Self.workerToken),
            await upload(movie, to: "/v1/assets/", at: address, token: Self.token),
        ]
        coordinator.send(SIGKILL)
        _ = try await coordinator.wait()
        let calls = try recorder.calls()
        let renames = calls.filter { $0.name == "rename" && $0.target.contains("/artifacts/sha256/") }
        // The asset's frame index is stored too.
        #expect(renames.count >= 3)
        for digest in stored { #expect(renames.contains { $0.target.hasSuffix("/" + digest.hex) }) }
        for rename in renames { check(rename, calls) }
    }

    /// One stored file: synchronised, renamed, its folders synchronised, and only then an answer that it was created.
    private func check(_ rename: CallRecorder.Call, _ calls: [CallRecorder.Call]) {
        func place(_ name: String, _ subject: String, after first: Int) -> Int? {
            calls.indices.dropFirst(first + 1).first { calls[$0].name == name && calls[$0].subject.hasSuffix(subject) }
        }
        let begun = calls.firstIndex(of: rename) ?? 0
        let isDurable = calls[..<begun].contains { $0.name == "synced" && $0.subject.hasSuffix(rename.subject) }
        #expect(isDurable, "\(rename) gives a name to bytes that a crash may lose")
        let answered = place("answer", " 201 Created", after: begun) ?? calls.count
        let renamed = place("renamed", rename.subject, after: begun) ?? calls.count
        let folder = (rename.target as NSString).deletingLastPathComponent
        let named = place("sync", folder, after: renamed).flatMap { place("synced", folder, after: $0) } ?? calls.count
        #expect(named < answered, "the name \(rename.target) may be lost after it was acknowledged")
        // The folders were made for this file, so that their names are as new as its own.
        for above in [folder, (folder as NSString).deletingLastPathComponent] {
            let holder = (above as NSString).deletingLastPathComponent
            let isNamed = calls[..<min(answered, calls.count)].contains {
                $0.name == "synced" && $0.subject.hasSuffix(holder)
            }
            #expect(isNamed, "the folder \(above) may be lost after \(rename.target) was acknowledged")
        }
        #expect(answered < calls.count, "\(rename.target) was never acknowledged")
    }

    private static let token = "durability-token-0123456789"
    private static let workerToken = "durability-worker-0123456789"

    private func start(
        _ recorder: CallRecorder,
        in folder: TemporaryFolder
    ) async throws -> (RunningProgram, address: String) {
        let target = try await TestPostgreSQL.shared.database()
        let tokens = "me view,submit,admin \(Self.token)\nfarm worker \(Self.workerToken)\n"
        try Data(tokens.utf8).write(to: URL(fileURLWithPath: folder.path("tokens")))
        let command = recorder.recording(
            Programs.cutfarm,
            [
                "coordinator", "--database-url", target.description, "--state", folder.path("state"), "--port", "0",
                "--token-file", folder.path("tokens"), "--address-file", folder.path("address"),
                "--until-input-closes",
            ]
        )
        let coordinator = try RunningProgram(command.program, command.arguments, log: folder.path("log"))
        try await waitUntil {
            let log = (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? ""
            try #require(!coordinator.hasEnded, "\(log)")
            return FileManager.default.contents(atPath: folder.path("address"))?.last == UInt8(ascii: "\n")
        }
        let address = try String(contentsOfFile: folder.path("address"), encoding: .utf8)
        return (coordinator, address.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// - Returns: the digest of the file, which was created on the coordinator.
    private func upload(
        _ file: String,
        to place: String,
        at address: String,
        token: String
    ) async throws -> ContentDigest {
        let digest = ContentDigest(of: try Data(contentsOf: URL(fileURLWithPath: file)))
        let words = ["-sS", "-w", "%{http_code}", "-H", "Authorization: Bearer " + token, "-T", file]
        let outcome = try await Shell.run("curl", words + [address + place + digest.hex])
        #expect(outcome.text.hasSuffix("201"), "\(outcome.text) \(outcome.errors)")
        return digest
    }
}
