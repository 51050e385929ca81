import Foundation

/// Real, untidy files that are no part of the repository.
package enum SampleMedia {
    /// What `CUTFARM_FOOTAGE` says; nil where it is not set, or empty.
    package static let folder = ProcessInfo.processInfo.environment["CUTFARM_FOOTAGE"].flatMap { $0.isEmpty ? nil : $0 }
}
