package import WireProtocol

/// A task that waits, and the part that it can take.
package struct PartOffer: Sendable, Hashable {
    /// The task, which is queued.
    package var task: TaskID
    /// The part of its key and versions.
    package var part: PartRecord

    /// Makes an offer.
    package init(task: TaskID, part: PartRecord) {
        self.task = task
        self.part = part
    }
}
