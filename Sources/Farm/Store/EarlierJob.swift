import CompositionModel
package import WireProtocol

/// A job after which another begins, as it is now.
package struct EarlierJob: Sendable, Hashable {
    package var id: JobID
    package var title: String
    package var state: JobState

    package init(id: JobID, title: String, state: JobState) {
        (self.id, self.title, self.state) = (id, title, state)
    }

    /// Whether the job that begins after it fails, unless somebody retries this one.
    package var hasFailed: Bool { state == .failed || state == .cancelled }
}

extension JobRecord {
    /// What jobs that begin after this one need to know of it.
    package var asEarlier: EarlierJob { EarlierJob(id: id, title: title, state: state) }
}
