import Testing
import WireProtocol

@testable import Farm

/// Which attempts get a second one beside them, and by whom.
@Suite struct HedgePolicyTests {
    /// A task of a second's estimated cost in the hands of worker `worker`, since ``FarmFixture/start``.
    private func straggler(
        _ worker: UInt64,
        permille: Int = 0,
        siblings: SiblingTimes,
        failed: [UInt64] = [],
        versions: RenderVersions? = nil
    ) -> HedgeCandidate {
        HedgeCandidate(
            candidate: GrantCandidate(
                task: FarmFixture.id(1),
                job: FarmFixture.id(1),
                kind: .picture,
                position: 0,
                priority: 0,
                costMilliseconds: 1000,
                failedWorkers: failed.map { FarmFixture.id($0) },
                versions: versions
            ),
            started: FarmFixture.start,
            worker: FarmFixture.id(worker),
            permille: permille,
            siblings: siblings
        )
    }

    /// Attempts of worker 9 at tasks of a second's estimated cost.
    private func siblings(_ times: [Int64]) -> SiblingTimes { siblings(times.map { (9, $0) }) }

    private func siblings(_ times: [(worker: UInt64, milliseconds: Int64)]) -> SiblingTimes {
        SiblingTimes(
            times.map { time in
                (FarmFixture.id(time.worker), .init(milliseconds: time.milliseconds, costMilliseconds: 1000))
            }
        )
    }

    private func isHedged(
        _ straggler: HedgeCandidate,
        by worker: WorkerRecord = FarmFixture.worker(2),
        kinds: [TaskKind] = [.picture],
        after age: Int64 = 60_000
    ) -> Bool {
        let poll = LeasePoll(
            worker: worker.id,
            poll: FarmFixture.id(99),
            kinds: kinds,
            capacity: 10,
            waitMilliseconds: 0
        )
        return HedgePolicy().choose([straggler], for: poll, of: worker, at: FarmFixture.at(age)) != nil
    }

    @Test func aStragglerIsNotHedgedByWhoHasOtherVersions() {
        func worker(_ number: UInt64, _ version: String) -> WorkerRecord {
            let registration = WorkerRegistration(
                name: "w",
                kinds: TaskKind.allCases,
                slots: 1,
                rendererVersion: 1,
                libraries: ["libavcodec": version]
            )
            return WorkerRecord(registration, id: FarmFixture.id(number), registered: FarmFixture.start)
        }
        let late = straggler(1, siblings: siblings([10, 10, 10]), versions: worker(3, "59").versions)
        #expect(isHedged(late, by: worker(2, "59")))
        #expect(!isHedged(late, by: worker(2, "60")))
    }

    @Test(
        arguments: [
            ([4000, 4000, 4000], 8001, true), ([4000, 4000, 4000], 8000, false), ([4000, 4000], 60_000, false),
            ([10, 10, 10], 5000, false), ([10, 10, 10], 5001, true),
        ] as [([Int64], Int64, Bool)]
    )
    func aStragglerIsTwiceAsLateAsItsSiblings(times: [Int64], age: Int64, isStraggler: Bool) {
        #expect(isHedged(straggler(1, siblings: siblings(times)), after: age) == isStraggler)
    }

    /// What is left follows from the progress; 4 s are usual.
    @Test(
        arguments: [
            // After 6 s: 9 s are left, 8.3 s, 7.9 s.
            (400, 6000, true), (420, 6000, true), (432, 6000, false),
            // It tells nothing yet, or is too young; it has stopped.
            (49, 6000, false), (100, 5000, false), (990, 8001, true),
        ]
    )
    func aStragglerWouldTakeTwiceAsLongAsAnotherWorker(permille: Int, age: Int64, isStraggler: Bool) {
        let late = straggler(1, permille: permille, siblings: siblings([4000, 4000, 4000]))
        #expect(isHedged(late, after: age) == isStraggler)
    }

    @Test func aSlowWorkerTakesNothingOverThatAFastOneWouldFinishFirst() {
        // Worker 2 takes 40 s for what the others do in 4 s, and is one of many.
        let usual = Array(repeating: (worker: UInt64(9), milliseconds: Int64(4000)), count: 20)
        let late = straggler(1, permille: 200, siblings: siblings(usual + [(8, 4000), (2, 40_000)]))
        #expect(isHedged(late, by: FarmFixture.worker(8), after: 10_000))
        #expect(isHedged(late, by: FarmFixture.worker(9), after: 10_000))
        #expect(!isHedged(late, by: FarmFixture.worker(2), after: 10_000))
        #expect(!isHedged(late, by: FarmFixture.worker(2), after: 20_000), "it has 80 s left, and this one needs 40 s")
        // Four times as much is to be done for it: a worker's pace counts, not the time that it took.
        var large = late
        large.candidate.costMilliseconds = 4000
        #expect(!isHedged(large, by: FarmFixture.worker(8), after: 7000))
        #expect(isHedged(late, by: FarmFixture.worker(8), after: 7000))
    }

    @Test func aStragglerIsNotHedgedByWhoHasItOrFailedIt() {
        let late = straggler(1, siblings: siblings([10, 10, 10]), failed: [3])
        #expect(!isHedged(late, by: FarmFixture.worker(1)))
        #expect(!isHedged(late, by: FarmFixture.worker(3)))
        #expect(!isHedged(late, kinds: [.sound]))
        #expect(isHedged(late))
    }

    @Test func p95IsTheNearestRank() {
        #expect(HedgePolicy.p95(of: []) == nil)
        #expect(HedgePolicy.p95(of: [7]) == 7)
        #expect(HedgePolicy.p95(of: Array(1...20)) == 19)
        #expect(HedgePolicy.p95(of: Array(1...21)) == 20)
        #expect(HedgePolicy.p95(of: Array(1...100)) == 95)
    }
}
