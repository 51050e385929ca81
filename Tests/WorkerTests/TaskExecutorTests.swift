import CompositionModel
import Foundation
import Planning
import Sandbox
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Worker

/// One grant, from its sources to its artifact.
@Suite struct TaskExecutorTests {
    @Test func itGivesWhatTheRenderProgramMade() async throws {
        let farm = try await ScriptedFarm()
        let progress = Mutex<[Int]>([])
        let product = try await farm.executor.execute(farm.grant) { permille in
            progress.withLock { $0.append(permille) }
        }
        #expect(product.digest == ContentDigest(of: farm.source))
        #expect(product.byteCount == Int64(farm.source.count))
        #expect(product.unitCount == 120)
        #expect(product.statistics.fetchedBytes == Int64(farm.source.count))
        #expect(product.statistics.cpuMilliseconds == 3)
        #expect(product.statistics.vectors == ["libav", "x264"], "what there is, each once")
        #expect(progress.withLock(\.self) == [500])
        #expect(FileManager.default.contents(atPath: product.path) == farm.source)
        product.discard()
        #expect(farm.unfinished.isEmpty)
    }

    /// What media could make the child do has an end: 120 frames of 64 × 36 are 3 MiB, and 64 for what is beside them.
    @Test func theChildIsLimited() async throws {
        let says = #"open(os.path.join(here, "arguments"), "w").write(" ".join(sys.argv))"#
        let farm = try await ScriptedFarm(says + "\n" + FakeRenderer.copiesItsSource)
        try await farm.executor.execute(farm.grant) { _ in }.discard()
        let said = FileManager.default.contents(atPath: farm.folder.path("arguments")) ?? Data()
        let cores = ProcessInfo.processInfo.activeProcessorCount
        #expect(String(decoding: said, as: UTF8.self).contains("--cpu \(660 * cores) --file-size 67 "))
    }

    @Test func theSecondTimeNothingIsFetched() async throws {
        let farm = try await ScriptedFarm()
        try await farm.executor.execute(farm.grant) { _ in }.discard()
        let again = try await farm.executor.execute(farm.grant) { _ in }
        #expect(again.statistics.fetchedBytes == 0)
        #expect(again.digest == ContentDigest(of: farm.source))
    }

    @Test func whatTheProgramSaysIsThrownAndNothingStays() async throws {
        let farm = try await ScriptedFarm(FakeRenderer.fails)
        let error = await #expect(throws: RenderFailed.self) { try await farm.executor.execute(farm.grant) { _ in } }
        #expect(
            error?.failure
                == Failure(code: "asset_damaged", message: "The clip is damaged.", isPermanent: true)
        )
        #expect(farm.unfinished.isEmpty)
    }

    /// Once accepted, it is joined with the pieces of other workers and never measured again.
    @Test(arguments: ["b'CUTLOUD1' + bytes(36)", "b''", "b'CUTLOUD0'"])
    func aMeasurementThatIsNoneIsNotDelivered(bytes: String) async throws {
        let farm = try await ScriptedFarm(
            #"open(request["output"], "wb").write(\#(bytes))"# + "\n"
                + #"send({"result": {"_0": {"artifact": {"unitCount": 8000}}}})"#,
            payload: .measure(MeasureTask(sound: .silence, what: .loudness, start: 0, wholeSampleCount: 8000))
        )
        let error = await #expect(throws: RenderFailed.self) { try await farm.executor.execute(farm.grant) { _ in } }
        #expect(error?.failure.code == "measurement_invalid" && error?.failure.isPermanent == false)
        #expect(farm.unfinished.isEmpty)
    }

    @Test func aProgramThatDiesIsACrash() async throws {
        let farm = try await ScriptedFarm("os.kill(os.getpid(), 11)")
        let error = await #expect(throws: RenderFailed.self) { try await farm.executor.execute(farm.grant) { _ in } }
        #expect(error?.failure.code == "render_crashed")
        #expect(error?.failure.message.contains("signal 11") == true)
        #expect(farm.unfinished.isEmpty)
    }

    /// The program is not believed: media may have taken it over.
    @Test(arguments: ["need(-1)", "need(1)", "send({\"need\": {\"source\": 7, \"block\": 0}}); receive()"])
    func whatTheTaskDoesNotHaveIsNotFetched(question: String) async throws {
        let farm = try await ScriptedFarm(question)
        await #expect(throws: RenderFailed.self) { try await farm.executor.execute(farm.grant) { _ in } }
        #expect(farm.server.count("GET", farm.asset) == 0)
    }

    /// The file lies on the coordinator's host and its owner changed it: no other worker could do better.
    @Test func aSourceThatWasChangedFailsForGood() async throws {
        let farm = try await ScriptedFarm()
        try farm.server.script(["410 asset_changed"], at: farm.asset)
        let error = await #expect(throws: RenderFailed.self) { try await farm.executor.execute(farm.grant) { _ in } }
        #expect(error?.failure.code == "asset_changed" && error?.failure.message == "Detail of 410.")
        #expect(error?.failure.isPermanent == true && error?.failure.asset != nil, "the asset's name is told")
        #expect(farm.server.count("GET", farm.asset) == 1)
    }

    @Test func cancellingEndsTheProgramAndLeavesNothing() async throws {
        let farm = try await ScriptedFarm(FakeRenderer.waits)
        let task = Task { try await farm.executor.execute(farm.grant) { _ in } }
        try await waitUntil { FileManager.default.fileExists(atPath: farm.folder.path("started")) }
        #expect(!farm.unfinished.isEmpty)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(farm.unfinished.isEmpty)
    }
}

extension SoundTask {
    /// A second.
    fileprivate static let silence = SoundTask(
        sampleRate: 8000,
        channels: 1,
        sampleCount: 8000,
        firstSample: 0,
        assets: [],
        tracks: [],
        encoding: AudioEncoding(codec: .pcm24, bitRate: nil),
        rendererVersion: 1
    )
}
