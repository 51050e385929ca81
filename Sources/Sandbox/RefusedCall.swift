import CSandbox
import CompositionModel
import Foundation

/// A system call that a render child made and that is not on its sandbox's list.
struct RefusedCall: Hashable {
    /// The call's number on this architecture.
    let number: Int32

    /// The calls that a child's standard error names, each once, in the order of their first lines.
    static func calls(in text: String) -> [RefusedCall] {
        var seen: Set<RefusedCall> = []
        return text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix(CUT_REFUSED_CALL), let number = Int32(line.dropFirst(CUT_REFUSED_CALL.utf8.count))
            else { return nil }
            let call = RefusedCall(number: number)
            return seen.insert(call).inserted ? call : nil
        }
    }

    /// The kernel's name of the call, or its number alone.
    var name: String {
        guard let name = cut_system_call_name(number) else { return "number \(number)" }
        defer { free(name) }
        return String(cString: name)
    }

    /// What a task's statistics say of calls that were refused and did not stop it.
    static func warning(_ calls: [RefusedCall]) -> Failure? {
        guard !calls.isEmpty else { return nil }
        return Failure(
            code: "sandbox_call_refused",
            message: "The render process made system calls that its sandbox does not have (\(names(calls))); if the "
                + "result is not as it should be, report them.",
            isPermanent: false
        )
    }

    /// `failure`, with the calls that were refused, because they may be its cause.
    static func explaining(_ failure: Failure, _ calls: [RefusedCall]) -> Failure {
        guard !calls.isEmpty else { return failure }
        var explained = failure
        explained.message += " The sandbox refused it system calls: \(names(calls))."
        return explained
    }

    private static func names(_ calls: [RefusedCall]) -> String { calls.map(\.name).joined(separator: ", ") }
}
