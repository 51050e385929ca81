package import Foundation

/// What a submission says about where the coordinator puts the movie by itself.
package struct DeliveryOrder: Sendable, Hashable, Codable {
    /// The place, as an ``OutputTarget`` is written.
    package var to: String
    /// Whether a file that is there is replaced; nil is false.
    package var replace: Bool?

    package init(to: String, replace: Bool? = nil) {
        self.to = to
        self.replace = replace
    }
}

/// Where the coordinator puts a job's movie by itself, and whether it lies there.
package struct JobDelivery: Sendable, Hashable, Codable {
    /// The place, as an ``OutputTarget`` is written.
    package var to: String
    /// True where a file that is there is replaced; else nil.
    package var replace: Bool?
    /// The time since which the movie lies there; nil before.
    package var delivered: Date?
    /// Why the finished movie does not lie there yet, as a sentence; nil while nothing is wrong.
    package var problem: String?

    package init(to: String, replace: Bool? = nil, delivered: Date? = nil, problem: String? = nil) {
        self.to = to
        self.replace = replace
        self.delivered = delivered
        self.problem = problem
    }
}
