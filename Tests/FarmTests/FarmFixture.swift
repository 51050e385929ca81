import CompositionModel
import FarmSimulation
import Planning
import Timing
import WireProtocol

@testable import Farm

/// Rows and events for tests of one machine, by small numbers.
enum FarmFixture {
    static let start = FarmTime(milliseconds: 1_700_000_000_000)

    static func at(_ milliseconds: Int64) -> FarmTime { start.adding(milliseconds: milliseconds) }

    /// Identifiers that sort by number.
    static func id<Identifier: TypedIdentifier>(_ number: UInt64) -> Identifier {
        var generator = SeededGenerator(seed: 1)
        return Identifier(milliseconds: number, using: &generator)
    }

    static func worker(
        _ number: UInt64,
        kinds: [TaskKind] = TaskKind.allCases,
        machine: String? = nil,
        lastSeen: Int64 = 0
    ) -> WorkerRecord {
        WorkerRecord(
            id: id(number),
            name: "w\(number)",
            kinds: kinds,
            slots: 1,
            rendererVersion: 1,
            libraries: [:],
            machine: machine,
            lastSeen: at(lastSeen)
        )
    }

    static func task(_ number: UInt64 = 1, position: Int = 0, stage: Int = 0, kind: TaskKind = .picture) -> TaskRecord {
        TaskRecord(
            id: id(number),
            job: id(1),
            position: position,
            kind: kind,
            stage: stage,
            frames: FrameRange(start: 0, count: 100),
            startBorder: .edge,
            endBorder: .edge,
            key: nil,
            costMilliseconds: 1000,
            notBefore: start
        )
    }

    static func job(remaining: [Int]) -> JobRecord {
        JobRecord(
            id: id(1),
            owner: "o",
            idempotencyKey: "k",
            title: "t",
            preset: "h264",
            fileExtension: "mp4",
            priority: 0,
            frameCount: 100,
            frameRate: SampleJob.frameRate,
            created: start,
            remaining: remaining
        )
    }

    static func completion(_ worker: UInt64, _ artifact: String = "a") -> TaskCompletion {
        TaskCompletion(
            worker: id(worker),
            artifact: digest(artifact),
            byteCount: 10,
            unitCount: 100,
            statistics: TaskStatistics()
        )
    }

    static func digest(_ text: String) -> ContentDigest { ContentDigest(of: Array(text.utf8)) }

    static func failure(
        _ worker: UInt64,
        _ code: String = "source_unreadable",
        isPermanent: Bool = false
    ) -> TaskFailure {
        TaskFailure(worker: id(worker), failure: Failure(code: code, message: "It failed.", isPermanent: isPermanent))
    }

    static func machine(_ task: TaskRecord = task()) -> TaskMachine {
        TaskMachine(task: task, attempts: [], policy: FarmPolicy())
    }
}

extension TaskMachine {
    /// Grants attempt `number` to worker `number`; expired is what ended by `expiry`.
    @discardableResult
    mutating func turn(
        _ number: UInt64,
        at now: Int64,
        expiry: Int64 = -1,
        worker: UInt64? = nil,
        on machine: String? = nil
    ) -> [TaskEffect] {
        grant(
            FarmFixture.id(number),
            to: FarmFixture.worker(worker ?? number, machine: machine),
            poll: FarmFixture.id(number),
            because: .turn(expiry: FarmFixture.at(expiry)),
            at: FarmFixture.at(now)
        )
    }

    @discardableResult
    mutating func hedge(_ number: UInt64, at now: Int64) -> [TaskEffect] {
        grant(
            FarmFixture.id(number),
            to: FarmFixture.worker(number),
            poll: FarmFixture.id(number),
            because: .hedge,
            at: FarmFixture.at(now)
        )
    }

    mutating func complete(_ attempt: UInt64, _ artifact: String = "a", by worker: UInt64? = nil) -> CompletionOutcome {
        complete(
            FarmFixture.id(attempt),
            FarmFixture.completion(worker ?? attempt, artifact),
            at: FarmFixture.at(9000)
        ).0
    }

    mutating func fail(
        _ attempt: UInt64,
        _ code: String = "source_unreadable",
        isPermanent: Bool = false,
        at now: Int64 = 9000
    ) -> FailureOutcome {
        fail(
            FarmFixture.id(attempt),
            FarmFixture.failure(attempt, code, isPermanent: isPermanent),
            at: FarmFixture.at(now)
        ).0
    }

    var states: [AttemptView.State] { attempts.map(\.state) }
}
