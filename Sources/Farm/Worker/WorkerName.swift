import Foundation

/// What a worker is called in lists when nobody names it.
package enum WorkerName {
    /// The host's name. A container's, which is the first twelve hexadecimal digits of its id, is shortened to `worker-` and
    /// four of them: people tell those apart, and podman and docker take them for the container.
    package static func standard(host: String = ProcessInfo.processInfo.hostName) -> String {
        let isContainer = host.utf8.count == 12 && host.allSatisfy { "0123456789abcdef".contains($0) }
        return isContainer ? "worker-\(host.prefix(4))" : host
    }
}
