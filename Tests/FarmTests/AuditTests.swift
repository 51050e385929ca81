import CompositionModel
import FarmSimulation
import Foundation
import Testing
import WireProtocol

@testable import Farm

/// One audited task, machine by machine. Workers and attempts are named by numbers; worker n is called `wn`.
@Suite struct AuditTests {
    private func audited() -> TaskMachine {
        var task = FarmFixture.task()
        task.isAudited = true
        return FarmFixture.machine(task)
    }

    @Test func aPartCountsOnceAnotherMachineHasMadeTheSame() {
        var machine = audited()
        machine.turn(1, at: 0)
        #expect(machine.complete(1, "x") == .delivered)
        #expect(machine.task.state == .queued)
        #expect(machine.task.artifact == nil)
        #expect(machine.turn(2, at: 9010, worker: 1).isEmpty, "a machine does not audit itself")
        machine.turn(2, at: 9010)
        #expect(machine.complete(2, "x") == .accepted)
        #expect(machine.task.artifact == FarmFixture.digest("x"))
        #expect(machine.states == [.delivered, .completed])
    }

    @Test func aThirdMachineDecidesWhichOfTwoIsFaulty() {
        var machine = audited()
        machine.turn(1, at: 0)
        #expect(machine.complete(1, "spoilt") == .delivered)
        machine.turn(2, at: 9010)
        #expect(machine.complete(2, "x") == .differed)
        machine.turn(3, at: 9020)
        let (outcome, effects) = machine.complete(
            FarmFixture.id(3),
            FarmFixture.completion(3, "x"),
            at: FarmFixture.at(9000)
        )
        #expect(outcome == .accepted)
        let convicted = effects.compactMap {
            if case .convicted(let name, _, let failure) = $0 { (name, failure) } else { nil }
        }
        #expect(convicted.map(\.0) == ["w1"])
        #expect(convicted.first?.1.code == FarmFailure.auditMismatch)
        #expect(machine.states == [.failed, .delivered, .completed])
        #expect(machine.task.artifact == FarmFixture.digest("x"))
    }

    @Test func aTaskOnWhichNoTwoMachinesAgreeIsGivenUp() {
        var machine = audited()
        for number in 1...5 as ClosedRange<UInt64> {
            machine.turn(number, at: 9000 + Int64(number))
            #expect(machine.complete(number, "\(number)") == (number == 1 ? .delivered : .differed))
        }
        #expect(machine.task.state == .failed)
        #expect(machine.task.failure?.code == FarmFailure.auditUndecided)
    }

    @Test func anAnswerThatWasLostIsRepeated() {
        var machine = audited()
        machine.turn(1, at: 0)
        #expect(machine.complete(1, "x") == .delivered)
        #expect(machine.complete(1, "x") == .alreadyDone)
        #expect(machine.complete(1, "y") == .leaseLost)
    }

    @Test func aHedgeOnAnotherMachineIsTheSecondWitness() {
        var machine = audited()
        machine.turn(1, at: 0)
        machine.hedge(2, at: 6000)
        #expect(machine.complete(1, "x") == .delivered)
        #expect(machine.task.state == .leased)
        #expect(machine.complete(2, "x") == .accepted)
    }

    @Test func aFaultyWorkersClaimsAndLeasesAreDropped() {
        var machine = audited()
        machine.turn(1, at: 0)
        #expect(machine.complete(1, "x") == .delivered)
        machine.turn(2, at: 9010)
        #expect(!machine.disown(["name:w1"], at: FarmFixture.at(9020)).isEmpty)
        #expect(machine.task.claims.isEmpty)
        #expect(machine.complete(2, "y") == .delivered)
        machine.turn(3, at: 9030)
        #expect(!machine.disown(["name:w3"], at: FarmFixture.at(9040)).isEmpty)
        #expect(machine.states.last == .released)
        #expect(machine.complete(3, "y") == .leaseLost)
    }

    /// A faulty machine is faulty whatever its workers are called.
    @Test func theMachineIsConvictedWithTheName() {
        var machine = audited()
        machine.turn(1, at: 0, on: "m1")
        #expect(machine.complete(1, "spoilt") == .delivered)
        #expect(machine.turn(2, at: 9005, on: "m1").isEmpty, "another worker of the machine does not audit it")
        machine.turn(2, at: 9010, on: "m2")
        #expect(machine.complete(2, "x") == .differed)
        machine.turn(3, at: 9020, on: "m3")
        let completion = FarmFixture.completion(3, "x")
        let effects = machine.complete(FarmFixture.id(3), completion, at: FarmFixture.at(9000)).1
        let convicted = effects.compactMap {
            if case .convicted(let name, let host, _) = $0 { [name, host] } else { nil }
        }
        #expect(convicted == [["w1", "m1"]])
    }

    @Test func whatOtherWorkersOfAFaultyMachineHoldAndClaimIsDropped() {
        var machine = audited()
        machine.turn(1, at: 0, on: "m1")
        #expect(machine.complete(1, "x") == .delivered)
        #expect(!machine.disown(["name:other", "machine:m1"], at: FarmFixture.at(9010)).isEmpty)
        #expect(machine.task.claims.isEmpty)
        machine.turn(2, at: 9020, on: "m1")
        #expect(!machine.disown(["name:other", "machine:m1"], at: FarmFixture.at(9030)).isEmpty)
        #expect(machine.states.last == .released)
    }

