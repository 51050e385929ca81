import Foundation
import TestSupport

/// The C program of `Tests/SandboxProbe` behind the real sandbox: it tries what its words say and prints each with the
/// error that it met.
struct CageProbe: Sendable {
    let path: String

    struct Unbuildable: Error { let reason: String }

    /// What the kernel, or the container around a farm, gives to a process without privileges.
    enum Kernel: CaseIterable, Sendable {
        /// All that the machine of this test gives.
        case generous
        /// Landlock and seccomp, and no namespaces.
        case strict

        /// A user namespace in which no other one may be made.
        var command: [String] {
            let kinds = ["user", "mnt", "net", "ipc", "uts", "cgroup"]
            let script = kinds.map { "echo 0 >/proc/sys/user/max_\($0)_namespaces; " }.joined() + "exec \"$@\""
            return self == .generous ? ["env"] : ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"]
        }
    }

    /// The error that a file which was not named meets: it is not there, where the child has a root folder of its own.
    private let hidden: [Kernel: Int32]
    func hidden(_ kernel: Kernel) -> Int32 { hidden[kernel, default: 0] }

    init(in folder: TemporaryFolder) async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sandbox = root.appendingPathComponent("Sources/CSandbox").path
        let source = root.appendingPathComponent("Tests/SandboxProbe/probe.c").path
        let program = folder.path("probe")
        path = program
        let parts = try FileManager.default.contentsOfDirectory(atPath: sandbox).filter { $0.hasSuffix(".c") }
            .map { sandbox + "/" + $0 }
        let words = ["-I", sandbox + "/include", source] + parts + ["-pthread", "-lrt", "-lseccomp", "-o", path]
        let outcome = try await Shell.run("clang", words)
        guard outcome.exitCode == 0 else { throw Unbuildable(reason: outcome.errors) }
        var hidden: [Kernel: Int32] = [:]
        for kernel in Kernel.allCases {
            let command = kernel.command + [program, "--sandbox", "--"]
            let outcome = try await Shell.run(command[0], Array(command.dropFirst()))
            hidden[kernel] = outcome.text.contains("root 1") ? ENOENT : EACCES
        }
        self.hidden = hidden
    }

    /// - Returns: the number of the signal that ended it over `what`; nil when none did.
    func end(_ what: String, _ path: String, limits: [String], writable: [String] = []) async throws -> Int32? {
        let cage = ["--sandbox"] + limits + writable.flatMap { ["--rw", $0] } + ["--"]
        let outcome = try await Shell.run("env", [self.path] + cage + [what, path])
        return outcome.exitCode > 128 ? outcome.exitCode - 128 : nil
    }

    /// - Parameter attempts: what, and with which path.
    /// - Returns: what → errno, 0 when it was allowed; `state` is 1 when the whole sandbox is on.
    func attempt(
        _ attempts: [(String, String)],
        readable: [String] = [],
        writable: [String] = [],
        limits: [String] = [],
        kernel: Kernel = .generous,
        caged: Bool = true
    ) async throws -> [String: Int32] {
        let paths = readable.flatMap { ["--ro", $0] } + writable.flatMap { ["--rw", $0] }
        let cage = ["--sandbox"] + limits + paths + ["--"]
        let command = kernel.command + [path] + (caged ? cage : []) + attempts.flatMap { [$0.0, $0.1] }
        let outcome = try await Shell.run(command[0], Array(command.dropFirst()))
        var results: [String: Int32] = [:]
        for line in outcome.text.split(separator: "\n") where !line.hasPrefix("root ") {
            let words = line.split(separator: " ")
            results[String(words[0])] = Int32(words[1])
        }
        return results
    }

    /// Makes every system call with hostile arguments from inside the sandbox.
    /// - Returns: the calls that answered something other than EPERM and ENOSYS, with their answers: errno, or a signal
    ///   as a negative number.
    func sweep(writable: String) async throws -> [String: Set<Int32>] {
        let outcome = try await Shell.run("env", [path, "--sweep", writable])
        var answers: [String: Set<Int32>] = [:]
        for line in outcome.text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let answer = Int32(words[1]), answer != EPERM, answer != ENOSYS else { continue }
            answers[String(words[0]), default: []].insert(answer)
        }
        return answers
    }
}
