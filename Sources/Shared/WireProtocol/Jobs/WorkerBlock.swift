package import Foundation

/// The body of `POST /v1/workers:block`: a name whose workers are granted nothing, and the reason.
package struct WorkerBlock: Sendable, Hashable, Codable {
    /// The workers' name.
    package var name: String
    /// The reason, for people.
    package var reason: String

    package init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }
}

/// The body of `POST /v1/workers:unblock`.
package struct WorkerUnblock: Sendable, Hashable, Codable {
    /// The workers' name.
    package var name: String

    package init(name: String) { self.name = name }
}

/// A name on the blocklist: a row of `GET /v1/workers:blocked`.
package struct BlockedWorkerView: Sendable, Hashable, Codable {
    /// The workers' name.
    package var name: String
    /// The reason, as a sentence.
    package var reason: String
    /// The time when it was blocked, by the database's clock.
    package var since: Date

    /// The machines that audits found faulty, all workers of which are blocked; nil for none.
    package var machines: [String]?

    package init(name: String, reason: String, since: Date, machines: [String]? = nil) {
        (self.name, self.reason, self.since, self.machines) = (name, reason, since, machines)
    }
}
