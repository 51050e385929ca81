import Coordinator
import Foundation

/// What a coordinator that was started at a terminal says once it serves: where, and how to go on.
struct StartNotice {
    /// The address by which this machine reaches the coordinator.
    let address: String
    /// The address by which other machines do; the same when only this one does.
    let elsewhere: String
    /// The path of a link that signs in once; nil when no token may look at jobs.
    let link: String?

    /// The lines, without an end.
    var text: String {
        var lines = ["", "  Dashboard   \(address)/"]
        if let link {
            let minutes = SignInLinks.lifetimeSeconds / 60
            lines.append("  Sign in     \(address)\(link)")
            lines.append("              works once, for \(minutes) minutes; later, sign in with a token")
        }
        let flag = isClear ? " --insecure-token" : ""
        lines.append("  Worker      cutfarm worker --coordinator \(elsewhere) --token-file FILE\(flag)")
        lines.append("              FILE holds a token with the scope worker; start one for each core")
        if isClear { lines.append("              without TLS, tokens and media cross the network in clear") }
        return (lines + [""]).joined(separator: "\n")
    }

    /// Whether a worker elsewhere would send its token in clear.
    private var isClear: Bool {
        guard elsewhere.hasPrefix("http://") else { return false }
        let host = elsewhere.dropFirst("http://".count)
        return !["127.", "localhost:", "[::1]:"].contains(where: host.hasPrefix)
    }
}
