import Foundation

/// Named moments at which a test can kill the process: the one that `CUTFARM_CRASH_POINT` names ends it at once, as a
/// power cut would. Without the variable nothing happens.
package enum CrashPoint {
    private static let chosen = ProcessInfo.processInfo.environment["CUTFARM_CRASH_POINT"]

    /// Ends the process at once when this is the moment that the variable names.
    /// - Parameter name: the moment, such as `artifact.published` or `stitch.stored`; docs/operations.md lists all.
    package static func reached(_ name: String) {
        if chosen == name { _exit(86) }
    }
}
