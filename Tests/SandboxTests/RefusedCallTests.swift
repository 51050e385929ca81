import CompositionModel
import TestSupport
import Testing

@testable import Sandbox

/// System calls that a child is refused are named.
@Suite struct RefusedCallTests {
    @Test func callsAreReadFromStandardErrorEachOnce() {
        let text =
            "[mov] odd atom\nthe sandbox has no system call 57\nthe sandbox has no system call 9999\n"
            + "the sandbox has no system call 57\nthe sandbox has no system call x\n"
        let calls = RefusedCall.calls(in: text)
        #expect(calls.map(\.number) == [57, 9999])
        #expect(calls.last?.name == "number 9999")
    }

    @Test func warningsAndFailuresNameThem() throws {
        let calls = RefusedCall.calls(in: "the sandbox has no system call 0\n")
        let name = try #require(calls.first?.name)
        let warning = try #require(RefusedCall.warning(calls))
        #expect(warning.code == "sandbox_call_refused" && warning.message.contains("(\(name))"), "\(warning)")
        #expect(RefusedCall.warning([]) == nil)
        let failure = RefusedCall.explaining(.tooSlow, calls)
        #expect(failure.code == "render_time_limit")
        #expect(failure.message.hasSuffix("system calls: \(name)."), "\(failure)")
        #expect(RefusedCall.explaining(.tooSlow, []) == .tooSlow)
    }

    /// The real sandbox says it, once for each call, and the process goes on.
    @Test func aCallThatIsNotListedIsSaid() async throws {
        let folder = try TemporaryFolder()
        let probe = try await CageProbe(in: folder)
        let attempts = ["fork", "-", "fork", "-", "signal", "-", "thread", "-"]
        let outcome = try await Shell.run("env", [probe.path, "--sandbox", "--"] + attempts)
        #expect(outcome.text.hasSuffix("thread 0\n"), "\(outcome.text)")
        let names = RefusedCall.calls(in: outcome.errors).map(\.name)
        #expect(names == ["clone", "kill"])
    }
}
