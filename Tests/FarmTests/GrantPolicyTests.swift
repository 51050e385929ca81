import Testing
import WireProtocol

@testable import Farm

@Suite struct GrantPolicyTests {
    private func candidate(
        _ task: UInt64,
        job: UInt64 = 1,
        owner: String = "",
        kind: TaskKind = .picture,
        position: Int = 0,
        priority: Int = 0,
        stage: Int = 0,
        cost: Int64 = 1000,
        failed: [UInt64] = [],
        versions: RenderVersions? = nil
    ) -> GrantCandidate {
        GrantCandidate(
            task: FarmFixture.id(task),
            job: FarmFixture.id(job),
            owner: owner,
            kind: kind,
            position: position,
            priority: priority,
            stage: stage,
            costMilliseconds: cost,
            failedWorkers: failed.map { FarmFixture.id($0) },
            versions: versions
        )
    }

    private func poll(_ worker: UInt64, kinds: [TaskKind] = [.picture], capacity: Int = 10) -> LeasePoll {
        LeasePoll(
            worker: FarmFixture.id(worker),
            poll: FarmFixture.id(99),
            kinds: kinds,
            capacity: capacity,
            waitMilliseconds: 0
        )
    }

    private func numbers(_ tasks: [GrantCandidate]) -> [TaskID] { tasks.map(\.task) }
    private func ids(_ numbers: UInt64...) -> [TaskID] { numbers.map { FarmFixture.id($0) } }

    @Test func theQueueIsByPriorityThenJobThenStageThenOpeningThenCostThenPosition() {
        let shuffled = [
            candidate(8, job: 2, cost: 9000), candidate(7, stage: 2, cost: 9000), candidate(6, position: 2),
            candidate(5, position: 1), candidate(4, position: 3, cost: 2000), candidate(3),
            candidate(2, job: 3, priority: 1),
            candidate(1, job: 2, priority: 2),
        ]
        #expect(numbers(shuffled.sorted(by: GrantCandidate.precedes)) == ids(1, 2, 3, 4, 5, 6, 7, 8))
    }

    private func chosen(_ queue: [GrantCandidate], _ poll: LeasePoll, of workers: [WorkerRecord] = []) -> [TaskID] {
        let worker = workers.first { $0.id == poll.worker } ?? FarmFixture.worker(1)
        return GrantPolicy.choose(queue, for: poll, of: worker, workers: workers).picks.map(\.task)
    }

    /// A coordinator that joins takes no slot from anybody; and whoever renders most does not join last.
    @Test func joiningHasTurnsOfItsOwn() {
        let worker = FarmFixture.worker(1)
        let many = (UInt64(10)..<16).map { candidate($0, job: $0, owner: "small", kind: .stitch) }
        var rendered = OwnerTurns(["large": 9, "small": 1])
        var order: [TaskID] = []
        for round in 0..<3 {
            let waiting = many.filter { !order.contains($0.task) }
            let late = round == 1 ? [candidate(20, job: 20, owner: "large", kind: .stitch)] : []
            rendered.take("large")
            let choice = GrantPolicy.choose(
                waiting + late,
                for: poll(1, kinds: [.stitch], capacity: 1),
                of: worker,
                workers: [],
                turns: rendered
            )
            rendered = choice.turns
            order += choice.picks.map(\.task)
        }
        #expect(order == ids(10, 20, 11), "of one who has six to join, and one who renders on")
        let stitches = [candidate(1, job: 1, owner: "small", kind: .stitch)]
        let joined = GrantPolicy.choose(stitches, for: poll(1, kinds: [.stitch]), of: worker, workers: [])
        #expect(joined.picks.map(\.task) == ids(1) && joined.turns.number("small") == 0)
        let segments = [candidate(2, job: 1, owner: "large"), candidate(3, job: 2, owner: "small")]
        var turns = OwnerTurns()
        turns.take("large")
        let stitched = GrantPolicy.choose(
            stitches,
            for: poll(1, kinds: [.stitch]),
            of: worker,
            workers: [],
            turns: turns
        )
        let next = GrantPolicy.choose(segments, for: poll(1), of: worker, workers: [], turns: stitched.turns)
        #expect(next.picks.map(\.task) == ids(3, 2))
    }

    @Test func aPollGetsItsKindsUpToItsCapacity() {
        let queue = [candidate(1, kind: .sound), candidate(2), candidate(3, kind: .stitch), candidate(4), candidate(5)]
        #expect(chosen(queue, poll(1, capacity: 2)) == ids(2, 4))
        #expect(chosen(queue, poll(1, kinds: [.stitch, .sound])) == ids(1, 3))
        #expect(chosen(queue, poll(1, capacity: 0)).isEmpty)
    }

