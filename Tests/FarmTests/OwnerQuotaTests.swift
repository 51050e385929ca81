import FarmSimulation
import Testing
import WireProtocol

@testable import Farm

/// What one owner may have waiting.
@Suite struct OwnerQuotaTests {
    private func store(_ change: (inout OwnerQuota) -> Void) -> InMemoryFarmStore {
        var policy = FarmPolicy()
        change(&policy.quota)
        return InMemoryFarmStore(policy: policy, identifiers: IdentifierSource(seed: 1), clock: .standing(at: start))
    }

    private let start = FarmTime(milliseconds: 1_700_000_000_000)

    /// Three segments, a sound and what joins them: five tasks.
    private func job(_ key: String, owner: String = "owner") -> NewJob {
        SampleJob.job(key: key, owner: owner, segments: 3)
    }

    @Test func tasksOfUnfinishedJobsAreCounted() throws {
        let store = store { $0.tasks = 12 }
        let first = try store.insertJob(job("a")).job.id
        _ = try store.insertJob(job("b"))
        let error = #expect(throws: FarmStoreError.self) { try store.insertJob(job("c")) }
        #expect(error?.code == "quota_exceeded")
        let sentence = "The unfinished jobs of “owner” have 10 tasks and this one has 5; 12 are allowed."
        #expect(error?.description.hasPrefix(sentence) == true, "\(String(describing: error))")
        #expect(try !store.insertJob(job("a")).isNew, "what is there is found again")
        #expect(try store.insertJob(job("c", owner: "other")).isNew, "others have a quota of their own")
        _ = try store.cancel(first)
        #expect(try store.insertJob(job("c")).isNew, "a job that has ended does not count")
    }

    @Test func bytesOfPlansAreCounted() throws {
        let one = job("a").documentByteCount
        let store = store { $0.bytes = 2 * one }
        _ = try store.insertJob(job("a"))
        _ = try store.insertJob(job("b"))
        let error = #expect(throws: FarmStoreError.self) { try store.insertJob(job("c")) }
        let sentence = "\(2 * one) bytes and this one's has \(one); \(2 * one) are allowed"
        #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
    }

    /// A manifest of ten thousand jobs of an hour each.
    @Test func theUsualQuotaAdmitsAManifest() throws {
        var job = job("a")
        job.tasks = [NewTask](repeating: job.tasks[0], count: 190)
        try OwnerQuota().admit(job, beside: OwnerLoad(tasks: 9999 * 190, bytes: 9999 * 800_000))
    }
}
