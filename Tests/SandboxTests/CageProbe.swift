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
        /// What it gives to root of a container: namespaces, and no other user.
        case container
        /// Landlock and seccomp, and no namespaces.
        case strict

        var command: [String] {
            let container = ["unshare", "--user", "--map-root-user"]
            switch self {
            case .generous: return ["env"]
            case .container: return container
            case .strict:
                let kinds = ["user", "pid", "mnt", "net", "ipc", "uts", "cgroup"]
                let script = kinds.map { "echo 0 >/proc/sys/user/max_\($0)_namespaces; " }.joined()
                return container + ["sh", "-c", script + "exec \"$@\"", "sh"]
            }
        }
    }

    /// Whether this is root outside of user namespaces, with the capabilities to change mounts and users, and its temporary
    /// files lie on a file system that has been able to exchange owners since Linux 5.12.
    static func mayExchangeOwners() async throws -> Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let map = (try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)) ?? ""
        let effective = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }?.split(separator: "\t").last
        // CAP_KILL, CAP_SETGID, CAP_SETUID, CAP_SYS_ADMIN and CAP_SETFCAP, by their numbers of capability.h.
        let needed: UInt64 = 1 << 5 | 1 << 6 | 1 << 7 | 1 << 21 | 1 << 31
        let isWhole = map.split(whereSeparator: \.isWhitespace) == ["0", "0", "4294967295"]
        let kind = try await Shell.run("stat", ["-f", "-c", "%T", FileManager.default.temporaryDirectory.path]).text
        let isAble = ["ext2/ext3", "xfs", "btrfs"].contains(kind.trimmingCharacters(in: .whitespacesAndNewlines))
        return geteuid() == 0 && isWhole && isAble
            && UInt64(effective ?? "", radix: 16).map { $0 & needed == needed } == true
    }

    /// The error that a file which was not named meets: it is not there, where the child has a root folder of its own.
    private let hidden: [Kernel: Int32]
    func hidden(_ kernel: Kernel) -> Int32 { hidden[kernel, default: 0] }

    /// The kernels under which the child has a PID namespace.
    let kernelsHidingProcesses: Set<Kernel>

    init(in folder: TemporaryFolder) async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sandbox = root.appendingPathComponent("Sources/CSandbox").path
        let source = root.appendingPathComponent("Tests/SandboxProbe/probe.c").path
        let program = folder.path("probe")
        path = program
        let parts = try FileManager.default.contentsOfDirectory(atPath: sandbox).filter { $0.hasSuffix(".c") }
            .map { sandbox + "/" + $0 }
        // Optimised as a release is.
        let libraries = ["-pthread", "-lrt", "-lseccomp"]
        let words = ["-O2", "-I", sandbox + "/include", source] + parts + libraries + ["-o", path]
        let outcome = try await Shell.run("clang", words)
        guard outcome.exitCode == 0 else { throw Unbuildable(reason: outcome.errors) }
        var hidden: [Kernel: Int32] = [:]
        var hidingProcesses: Set<Kernel> = []
        for kernel in Kernel.allCases {
            let command = kernel.command + [program, "--sandbox", "--"]
            let outcome = try await Shell.run(command[0], Array(command.dropFirst()))
            hidden[kernel] = outcome.text.contains("root 1") ? ENOENT : EACCES
            if outcome.text.contains("processes 1") { hidingProcesses.insert(kernel) }
        }
        self.hidden = hidden
        kernelsHidingProcesses = hidingProcesses
    }

    /// - Returns: the number of the signal that ended it over `what`; nil when none did.
    func end(
        _ what: String,
        _ path: String,
        limits: [String],
        writable: [String] = [],
        kernel: Kernel = .generous
    ) async throws -> Int32? {
        let cage = ["--sandbox"] + limits + writable.flatMap { ["--rw", $0] } + ["--"]
        let command = kernel.command + [self.path] + cage + [what, path]
        let outcome = try await Shell.run(command[0], Array(command.dropFirst()))
        return outcome.exitCode > 128 ? outcome.exitCode - 128 : nil
    }

    /// - Parameters:
    ///   - attempts: what, and with which path.
    ///   - mask: the permissions that new files do not get, octal; nil for those of this process.
    /// - Returns: what → errno, 0 when it was allowed; `state` is 1 when the whole sandbox is on.
    func attempt(
        _ attempts: [(String, String)],
        readable: [String] = [],
        writable: [String] = [],
        limits: [String] = [],
        kernel: Kernel = .generous,
        mask: String? = nil,
        caged: Bool = true
    ) async throws -> [String: Int32] {
        let paths = readable.flatMap { ["--ro", $0] } + writable.flatMap { ["--rw", $0] }
        let cage = ["--sandbox"] + limits + paths + ["--"]
        let masked = mask.map { ["sh", "-c", "umask \($0); exec \"$@\"", "sh"] } ?? []
        let command = kernel.command + masked + [path] + (caged ? cage : []) + attempts.flatMap { [$0.0, $0.1] }
        let outcome = try await Shell.run(command[0], Array(command.dropFirst()))
        var results: [String: Int32] = [:]
        for line in outcome.text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words[0] != "root", words[0] != "processes" else { continue }
            results[String(words[0])] = Int32(words[1])
        }
        return results
    }

    /// Makes every system call with hostile arguments from inside the sandbox.
    /// - Returns: the calls that answered something other than EPERM and ENOSYS, with their answers: errno, or a signal
    ///   as a negative number.
    func sweep(writable: String, kernel: Kernel) async throws -> [String: Set<Int32>] {
        let command = kernel.command + [path, "--sweep", writable]
        let outcome = try await Shell.run(command[0], Array(command.dropFirst()))
        var answers: [String: Set<Int32>] = [:]
        for line in outcome.text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let answer = Int32(words[1]), answer != EPERM, answer != ENOSYS else { continue }
            answers[String(words[0]), default: []].insert(answer)
        }
        return answers
    }
}
