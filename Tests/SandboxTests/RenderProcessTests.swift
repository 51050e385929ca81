import CompositionModel
import Foundation
import Planning
import Sandbox
import Synchronization
import TestSupport
import Testing
import Timing
import WireProtocol

/// The real `cutfarm-render` on real media.
@Suite struct RenderProcessTests {
    let folder: TemporaryFolder
    let process: RenderProcess
    let movie: String
    let byteCount: Int64

    init() async throws {
        folder = try TemporaryFolder()
        process = try RenderProgram.process()
        movie = folder.path("movie.mkv")
        // 4 MiB, so that there is more than one block.
        try await Shell.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25", "-frames:v", "40", "-c:v", "rawvideo", "-pix_fmt",
            "yuv420p", movie,
        ])
        byteCount = try #require(FileManager.default.attributesOfItem(atPath: movie)[.size] as? Int64)
        try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    }

    func request(_ path: String, isComplete: Bool = true) -> RenderRequest {
        let source = SourceFile(path: path, byteCount: byteCount, isComplete: isComplete)
        return .probe(ProbeRequest(source: source, outputFolder: folder.path("out")))
    }

    func probe(_ path: String, readable: [String]) async throws -> RenderProcess.Outcome {
        try await process.run(request(path), readable: readable, writable: [folder.path("out")])
    }

    @Test func probesInTheSandbox() async throws {
        let outcome = try await probe(movie, readable: [movie])
        guard case .probe(let facts, let indexes) = outcome.result else {
            Issue.record("no facts: \(outcome.result)")
            return
        }
        #expect(facts.video.map(\.frameCount) == [40])
        #expect(facts.byteCount == byteCount)
        #expect(indexes.values.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        #expect(outcome.statistics.peakMemoryBytes > 1 << 20)
        #expect(outcome.statistics.wallMilliseconds > 0)
    }

    /// Fontconfig and Pango are given a file in memory: the cage shows them no folder of the machine.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: RenderProcessTests.font)))
    func probesAFontInTheSandbox() async throws {
        let bytes = try #require(FileManager.default.attributesOfItem(atPath: Self.font)[.size] as? Int64)
        let source = SourceFile(path: Self.font, byteCount: bytes, isComplete: true)
        let outcome = try await process.run(
            .probe(ProbeRequest(source: source, outputFolder: folder.path("out"))),
            readable: [Self.font],
            writable: [folder.path("out")]
        )
        guard case .probe(let facts, _) = outcome.result else {
            Issue.record("no facts: \(outcome.result)")
            return
        }
        #expect(facts.container == "font")
        #expect(facts.fonts?.first?.families.first == "DejaVu Sans")
    }

    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

    @Test func aFileNotNamedIsRefused() async throws {
        let other = folder.path("other.mkv")
        try FileManager.default.copyItem(atPath: movie, toPath: other)
        let error = await #expect(throws: RenderFailed.self) { try await probe(other, readable: [movie]) }
        #expect(error?.failure.message.contains("other.mkv") == true)
        #expect(error?.failure.code != "render_crashed")
    }

    /// `--allow-unsandboxed` is for kernels without Landlock, not for a command line that is wrong.
    @Test func aNamedFileThatIsMissingIsAnErrorAlsoWhereNoSandboxIsAllowed() async throws {
        var process = process
        process.allowUnsandboxed = true
        let readable = [movie, folder.path("missing")]
        let error = await #expect(throws: RenderFailed.self) {
            try await process.run(request(movie), readable: readable, writable: [folder.path("out")])
        }
        #expect(error?.failure.code == "sandbox_unavailable")
        #expect(error?.failure.message.contains(folder.path("missing")) == true)
    }

    @Test func blocksAreAskedForOnceBeforeTheyAreRead() async throws {
        let sparse = folder.path("sparse.mkv")
        let whole = try Data(contentsOf: URL(fileURLWithPath: movie))
        try #require(FileManager.default.createFile(atPath: sparse, contents: nil))
        try #require(truncate(sparse, off_t(byteCount)) == 0)
        let asked = Mutex<[Int64]>([])
        let outcome = try await process.run(
            request(sparse, isComplete: false),
            readable: [sparse],
            writable: [folder.path("out")],
            onNeed: { source, block in
                asked.withLock { $0.append(block) }
                let start = Int(block) << 20
                return RenderProcessTests.write(whole[start..<min(start + 1 << 20, whole.count)], to: sparse, at: start)
            }
        )
        let blocks = asked.withLock(\.self)
        #expect(blocks.count > 1)
        #expect(Set(blocks).count == blocks.count)
        #expect(try await probe(movie, readable: [movie]).result == outcome.result)
    }

    private static func write(_ data: Data, to path: String, at offset: Int) -> Failure? {
        do {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: data)
            try file.close()
            return nil
        } catch {
            return Failure(code: "test", message: "\(error)", isPermanent: false)
        }
    }

    @Test func aBlockThatCannotBeHadEndsTheChildWithItsReason() async throws {
        let reason = Failure(code: "asset_unavailable", message: "The coordinator is away.", isPermanent: false)
        let error = await #expect(throws: RenderFailed.self) {
            try await process.run(
                request(movie, isComplete: false),
                readable: [movie],
                writable: [folder.path("out")],
                onNeed: { _, _ in reason }
            )
        }
        #expect(error?.failure == reason)
    }

    /// The kernel's words for what a child ran out of.
    @Test(arguments: [
        (SIGKILL, "render_out_of_memory", "signal 9"), (SIGXCPU, "render_cpu_limit", "processor time"),
        (SIGXFSZ, "render_file_limit", "wrote more"),
    ])
    func aKilledChildRanOutOfSomething(signal: Int32, code: String, word: String) async throws {
        let out = folder.path("out")
        let error = await #expect(throws: RenderFailed.self) {
            try await process.run(
                request(movie, isComplete: false),
                readable: [movie],
                writable: [out],
                onNeed: { _, _ in
                    for child in RenderProgram.processes(with: out) { kill(child, signal) }
                    return nil
                }
            )
        }
        #expect(error?.failure.code == code)
        #expect(error?.failure.message.contains(word) == true)
        #expect(error?.failure.isPermanent == false)
    }

    /// The child waits for a block that does not come, for as long as it may.
    @Test func aChildThatWaitsForEverIsStopped() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let clock = TestClock()
        var process = process
        process.clock = clock
        let out = folder.path("out")
        let run = Task { [process] in
            try await process.run(
                request(movie, isComplete: false),
                within: RenderLimits(wall: .seconds(1), cpuSeconds: 600, fileMiB: 64),
                readable: [movie],
                writable: [out],
                onNeed: { _, _ in
                    ask.yield()
                    await untilCancelled()
                    return nil
                }
            )
        }
        for await _ in asked { break }
        try await clock.waitForSleep(of: .seconds(1))
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: RenderFailed.self) { try await run.value }
        #expect(error?.failure.code == "render_time_limit")
        #expect(RenderProgram.processes(with: out).isEmpty)
    }

    @Test func cancellingKillsAtOnceAndLeavesNone() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        let out = folder.path("out")
        let run = Task {
            try await process.run(
                request(movie, isComplete: false),
                readable: [movie],
                writable: [out],
                onNeed: { _, _ in
                    start.yield()
                    await untilCancelled()
                    return nil
                }
            )
        }
        for await _ in started { break }
        // Itself, and its supervisor where it has a PID namespace.
        #expect([1, 2].contains(RenderProgram.processes(with: out).count))
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(RenderProgram.processes(with: out).isEmpty)
    }

    private func picture(renderer: Int, libraries: [String: String]?) throws -> RenderRequest {
        let encoding = VideoEncoding(codec: .ffv1, speed: nil, crfThousandths: nil, keyframeInterval: 1, postRoll: 0)
        let task = PictureTask(
            frameRate: try FrameRate(25),
            size: PictureSize(width: 64, height: 64),
            color: .bt709,
            background: "#102030",
            frameCount: 2,
            postRollCount: 0,
            assets: [],
            instructions: [SliceInstruction(frames: FrameRange(start: 0, count: 2), layers: [])],
            encoding: encoding,
            rendererVersion: renderer,
            libraries: libraries
        )
        return .picture(PictureRequest(task: task, sources: [], output: folder.path("out/part")))
    }

    private func stitch(renderer: Int, libraries: [String: String]?) throws -> RenderRequest {
        let task = StitchTask(
            container: .matroska,
            frameRate: try FrameRate(25),
            frameCount: 2,
            sampleRate: 48_000,
            sampleCount: 3840,
            size: PictureSize(width: 64, height: 64),
            color: .bt709,
            partFrameCounts: [2],
            hasSound: false,
            rendererVersion: renderer,
            libraries: libraries
        )
        let parts = [folder.path("out/part")]
        let movie = folder.path("out/movie.mkv")
        return .stitch(StitchRequest(task: task, pictureParts: parts, soundParts: [], output: movie))
    }

    /// A farm that was upgraded between planning and rendering.
    @Test func aTaskForOtherVersionsIsRefused() async throws {
        let out = [folder.path("out")]
        let asked = try await process.run(.versions, readable: [], writable: [])
        guard case .versions(let renderer, let libraries, let user) = asked.result else {
            Issue.record("no versions")
            return
        }
        // Root's child is nobody where it can be.
        #expect(user == (try await CageProbe.mayExchangeOwners() ? 65_534 : geteuid()))
        for known in [libraries, nil] {
            let request = try picture(renderer: renderer, libraries: known)
            #expect(try await process.run(request, readable: [], writable: out).result == .artifact(unitCount: 2))
        }
        for known in [libraries, nil] {
            let request = try stitch(renderer: renderer, libraries: known)
            #expect(try await process.run(request, readable: [], writable: out).result == .artifact(unitCount: 2))
        }
        var others = libraries
        others["libavcodec"] = "1.2.3"
        let error = await #expect(throws: RenderFailed.self) {
            try await process.run(try picture(renderer: renderer, libraries: others), readable: [], writable: out)
        }
        #expect(error?.failure.code == "version_mismatch")
        #expect(error?.failure.message.contains("libavcodec 1.2.3") == true)
        #expect(error?.failure.isPermanent == false)
        for (renderer, libraries) in [(renderer, others), (renderer + 1, libraries)] {
            let refused = await #expect(throws: RenderFailed.self) {
                let request = try stitch(renderer: renderer, libraries: libraries)
                return try await process.run(request, readable: [], writable: out)
            }
            #expect(refused?.failure.code == "version_mismatch")
        }
        await #expect(throws: RenderFailed.self) {
            try await process.run(try picture(renderer: renderer + 1, libraries: nil), readable: [], writable: out)
        }
    }

    @Test func aMissingProgramIsSaid() async throws {
        let process = RenderProcess(executable: folder.path("nothing"))
        let error = await #expect(throws: RenderFailed.self) {
            try await process.run(.versions, readable: [], writable: [])
        }
        #expect(error?.failure.code == "render_missing")
    }
}
