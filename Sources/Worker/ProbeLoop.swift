import Client
import CompositionModel
import Foundation
import Logging
import Sandbox
import Storage
import Synchronization
import Timing
import WireProtocol

/// Probes, one after the other, what clients sent to the farm's bucket: it reads an object back, compares its digest, and has
/// the render program look into it.
actor ProbeLoop {
    /// The room that is left free beside an object, in bytes.
    private static let margin: Int64 = 1 << 30
    /// The longest wait of one poll, in milliseconds.
    private static let wait = 20_000
    /// The time after an answer that was none, and after an object that could not be read: meanwhile another worker has it.
    private static let pause: Duration = .seconds(5)
    /// The time for which an outcome is told again when nobody takes it.
    private static let patience: Duration = .seconds(300)

    private let connection: CoordinatorConnection
    private let registration: WorkerRegistration
    private let process: RenderProcess
    /// Gives the folder for this worker's unfinished work.
    private let scratch: @Sendable () throws -> String
    private let logger: Logger
    private var running: Task<Void, Never>?
    private var isOver = false

    init(
        connection: CoordinatorConnection,
        registration: WorkerRegistration,
        process: RenderProcess,
        scratch: @escaping @Sendable () throws -> String,
        logger: Logger
    ) {
        self.connection = connection
        self.registration = registration
        self.process = process
        self.scratch = scratch
        self.logger = logger
    }

    /// Begins to ask, unless it does already.
    func start() {
        guard running == nil, !isOver else { return }
        running = Task { await ask() }
    }

    /// Hands back what it probes, and ends. When this returns, no render process of it runs.
    func stop() async {
        isOver = true
        running?.cancel()
        await running?.value
    }

    private func ask() async {
        while !Task.isCancelled {
            do throws(ClientError) {
                let room = (try? scratch()).flatMap { DiskSpace.of($0) }?.free ?? 0
                let poll = ProbePoll(
                    registration: registration,
                    factsVersion: AssetFacts.currentVersion,
                    byteLimit: max(0, room - Self.margin),
                    waitMilliseconds: Self.wait
                )
                guard let grant = try await connection.probe(poll) else { continue }
                if await !work(grant) { try? await connection.clock.sleep(for: Self.pause) }
            } catch {
                if case .problem(let problem) = error {
                    logger.debug("nothing to probe", metadata: ["code": "\(problem.code)"])
                }
                try? await connection.clock.sleep(for: Self.pause)
            }
        }
    }

    /// Probes one object while its grant is renewed. A grant that is lost breaks the work off.
    /// - Returns: whether it could be probed.
    private func work(_ grant: ProbeGrant) async -> Bool {
        var logger = logger
        logger[metadataKey: "asset"] = "\(grant.digest)"
        logger.info("probing", metadata: ["bytes": "\(grant.byteCount)"])
        let newest = NewestGrant(grant)
        let renewal = Task { [connection] in
            while (try? await connection.clock.sleep(for: .milliseconds(grant.renewalMilliseconds))) != nil {
                do throws(ClientError) { await newest.set(try await connection.renew(grant.id)) } catch {
                    if error.isLostLease { return true }
                }
            }
            return false
        }
        let probing = Task { try await probe(newest) }
        let watch = Task { if await renewal.value { probing.cancel() } }
        let outcome = await withTaskCancellationHandler {
            await probing.result
        } onCancel: {
            probing.cancel()
        }
        // Also when this worker leaves.
        await Task { await tell(grant, outcome, logger) }.value
        renewal.cancel()
        await watch.value
        if case .success = outcome { return true }
        return false
    }

    /// Tells what was found, again while nobody takes it. Who does not hear of it gives the object to another worker.
    private func tell(_ grant: ProbeGrant, _ outcome: Result<AssetRecord, any Error>, _ logger: Logger) async {
        let stopwatch = Stopwatch(on: connection.clock)
        while true {
            do throws(ClientError) {
                switch outcome {
                case .success(let record):
                    try await connection.complete(grant.id, record)
                    logger.info("probed")
                case .failure(let error):
                    let isLeaving = error is CancellationError || (error as? ClientError)?.isCancellation == true
                    let failure = Failure(describing: error).withoutPaths(below: [(try? scratch()) ?? "/"])
                    if !isLeaving { logger.warning("not probed", metadata: ["reason": "\(failure.message)"]) }
                    try await connection.fail(grant.id, ProbeFailure(failure: failure, isLeaving: isLeaving))
                }
                return
            } catch {
                // A coordinator of an earlier version, beside this one's, knows no such address.
                let mayPass = error.isTransient || error.isNotFound
                if mayPass, stopwatch.elapsed < Self.patience, !isOver {
                    try? await connection.clock.sleep(for: .seconds(1))
                    continue
                }
                logger.warning("what was found does not count", metadata: ["reason": "\(error)"])
                if !error.isLostLease {
                    let failure = ProbeFailure(failure: Failure(describing: error).lasting(false))
                    try? await connection.fail(grant.id, failure)
                }
                return
            }
        }
    }

    private func probe(_ newest: NewestGrant) async throws -> AssetRecord {
        let grant = await newest.grant
        let folder = try ScratchFolder(below: try scratch(), named: "probe-")
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("object")
        let hashed = try await fetch(newest, to: path)
        guard hashed.digest == grant.digest, hashed.byteCount == grant.byteCount else {
            let sentence = StorageError.wrongDigest(expected: "\(grant.digest)", found: "\(hashed.digest)").description
            throw RenderFailed(Failure(code: "digest_mismatch", message: sentence, isPermanent: true))
        }
        let source = SourceFile(path: path, byteCount: hashed.byteCount, isComplete: true)
        let output = try ScratchFolder(below: folder.path)
        defer { withExtendedLifetime(output) {} }
        let outcome = try await process.run(
            .probe(ProbeRequest(source: source, outputFolder: output.path)),
            within: RenderLimits(probing: hashed.byteCount),
            readable: [path],
            writable: [output.path]
        )
        guard case .probe(let facts, let names) = outcome.result else {
            throw RenderFailed(.unexpected("The render process answered something else than facts."))
        }
        var indexes: [Int: ContentDigest] = [:]
        for (stream, name) in names {
            let index = output.file(name)
            let digest = try await FileDigest.of(index).digest
            try await connection.upload(artifact: digest, from: index)
            indexes[stream] = digest
        }
        return AssetRecord(
            digest: hashed.digest,
            byteCount: hashed.byteCount,
            blocks: hashed.blocks,
            facts: facts,
            frameIndexes: indexes
        )
    }

    /// Reads an object from the bucket, and goes on where it was cut.
    private func fetch(_ newest: NewestGrant, to path: String) async throws -> HashedBytes {
        try Data().write(to: URL(fileURLWithPath: path))
        let file = HashedFile(try FileHandle(forWritingTo: URL(fileURLWithPath: path)))
        let byteCount = await newest.grant.byteCount
        var (offset, cuts) = (Int64(0), 0)
        while offset < byteCount {
            try Task.checkCancellation()
            do throws(ClientError) {
                try await connection.object(of: await newest.grant, from: offset) { try file.write($0) }
            } catch {
                guard error.isTransient, cuts < 20 else { throw error }
                try await connection.clock.sleep(for: .seconds(1))
            }
            if file.byteCount > offset { cuts = 0 } else { cuts += 1 }
            guard cuts < 20 else { throw ClientError.unreachable("The farm's bucket sends nothing.") }
            offset = file.byteCount
        }
        return try file.finish()
    }
}

