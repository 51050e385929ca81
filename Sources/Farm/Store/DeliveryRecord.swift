package import CompositionModel
package import WireProtocol

/// Where a new job's movie goes by itself.
package struct NewDelivery: Sendable, Hashable {
    /// The place, as ``OutputTarget/text``.
    package var target: String
    /// Whether a file that is there is replaced.
    package var replaces: Bool
    /// Whether a file was there when the job was submitted; a new job that does not replace it is refused.
    package var isOccupied: Bool

    package init(target: String, replaces: Bool = false, isOccupied: Bool = false) {
        self.target = target
        self.replaces = replaces
        self.isOccupied = isOccupied
    }

    /// - Parameter claimant: an unfinished job whose movie goes to the same place, or one whose finished movie still has
    ///   to be put there; nil when there is none.
    /// - Throws: ``FarmStoreError/targetTaken(_:)`` beside a claimant; ``FarmStoreError/invalid(_:)`` when a file lies
    ///   there that is not to be replaced.
    package func admit(beside claimant: JobID?) throws(FarmStoreError) {
        if let claimant {
            throw .targetTaken(
                "The movie of job \(claimant) goes to \(target) too; give each job a target of its own, or cancel that one."
            )
        }
        guard isOccupied, !replaces else { return }
        throw .invalid("There is a file at \(target) already; name another target, or ask for it to be replaced.")
    }
}

/// Where a job's movie goes by itself, and whether it lies there.
package struct DeliveryRecord: Sendable, Hashable {
    // Fixed at insertion.
    /// The place, as ``OutputTarget/text``.
    package var target: String
    /// Whether a file that is there is replaced.
    package var replaces: Bool
    // Changed by the machine.
    /// The time since which the movie lies there; nil before.
    package var delivered: FarmTime?
    /// Why the finished movie could not be put there, as a sentence; nil while nothing is wrong.
    package var problem: String?
    /// The time from which it is tried again, or to which somebody has claimed it; nil is at once.
    package var due: FarmTime?

    /// The time after which a claim that was not renewed has ended.
    package static let claimMilliseconds: Int64 = 15_000

    package init(
        target: String,
        replaces: Bool,
        delivered: FarmTime? = nil,
        problem: String? = nil,
        due: FarmTime? = nil
    ) {
        self.target = target
        self.replaces = replaces
        self.delivered = delivered
        self.problem = problem
        self.due = due
    }

    var view: JobDelivery {
        JobDelivery(
            to: target,
            replace: replaces ? true : nil,
            delivered: delivered?.date,
            problem: problem
        )
    }
}

/// A finished movie that has to be put where it goes, claimed by one who does that.
package struct DueDelivery: Sendable, Hashable {
    /// The job that made it.
    package var job: JobID
    /// The movie.
    package var artifact: ContentDigest
    /// The place, as ``OutputTarget/text``.
    package var target: String
    /// Whether a file that is there is replaced.
    package var replaces: Bool
    /// The end of the claim, which also tells it from every other claim of the movie.
    package var claimedUntil: FarmTime

    package init(job: JobID, artifact: ContentDigest, target: String, replaces: Bool, claimedUntil: FarmTime) {
        self.job = job
        self.artifact = artifact
        self.target = target
        self.replaces = replaces
        self.claimedUntil = claimedUntil
    }
}

/// What came of putting a movie where it goes, as whoever claimed it says.
package enum DeliveryOutcome: Sendable, Hashable {
    /// It lies there.
    case delivered
    /// It does not, for the reason that the sentence says; it is tried again after so many milliseconds.
    case failed(String, retryMilliseconds: Int64)
}

extension JobRecord {
    /// Whether no other job's movie may go to this one's place: it is unfinished, or its movie has to be put there.
    package var claimsTarget: Bool {
        guard let delivery else { return false }
        return delivery.delivered == nil && state != .failed && state != .cancelled
    }
}
