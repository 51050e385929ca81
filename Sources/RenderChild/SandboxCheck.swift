import CSandbox
import CompositionModel
import Foundation

/// Whether the sandbox is closed: nothing is opened before it is.
enum SandboxCheck {
    struct Open: FailureConvertible {
        let failure: Failure
    }

    /// - Throws: ``Open`` when a named file cannot be shown, which leaves Landlock off on any kernel; when a part is
    ///   missing and `allowUnsandboxed` is false.
    static func require(allowUnsandboxed: Bool) throws {
        let state = cut_sandbox_status()
        guard state.missing_argument == 0 else {
            throw hidden(CommandLine.arguments[Int(state.missing_argument)], state)
        }
        let parts = [
            ("resource limits", state.limits), ("giving up of capabilities", state.privileges),
            ("Landlock", state.landlock), ("seccomp", state.seccomp),
        ]
        let missing = parts.filter { state.requested == 0 || $0.1 == 0 }.map(\.0).joined(separator: ", ")
        guard !missing.isEmpty, !allowUnsandboxed else { return }
        let cause = state.failure == 0 ? "" : " (\(String(cString: strerror(state.failure))))"
        throw Open(
            failure: Failure(
                code: "sandbox_unavailable",
                message: "The sandbox is not complete, without \(missing)\(cause); use a kernel with Landlock, or say "
                    + "--allow-unsandboxed if every source is trusted.",
                isPermanent: false
            )
        )
    }

    private static func hidden(_ path: String, _ state: cut_sandbox_state) -> Open {
        Open(
            failure: Failure(
                code: "sandbox_unavailable",
                message:
                    "\(path) cannot be shown to the sandbox (\(String(cString: strerror(state.failure)))); nothing "
                    + "was opened.",
                isPermanent: false
            )
        )
    }
}