/// A file that is hashed as it is written.
private final class HashedFile: Sendable {
    private struct State {
        let file: FileHandle
        var hasher = FileHasher(withBlocks: true)
        var byteCount: Int64 = 0
    }

    private let state: Mutex<State>

    init(_ file: sending FileHandle) { state = Mutex(State(file: file)) }

    var byteCount: Int64 { state.withLock(\.byteCount) }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            try state.file.write(contentsOf: Data(bytes))
            state.hasher.update(bytes)
            state.byteCount += Int64(bytes.count)
        }
    }

    /// Closes the file.
    func finish() throws -> HashedBytes {
        try state.withLock { state in
            try state.file.close()
            return state.hasher.finalize()
        }
    }
}

/// The newest renewal of a grant: the address of an older one ends after a quarter of an hour.
private actor NewestGrant {
    private(set) var grant: ProbeGrant

    init(_ grant: ProbeGrant) { self.grant = grant }

    func set(_ grant: ProbeGrant) { self.grant = grant }
}

extension ClientError {
    fileprivate var isCancellation: Bool { if case .cancelled = self { true } else { false } }

    fileprivate var isLostLease: Bool {
        if case .problem(let problem) = self { problem.code == "lease_lost" } else { false }
    }

    fileprivate var isNotFound: Bool {
        if case .problem(let problem) = self { [404, 405].contains(problem.status) } else { false }
    }
}

extension Failure {
    /// The failure as one that lasts, or may pass.
    fileprivate func lasting(_ isPermanent: Bool) -> Failure {
        var failure = self
        failure.isPermanent = isPermanent
        return failure
    }
}