    @Test func aRejectedPartIsAuditedAgain() {
        var machine = audited()
        machine.turn(1, at: 0)
        #expect(machine.complete(1, "x") == .delivered)
        machine.turn(2, at: 9010)
        #expect(machine.complete(2, "x") == .accepted)
        let lost = FarmFixture.failure(2, FarmFailure.artifactLost).failure
        #expect(!machine.reject(FarmFixture.digest("x"), because: lost, at: FarmFixture.at(9000)).isEmpty)
        machine.turn(3, at: 20_000)
        #expect(machine.complete(3, "x") == .delivered)
    }

    @Test func nothingIsJoinedBeforeWhatAFaultyWorkerMadeIsWithdrawn() throws {
        var tables = FarmTables(policy: FarmPolicy(), identifiers: IdentifierSource(seed: 1))
        let now = FarmFixture.start
        let worker = tables.registerWorker(
            WorkerRegistration(name: "w", kinds: TaskKind.allCases, slots: 1, rendererVersion: 1, libraries: [:]),
            at: now
        ).worker
        _ = try tables.insertJob(SampleJob.job(key: "a", segments: 1, hasSound: false), at: now)
        var number: UInt64 = 0
        func kinds() -> [TaskKind] {
            number += 1
            let poll = LeasePoll(
                worker: worker,
                poll: FarmFixture.id(number),
                kinds: TaskKind.allCases,
                capacity: 1,
                waitMilliseconds: 0
            )
            guard case .granted(let grants)? = tables.acquireLeases([poll], at: now).first else { return [] }
            for grant in grants {
                let completion = TaskCompletion(
                    worker: worker,
                    artifact: FarmFixture.digest("x"),
                    byteCount: 1,
                    unitCount: 1,
                    statistics: TaskStatistics()
                )
                #expect(tables.complete(grant.attempt, completion, at: now) == .accepted)
            }
            return grants.map(\.payload.kind)
        }
        #expect(kinds() == [.picture])
        tables.convict("another", because: "Its bytes differ.", at: now)
        #expect(kinds() == [])
        #expect(tables.withdrawFaulty(at: now).map(\.worker.name) == ["another"])
        #expect(kinds() == [.stitch])
    }

    @Test(
        arguments: [
            ("a", "m", "b", "n", true), ("a", nil, "b", nil, true), ("a", "m", "b", nil, true),
            ("a", "m", "a", "n", false),
            ("a", "m", "b", "m", false), ("a", nil, "a", nil, false),
        ] as [(String, String?, String, String?, Bool)]
    )
    func twoWorkersAreTwoMachinesByNameAndMachine(
        name: String,
        machine: String?,
        other: String,
        otherMachine: String?,
        areTwo: Bool
    ) {
        func worker(_ name: String, _ machine: String?) -> WorkerRecord {
            let registration = WorkerRegistration(
                name: name,
                kinds: [.picture],
                slots: 1,
                rendererVersion: 1,
                libraries: [:],
                machine: machine
            )
            return WorkerRecord(registration, id: FarmFixture.id(1), registered: FarmFixture.start)
        }
        #expect(worker(name, machine).isOtherMachine(worker(other, otherMachine)) == areTwo)
    }

    @Test(arguments: [("2%", 200), ("2", 200), ("0.25%", 25), ("0.5%", 50), ("100%", 10_000), ("0.01%", 1)])
    func aShareIsReadAsItIsWritten(text: String, perTenThousand: Int) {
        #expect(AuditShare(text)?.perTenThousand == perTenThousand)
        #expect(AuditShare(text).flatMap { AuditShare($0.text) } == AuditShare(text))
    }

    @Test(arguments: ["", "%", "0%", "101%", "100.01%", "-1%", "2.001%", "two", "1e2", "2 %", "+2%"])
    func otherTextIsNoShare(text: String) { #expect(AuditShare(text) == nil) }

    /// A worker spoils k of a job's parts; it is caught with the probability 1 - (1 - p)^k that the documentation states.
    /// The bounds are four standard deviations, and the seeds are fixed.
    @Test(arguments: [("2%", 1), ("2%", 20), ("2%", 60), ("10%", 5), ("100%", 1)])
    func aWorkerThatSpoilsPartsIsCaughtWithTheStatedProbability(share: String, spoilt: Int) throws {
        let audit = try #require(AuditShare(share))
        let (seeds, parts) = (600, 60)
        var caught = 0
        for seed in 0..<UInt64(seeds) {
            var job = AuditedJob(seed: seed, parts: parts, spoilt: spoilt, share: audit)
            try job.run()
            #expect(job.isWholeIfCaught, "seed \(seed) keeps spoilt parts of a faulty worker")
            if job.isCaught { caught += 1 }
        }
        let p = 1 - pow(1 - Double(audit.perTenThousand) / 10_000, Double(spoilt))
        let deviation = (p * (1 - p) / Double(seeds)).squareRoot()
        #expect(abs(Double(caught) / Double(seeds) - p) <= 4 * deviation, "\(caught) of \(seeds), expected \(p)")
    }
}
