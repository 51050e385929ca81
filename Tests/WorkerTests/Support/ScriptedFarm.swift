import Client
import CompositionModel
import Farm
import Foundation
import Logging
import Planning
import Sandbox
import Storage
import TestSupport
import Timing
import WireProtocol

@testable import Worker

/// A coordinator that knows one worker, one source and one task, and says what it is told to; and a worker for it whose
/// render program asks for the source's first block and gives it back as its artifact.
final class ScriptedFarm: Sendable {
    let folder: TemporaryFolder
    let server: LoopbackServer
    let connection: CoordinatorConnection
    let loop: WorkLoop
    let executor: TaskExecutor
    let grant: LeaseGrant
    let source = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    private static let worker: WorkerID = WorkerID(uuid: UUID())

    /// - Parameters:
    ///   - renderer: what the render program does with the task, in Python.
    ///   - payload: the task; nil is a picture of the source.
    ///   - leaseMilliseconds: long enough for a machine so busy that nothing moves for seconds: the one grant there is
    ///     is not given again.
    ///   - clock: the clock of the worker's heartbeats and pauses.
    init(
        _ renderer: String = FakeRenderer.copiesItsSource,
        payload: TaskPayload? = nil,
        leaseMilliseconds: Int = 60_000,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        folder = try TemporaryFolder()
        server = try await LoopbackServer(folder: folder.path("served"))
        connection = try CoordinatorConnection(baseURL: server.url, token: "secret", clock: clock)
        let digest = ContentDigest(of: source)
        grant = LeaseGrant(
            attempt: AttemptID(uuid: UUID()),
            task: TaskID(uuid: UUID()),
            job: JobID(uuid: UUID()),
            payload: try payload ?? .picture(ScriptedFarm.task(digest)),
            leaseMilliseconds: leaseMilliseconds,
            deadlineMilliseconds: 600_000
        )
        try FileManager.default.createDirectory(atPath: folder.path("scratch"), withIntermediateDirectories: true)
        executor = TaskExecutor(
            connection: connection,
            assets: try SourceCache(connection: connection, cacheRoot: folder.path("cache"), cacheLimit: 1 << 30),
            readings: ReadingCache(connection: connection),
            process: try FakeRenderer.make(in: folder, does: renderer),
            scratch: { [scratch = folder.path("scratch")] in scratch }
        )
        let registration = WorkerRegistration(
            name: "w",
            kinds: [.picture],
            slots: 1,
            rendererVersion: 1,
            libraries: [:]
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let logs = AttemptLogs()
        let session = CoordinatorSession(
            connection: connection,
            registration: registration,
            ownFolder: folder.url.path,
            logs: logs,
            logger: logger
        )
        loop = WorkLoop(
            slots: 1,
            session: session,
            executor: executor,
            logs: logs,
            clock: connection.clock,
            logger: logger
        )
        try serve(digest, leaseMilliseconds)
    }

    private func serve(_ digest: ContentDigest, _ leaseMilliseconds: Int) throws {
        let registered = WorkerRegistered(
            worker: ScriptedFarm.worker,
            leaseMilliseconds: leaseMilliseconds,
            heartbeatMilliseconds: 300
        )
        let record = AssetRecord(
            digest: digest,
            byteCount: Int64(source.count),
            blocks: [digest],
            facts: nil,
            frameIndexes: [:]
        )
        try reply(registered, to: "/v1/workers")
        try reply(HeartbeatReply(renewed: [grant.attempt], lost: [], drain: false), to: heartbeats)
        try reply(LeaseGrants(grants: [grant]), to: polls, as: "grants")
        try reply(LeaseGrants(grants: []), to: polls)
        try server.serve(Data("0.1".utf8), at: polls + ".delay")
        try server.script(["reply grants"], at: polls)
        try reply(CompletionReply(outcome: .accepted), to: completion)
        try server.serve(try WireJSON.encode(record), at: "/v1/assets/\(digest.hex)/record")
        try server.serve(source, at: "/v1/assets/\(digest.hex)/.bytes")
    }

    func reply(_ value: some Encodable, to path: String, as name: String = "reply") throws {
        try server.serve(try WireJSON.encode(value), at: "\(path).\(name)")
    }

    let polls = "/v1/leases:poll"
    var heartbeats: String { "/v1/workers/\(ScriptedFarm.worker)/heartbeat" }
    var completion: String { "/v1/attempts/\(grant.attempt)/complete" }
    var failure: String { "/v1/attempts/\(grant.attempt)/fail" }
    var asset: String { "/v1/assets/\(ContentDigest(of: source).hex)" }
    /// Where the task's artifact, the source again, goes.
    var artifact: String { "/v1/artifacts/\(ContentDigest(of: source).hex)" }

    /// What is unfinished on the worker's disk.
    var unfinished: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("scratch"))) ?? []
    }

    /// Runs the worker until `condition` holds, then sends it away.
    func run(until condition: @escaping @Sendable (ScriptedFarm) -> Bool) async throws {
        async let running: Void = loop.run()
        do {
            try await waitUntil { condition(self) }
        } catch {
            await loop.leave(within: .zero)
            throw error
        }
        await loop.leave(within: .zero)
        try await running
    }

    private static func task(_ asset: ContentDigest) throws -> PictureTask {
        PictureTask(
            frameRate: try FrameRate(25),
            size: PictureSize(width: 64, height: 36),
            color: .bt709,
            background: "#000000",
            frameCount: 120,
            postRollCount: 0,
            assets: [asset],
            instructions: [],
            encoding: VideoEncoding(codec: .ffv1, speed: nil, crfThousandths: nil, keyframeInterval: 1, postRoll: 0),
            rendererVersion: 1
        )
    }
}
