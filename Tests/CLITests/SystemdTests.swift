import Foundation
import TestSupport
import Testing

/// The units below systemd/ against systemd's own checks and the options of the commands.
@Suite struct SystemdTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../systemd")
    private static let units = [
        "cutfarm-coordinator.service", "cutfarm-worker.service", "cutfarm-watch-folder@.service",
    ]

    private func text(_ unit: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: unit), encoding: .utf8)
    }

    /// The values of a setting, in order.
    private func values(_ name: String, in text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    private func isThere() async throws -> Bool {
        guard try await Shell.run("sh", ["-c", "command -v systemd-analyze"]).exitCode == 0 else {
            print("skipped: systemd-analyze is not installed (Debian's package systemd)")
            return false
        }
        return true
    }

    /// systemd reads the unit without a complaint, as `make install` leaves it.
    @Test(arguments: units) func systemdUnderstandsTheUnit(unit: String) async throws {
        guard try await isThere() else { return }
        let folder = try TemporaryFolder()
        let installed = try text(unit).replacing("/usr/local/bin/cutfarm", with: Programs.cutfarm)
        try Data(installed.utf8).write(to: URL(fileURLWithPath: folder.path(unit)))
        let arguments = ["verify", "--man=no", "--recursive-errors=no", folder.path(unit)]
        let outcome = try await Shell.run("systemd-analyze", arguments)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome.text) \(outcome.errors)")
    }

    /// Of 0 (locked up) to 10: what is open is open for the sandbox, HTTP and the render processes' own facts.
    @Test(arguments: units) func theUnitIsHardened(unit: String) async throws {
        guard try await isThere() else { return }
        let path = Self.folder.appending(path: unit).path
        let outcome = try await Shell.run("systemd-analyze", ["security", "--offline=yes", "--threshold=28", path])
        #expect(outcome.exitCode == 0, "\(outcome.text) \(outcome.errors)")
    }

    /// What the sandbox of the render processes needs is not taken from it (docs/security.md).
    @Test(arguments: units) func theSandboxKeepsWhatItNeeds(unit: String) throws {
        let text = try text(unit)
        let namespaces = values("RestrictNamespaces", in: text).joined(separator: " ").split(separator: " ")
        #expect(Set(namespaces) == ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"])
        let calls = values("SystemCallFilter", in: text).joined(separator: " ").split(separator: " ")
        #expect(
            Set(calls) == [
                "@system-service", "@mount", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self",
                "seccomp",
            ]
        )
        for name in ["PrivateUsers", "PrivateNetwork", "ProtectProc", "ProcSubset", "RemoveIPC", "RootDirectory"] {
            #expect(values(name, in: text) == [], "\(name)")
        }
    }

    /// The command takes every option of the unit.
    @Test(arguments: units) func theCommandKnowsTheOptions(unit: String) async throws {
        let command = try #require(values("ExecStart", in: try text(unit)).first).split(separator: " ")
        let name = String(command[1])
        let help = try await Shell.run(Programs.cutfarm, [name, "--help"]).text
        for option in command where option.hasPrefix("--") {
            #expect(help.contains("\(option) "), "cutfarm \(name) has no \(option)")
        }
    }

    /// systemd waits longer for the worker than the worker for what it has in hand.
    @Test func theTimeToStopFitsTheDrain() throws {
        let text = try text("cutfarm-worker.service")
        let command = try #require(values("ExecStart", in: text).first).split(separator: " ")
        let place = try #require(command.firstIndex(of: "--drain-seconds"))
        let drain = try #require(Int(command[place + 1]))
        let limit = try #require(Int(values("TimeoutStopSec", in: text).first ?? ""))
        #expect(limit >= drain + 30)
        for unit in Self.units { #expect(values("KillMode", in: try self.text(unit)) == ["mixed"]) }
    }

    /// `make install` puts programs and units below DESTDIR, with the programs' place in the units.
    @Test func unitsAreInstalled() async throws {
        let folder = try TemporaryFolder()
        let root = Self.folder.deletingLastPathComponent().path
        let programs = URL(fileURLWithPath: Programs.cutfarm).deletingLastPathComponent().path
        let outcome = try await Shell.run(
            "make",
            [
                "-s", "-C", root, "install-files", "DESTDIR=" + folder.path("root"), "PREFIX=/opt/cutfarm",
                "RELEASE=" + programs,
            ]
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        for unit in Self.units {
            let installed = try String(
                contentsOfFile: folder.path("root/opt/cutfarm/lib/systemd/system/" + unit),
                encoding: .utf8
            )
            #expect(values("ExecStart", in: installed).first?.hasPrefix("/opt/cutfarm/bin/cutfarm ") == true)
        }
        for path in ["bin/cutfarm", "bin/cutfarm-render", "lib/sysusers.d/cutfarm.conf"] {
            #expect(FileManager.default.fileExists(atPath: folder.path("root/opt/cutfarm/" + path)), "\(path)")
        }
    }
}
