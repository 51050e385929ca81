import CompositionModel
import Foundation
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// What one farm found in a file of this machine, another does not look for again.
@Suite struct SourceMemoryTests {
    private let folder: TemporaryFolder
    private let clip: String

    init() throws {
        folder = try TemporaryFolder()
        clip = folder.path("clip.mp4")
        try Data("a clip".utf8).write(to: URL(fileURLWithPath: clip))
        // A file that has just been written is hashed again in any case.
        let time = Date(timeIntervalSinceNow: -100)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: clip)
    }

    /// Registers the clip with a farm that is `later` seconds ahead and counts its probes in a file.
    /// - Returns: the record, and the number of probes of all farms so far.
    private func register(later: Double) async throws -> (AssetRecord, probes: Int) {
        let probes = folder.path("probes")
        var record: AssetRecord?
        try await withCoordinator { configuration, own in
            configuration.sourceMemory = try SourceMemory(root: folder.path("sources"))
            configuration.allowedRoots = [folder.url.path]
            configuration.now = { Date(timeIntervalSinceNow: later) }
            configuration.renderer = try FakeRenderer.make(in: own, countingProbesIn: probes)
        } _: { farm in
            let body = "{\"path\": \"\(clip)\"}"
            let answer = try await farm.call("POST", "/v1/assets:register", as: "editor", body: body)
            record = try answer.decode(AssetRecord.self)
            for digest in [record?.digest].compactMap(\.self) {
                let bytes = try await farm.call("GET", "/v1/assets/\(digest.hex)", as: "worker").body
                #expect(bytes == FileManager.default.contents(atPath: clip))
            }
        }
        let lines = (try? String(contentsOfFile: probes, encoding: .utf8))?.split(separator: "\n").count ?? 0
        return (try #require(record), lines)
    }

    @Test func aKnownFileIsNotProbedAgain() async throws {
        let first = try await register(later: 60)
        #expect(first.probes == 1)
        let second = try await register(later: 60)
        #expect(second.probes == 1 && second.0 == first.0)
        // A changed file is another.
        try Data("another clip".utf8).write(to: URL(fileURLWithPath: clip))
        let third = try await register(later: 60)
        #expect(third.probes == 2 && third.0.digest != first.0.digest)
    }

    @Test func whatIsGoneOrHasRottedIsFoundOutAgain() async throws {
        let first = try await register(later: 60)
        let indexes = folder.path("sources/indexes")
        for name in try FileManager.default.contentsOfDirectory(atPath: indexes) {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: indexes + "/" + name))
            try file.write(contentsOf: Data("rot".utf8))
            try file.close()
        }
        let second = try await register(later: 60)
        #expect(second.probes == 2 && second.0 == first.0)
        #expect(try await register(later: 60).probes == 2, "what was found then is kept in its place")
        let memory = try SourceMemory(root: folder.path("sources"))
        memory.prune(keptBefore: Date(timeIntervalSinceNow: 3600))
        #expect(try await register(later: 60).probes == 3)
    }
}
