package import WireProtocol

/// How long the completed attempts of a job's tasks of one kind took, from grant to acceptance, and how that compares with
/// what the plan expected of them.
package struct SiblingTimes: Sendable, Hashable {
    /// The time that some attempts took, beside the cost that the plan expected of their tasks; both in milliseconds.
    package struct Pace: Sendable, Hashable {
        /// The sum of the times from grant to acceptance.
        package var milliseconds: Int64
        /// The sum of the estimated costs on one idle core.
        package var costMilliseconds: Int64

        /// Makes a pace of two sums.
        package init(milliseconds: Int64, costMilliseconds: Int64) {
            (self.milliseconds, self.costMilliseconds) = (milliseconds, costMilliseconds)
        }

        /// The time that a task takes at this pace.
        func milliseconds(forCost cost: Int64) -> Double {
            Double(milliseconds) * Double(max(1, cost)) / Double(max(1, costMilliseconds))
        }
    }

    /// The number of attempts.
    package let count: Int
    /// The nearest-rank 95th percentile of their times in milliseconds; nil for no attempts.
    package let p95Milliseconds: Int64?
    /// The pace of all of them.
    package let pace: Pace
    /// The pace of each worker that completed any.
    package let paces: [WorkerID: Pace]

    /// Makes what a store has summed up.
    package init(count: Int, p95Milliseconds: Int64?, pace: Pace, paces: [WorkerID: Pace]) {
        (self.count, self.p95Milliseconds, self.pace, self.paces) = (count, p95Milliseconds, pace, paces)
    }

    /// Sums up attempts in any order.
    package init(_ attempts: [(worker: WorkerID, pace: Pace)]) {
        var (all, paces) = (Pace(milliseconds: 0, costMilliseconds: 0), [WorkerID: Pace]())
        for (worker, pace) in attempts {
            all.add(pace)
            paces[worker, default: Pace(milliseconds: 0, costMilliseconds: 0)].add(pace)
        }
        let times = attempts.map(\.pace.milliseconds).sorted()
        self.init(count: times.count, p95Milliseconds: HedgePolicy.p95(of: times), pace: all, paces: paces)
    }

    /// The time in milliseconds that a worker is expected to take for a task, by what it did before; by what all did when it
    /// has completed none.
    func expectedMilliseconds(of worker: WorkerID, forCost cost: Int64) -> Double {
        (paces[worker] ?? pace).milliseconds(forCost: cost)
    }
}

extension SiblingTimes.Pace {
    /// Adds the sums of another pace.
    package mutating func add(_ other: SiblingTimes.Pace) {
        milliseconds += other.milliseconds
        costMilliseconds += other.costMilliseconds
    }
}
