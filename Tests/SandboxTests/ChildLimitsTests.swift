import CompositionModel
import Foundation
import Planning
import Sandbox
import TestSupport
import Testing
import Timing
import WireProtocol

/// The real `cutfarm-render` with more work than it may do: the parent says which limit ended it.
@Suite struct ChildLimitsTests {
    private let folder: TemporaryFolder
    private let process: RenderProcess

    init() throws {
        folder = try TemporaryFolder()
        process = try RenderProgram.process()
        try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    }

    private func request(_ size: PictureSize, frames: Int64, sources: [String] = []) throws -> RenderRequest {
        try .plainPicture(size, frames: frames, sources: sources, output: folder.path("out/part"))
    }

    private func failure(_ run: () async throws -> RenderProcess.Outcome) async throws -> Failure {
        do {
            let outcome = try await run()
            return Failure(code: "none", message: "\(outcome.result)", isPermanent: false)
        } catch let error as RenderFailed { return error.failure }
    }

    /// A still that is decoded to 430 MB: with room for it it is shown.
    @Test func aPictureThatIsTooLargeForItsMemory() async throws {
        let path = folder.path("large.png")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "color=gray:s=12000x12000,format=rgb24", "-frames:v", "1", path])
        let out = folder.path("out")
        let byteCount = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64)
        var source = SourceFile(path: path, byteCount: byteCount, isComplete: true)
        let probed = try await process.run(
            .probe(ProbeRequest(source: source, outputFolder: out)),
            readable: [path],
            writable: [out]
        )
        guard case .probe(let facts, let indexes) = probed.result else {
            Issue.record("no facts: \(probed.result)")
            return
        }
        (source.facts, source.frameIndexes) = (facts, indexes)
        guard case .picture(var request) = try request(PictureSize(width: 64, height: 64), frames: 2) else { return }
        request.sources = [source]
        request.task.assets = [ContentDigest(of: Data("large".utf8))]
        let shown = SliceLayer(from: SliceSource(asset: 0, stream: 0, start: .zero, fit: .contain, speed: .zero))
        request.task.instructions = [SliceInstruction(frames: FrameRange(start: 0, count: 2), layers: [shown])]
        let readable = [path] + indexes.values
        var small = process
        small.memoryMiB = 400
        let failure = try await failure { [request, small] in
            try await small.run(.picture(request), readable: readable, writable: [out])
        }
        #expect(failure.code == "render_out_of_memory" && failure.message.contains("memory"), "\(failure)")
        let outcome = try await process.run(.picture(request), readable: readable, writable: [out])
        #expect(outcome.result == .artifact(unitCount: 2))
    }

    @Test func moreFilesThanItMayOpen() async throws {
        let path = folder.path("source")
        try Data("text".utf8).write(to: URL(fileURLWithPath: path))
        func run(_ count: Int) async throws -> Failure {
            let request = try request(
                PictureSize(width: 64, height: 64),
                frames: 2,
                sources: Array(repeating: path, count: count)
            )
            let out = folder.path("out")
            return try await failure { try await process.run(request, readable: [path], writable: [out]) }
        }
        let refused = try await run(600)
        #expect(refused.message.contains("Too many open files"), "\(refused)")
        #expect(try await run(400).code == "none")
    }

    /// Work without an end in sight, each time with one limit that is near and others that are far.
    @Test(arguments: [
        ("render_time_limit", RenderLimits(wall: .seconds(1), cpuSeconds: 40, fileMiB: 1 << 20)),
        ("render_cpu_limit", RenderLimits(wall: .seconds(3600), cpuSeconds: 1, fileMiB: 1 << 20)),
        ("render_file_limit", RenderLimits(wall: .seconds(3600), cpuSeconds: 3600, fileMiB: 1)),
    ])
    func workWithoutEnd(code: String, limits: RenderLimits) async throws {
        let request = try request(PictureSize(width: 1920, height: 1080), frames: 1_000_000)
        let failure = try await failure {
            try await process.run(request, within: limits, readable: [], writable: [folder.path("out")])
        }
        #expect(failure.code == code, "\(failure)")
        #expect(RenderProgram.processes(with: folder.path("out")).isEmpty)
    }
}
