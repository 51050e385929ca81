import CompositionModel
import Foundation
import Sandbox
import TestSupport
import Testing
import WireProtocol

/// Files that are made to harm who opens them, probed by the real `cutfarm-render` under a probe's limits. With
/// `CUTFARM_THOROUGH=1` each kind is damaged in 70 ways, more than 2,000 in all.
@Suite struct EvilFileTests {
    private let folder: TemporaryFolder
    private let process: RenderProcess

    init() throws {
        folder = try TemporaryFolder()
        process = try RenderProgram.process()
        try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    }

    private enum Answer {
        case facts(AssetFacts, TaskStatistics)
        case failure(Failure)

        var peak: Int64 {
            guard case .facts(_, let statistics) = self else { return 0 }
            return statistics.peakMemoryBytes
        }
    }

    private func probe(_ file: EvilFile) async throws -> Answer {
        let path = folder.path(file.name)
        try file.bytes.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let source = SourceFile(path: path, byteCount: Int64(file.bytes.count), isComplete: true)
        do {
            let outcome = try await process.run(
                .probe(ProbeRequest(source: source, outputFolder: folder.path("out"))),
                within: RenderLimits(probing: source.byteCount),
                readable: [path],
                writable: [folder.path("out")]
            )
            guard case .probe(let facts, _) = outcome.result else { throw Unexpected(result: outcome.result) }
            return .facts(facts, outcome.statistics)
        } catch let error as RenderFailed { return .failure(error.failure) }
    }

    private struct Unexpected: Error { let result: RenderResult }

    /// 500 MB, of which a tenth is the program itself and its libraries.
    private static let mostMemory: Int64 = 500_000_000

    private func check(_ answer: Answer, _ file: EvilFile) {
        #expect(answer.peak < Self.mostMemory, "\(file)")
        switch answer {
        case .facts(_, let statistics): #expect(statistics.warnings == nil, "\(file)")
        case .failure(let failure):
            #expect(!["render_crashed", "render_failed"].contains(failure.code), "\(file): \(failure)")
            #expect(!failure.message.contains("system calls"), "\(file): \(failure)")
        }
    }

    @Test(arguments: EvilFile.kinds.indices)
    func mutations(kind: Int) async throws {
        let (name, arguments) = EvilFile.kinds[kind]
        try await Shell.ffmpeg(arguments + [folder.path(name)])
        let sound = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
        let whole = EvilFile(name: "whole-" + name, bytes: sound)
        let answer = try await probe(whole)
        guard case .facts(_, let statistics) = answer else {
            Issue.record("\(name) cannot be read when it is whole: \(answer)")
            return
        }
        #expect(statistics.warnings == nil, "its system calls are all listed")
        for seed in TestSeeds.asked(usual: 3, thorough: 70) {
            let file = EvilFile.mutation(of: sound, name, seed: seed)
            check(try await probe(file), file)
        }
    }

    @Test func bombs() async throws {
        var refused: [String] = []
        for file in try await EvilFile.bombs(in: folder) {
            let answer = try await probe(file)
            check(answer, file)
            if case .failure = answer { refused.append(file.name) }
        }
        #expect(refused.contains("text.png") && refused.contains("profile.png"), "\(refused)")
    }

    /// Nobody is asked for anything, and no byte of another file is taken.
    @Test func referencesToOtherFiles() async throws {
        let server = try await LoopbackServer(folder: folder.path("served"))
        let secret = folder.path("secret.y4m")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=64x48:duration=1", secret])
        for file in EvilFile.references(to: server.url, secret) {
            let answer = try await probe(file)
            guard case .failure(let failure) = answer else {
                Issue.record("\(file) was read: \(answer)")
                continue
            }
            #expect(["asset_not_media", "asset_endless"].contains(failure.code), "\(file): \(failure)")
        }
        #expect(server.log == [])
    }
}
