import Foundation

/// A new job may have only some deadlines.
package enum DeadlinePolicy {
    /// Admits the deadline of a job that is stored now. A submission that is sent again gives its job whatever time it is.
    /// - Throws: ``FarmStoreError/invalid(_:)`` for one that has passed: the job would be late from the beginning.
    package static func admit(_ deadline: FarmTime?, at now: FarmTime) throws(FarmStoreError) {
        guard let deadline, deadline <= now else { return }
        throw .invalid(
            "The deadline \(deadline.date.formatted(.iso8601)) has passed already; name a later one, or leave it out."
        )
    }
}
