package import Foundation

/// The JSON documents that are stored with a job beside its rows.
package struct JobDocuments: Sendable, Hashable {
    /// The composition as canonical JSON.
    package var composition: Data
    /// The render plan as JSON.
    package var plan: Data

    /// Makes the documents of a job.
    package init(composition: Data, plan: Data) {
        self.composition = composition
        self.plan = plan
    }
}