    /// However many tasks one has, at whatever priority, the next slot is another's.
    @Test func freeSlotsGoRoundBetweenOwners() {
        let many = (1...6).map { candidate($0, owner: "a", position: Int($0), priority: 9) }
        let queue = many + [candidate(7, job: 3, owner: "b", priority: 1), candidate(8, job: 2, owner: "b")]
        func chosen(_ capacity: Int, _ turns: OwnerTurns = OwnerTurns()) -> GrantPolicy.Choice {
            let poll = poll(1, capacity: capacity)
            return GrantPolicy.choose(queue, for: poll, of: FarmFixture.worker(1), workers: [], turns: turns)
        }
        #expect(chosen(10).picks.map(\.task) == ids(1, 7, 2, 8, 3, 4, 5, 6))
        // One slot at a time gives the same.
        let first = chosen(1)
        #expect(first.picks.map(\.task) == ids(1) && first.exhausted.isEmpty)
        #expect(chosen(1, first.turns).picks.map(\.task) == ids(7), "priority counts within an owner")
        #expect(chosen(3).exhausted.isEmpty && chosen(4).exhausted == ["b"])
        // Whoever comes new has the next slot.
        #expect(chosen(2, OwnerTurns(["a": 5, "c": 7])).picks.map(\.task) == ids(7, 1))
    }

    @Test func turnsAreCountedOverAllOwners() {
        var turns = OwnerTurns(["a": 4, "b": 9])
        turns.take("a")
        turns.take("c")
        #expect(turns.last == ["a": 10, "b": 9, "c": 11] && turns.taken == ["a", "c"])
        #expect(turns.number("d") == 0)
    }

    @Test func whoFailedATaskGetsItAgainOnlyWhenNobodyElseIsLeft() {
        let queue = [candidate(1, failed: [1])]
        let alone = [FarmFixture.worker(1)]
        let others = alone + [FarmFixture.worker(2, kinds: [.sound]), FarmFixture.worker(3)]
        #expect(chosen(queue, poll(1), of: others).isEmpty)
        #expect(chosen(queue, poll(3), of: others) == ids(1))
        #expect(chosen(queue, poll(1), of: Array(others.prefix(2))) == ids(1))
        #expect(chosen([candidate(1, failed: [1, 3])], poll(1), of: others) == ids(1))
    }

    private func worker(_ number: UInt64, _ version: String, kinds: [TaskKind] = TaskKind.allCases) -> WorkerRecord {
        let registration = WorkerRegistration(
            name: "w\(number)",
            kinds: kinds,
            slots: 1,
            rendererVersion: 1,
            libraries: ["libavcodec": version]
        )
        return WorkerRecord(registration, id: FarmFixture.id(number), registered: FarmFixture.start)
    }

    /// A farm that is being upgraded: the new ones must not spend the tries of the old ones' jobs, whoever is away.
    @Test func aTaskIsNotForWhoHasOtherVersions() {
        func chosen(_ number: UInt64, _ workers: [WorkerRecord], failed: [UInt64] = []) -> [TaskID] {
            let versions = RenderVersions(renderer: 1, libraries: ["libavcodec": "59"])
            return self.chosen([candidate(1, failed: failed, versions: versions)], poll(number), of: workers)
        }
        let both = [worker(1, "59"), worker(2, "60")]
        #expect(chosen(2, both).isEmpty)
        #expect(chosen(1, both) == ids(1))
        #expect(chosen(1, both, failed: [1]) == ids(1), "who else has them?")
        #expect(chosen(1, both + [worker(3, "59")], failed: [1]).isEmpty, "who else has them: 3")
        #expect(chosen(2, both, failed: [1]).isEmpty)
        // Nor when nobody has them, or only for other kinds.
        #expect(chosen(2, [worker(2, "60"), worker(1, "59", kinds: [.sound])]).isEmpty)
        #expect(chosen(2, [worker(2, "60"), worker(3, "61")], failed: [2, 3]).isEmpty)
        #expect(self.chosen([candidate(1)], poll(2), of: both) == ids(1), "nothing is said")
    }

    @Test func aWorkerIsCountedOnWhileItTakesWorkAndIsHeardOf() {
        let policy = FarmPolicy()
        var worker = FarmFixture.worker(1)
        #expect(policy.isEligible(worker, at: FarmFixture.at(12_000)))
        #expect(!policy.isEligible(worker, at: FarmFixture.at(12_001)))
        worker.provenFailures = 2
        #expect(policy.takesWork(worker))
        worker.provenFailures = 3
        #expect(!policy.takesWork(worker))
        worker.provenFailures = 0
        worker.isDraining = true
        #expect(!policy.takesWork(worker))
    }
}
