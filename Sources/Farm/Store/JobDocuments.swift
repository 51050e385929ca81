public import Foundation

/// The JSON documents that are stored with a job beside its rows.
public struct JobDocuments: Sendable, Hashable {
    /// The composition as canonical JSON.
    public var composition: Data
    /// The render plan as JSON.
    public var plan: Data

    /// Makes the documents of a job.
    public init(composition: Data, plan: Data) {
        self.composition = composition
        self.plan = plan
    }
}
