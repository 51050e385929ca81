import CompositionModel
import Foundation
import Ingest
import PostgreSQL
import Sandbox
import Storage

/// Looks at this machine: whether it can render, and run a coordinator.
struct MachineCheck {
    /// The room in bytes below which a farm soon stops.
    private static let roomWanted: Int64 = 10 << 30
    /// The open files below which a coordinator of a hundred workers may run out.
    private static let filesWanted: UInt64 = 4096

    /// The folder of everything that outlives a command.
    let stateFolder: String

    /// All that can be said without asking a coordinator.
    func all() async -> [Diagnosis] {
        let renderings = await [renderer(), sandbox(), user(), namespaces()].compactMap(\.self)
        return renderings + [postgreSQL(), fonts(), speech(), room(), openFiles()]
    }

    private func renderer() async -> Diagnosis {
        do {
            let versions = try await InstalledRenderer(RenderProcess(allowUnsandboxed: true)).versions()
            let named = ["libavcodec", "x264", "libx264"].compactMap { name in
                versions.libraries[name].map { "\(name) \($0)" }
            }
            let libraries = named.isEmpty ? "its libraries" : named.joined(separator: ", ")
            return Diagnosis("renderer", .good, "cutfarm-render \(versions.renderer) starts, with \(libraries).")
        } catch let failed as RenderFailed where failed.failure.message.contains("shared librar") {
            let packages = "libavformat59 libavcodec59 libavfilter8 libswscale6 libass9 libpango-1.0-0 libseccomp2"
            return Diagnosis(
                "renderer",
                .bad,
                "cutfarm-render lacks a library: \(failed.failure.message) On Debian 12: apt-get install \(packages)"
            )
        } catch {
            return Diagnosis("renderer", .bad, "\(error)")
        }
    }

    /// The same check that every rendering makes.
    private func sandbox() async -> Diagnosis {
        do {
            _ = try await InstalledRenderer(RenderProcess()).versions()
        } catch let failed as RenderFailed where failed.failure.code == "sandbox_unavailable" {
            return Diagnosis("sandbox", .bad, failed.failure.message)
        } catch {
            return Diagnosis("sandbox", .doubtful, "It cannot be tried, because the renderer does not start.")
        }
        let abi = KernelAbilities.landlockABI
        guard abi > 0 else {
            return Diagnosis(
                "sandbox",
                .doubtful,
                "This kernel has no Landlock: renderings need --allow-unsandboxed here; Linux 5.13 or later has it."
            )
        }
        return Diagnosis("sandbox", .good, "Landlock (ABI \(abi)) and seccomp close around every rendering.")
    }

    /// Says as which user renderings work that root starts; nil for any other user, and where no rendering starts.
    private func user() async -> Diagnosis? {
        guard geteuid() == 0, let user = try? await InstalledRenderer(RenderProcess()).versions().user else {
            return nil
        }
        guard user == 0 else { return Diagnosis("user", .good, "Renderings that root starts work as user \(user).") }
        return Diagnosis(
            "user",
            .doubtful,
            "Renderings that root starts stay root, without capabilities, because files cannot be shown to another user "
                + "here; start workers as a user of their own."
        )
    }

    private func namespaces() -> Diagnosis {
        let name = "namespaces"
        let limit = KernelAbilities.number(of: "/proc/sys/user/max_user_namespaces") ?? 0
        let isAllowed = KernelAbilities.number(of: "/proc/sys/kernel/unprivileged_userns_clone") != 0
        let isConfined = KernelAbilities.number(of: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1
        guard limit > 0, isAllowed, !isConfined else {
            return Diagnosis(
                name,
                .doubtful,
                "Users may make no namespaces here, so renderings have one wall less; sysctl "
                    + "user.max_user_namespaces=10000 allows them."
            )
        }
        guard KernelAbilities.number(of: "/proc/sys/user/max_pid_namespaces") != 0 else {
            return Diagnosis(
                name,
                .doubtful,
                "Renderings get a network and a root folder of their own, but no process IDs; sysctl "
                    + "user.max_pid_namespaces=10000 allows them."
            )
        }
        return Diagnosis(name, .good, "Renderings get a network, a root folder and process IDs of their own.")
    }

    private func postgreSQL() -> Diagnosis {
        do {
            let found = try EmbeddedPostgreSQL.installed()
            return Diagnosis("PostgreSQL", .good, "Version \(found.version) is in \(found.folder).")
        } catch {
            return Diagnosis(
                "PostgreSQL",
                .doubtful,
                "A coordinator here needs it, or --database-url; workers do not. Run: apt-get install postgresql"
            )
        }
    }

    private func fonts() -> Diagnosis {
        let isThere = FontFinder.folders.contains { folder in
            let files = FileManager.default.enumerator(atPath: folder)
            while let file = files?.nextObject() as? String {
                let lowered = file.lowercased()
                if [".ttf", ".otf", ".ttc"].contains(where: lowered.hasSuffix) { return true }
            }
            return false
        }
        guard !isThere else { return Diagnosis("fonts", .good, "Titles can name the fonts of this machine.") }
        return Diagnosis(
            "fonts",
            .doubtful,
            "There are none; titles then need fonts as assets. Run: apt-get install fonts-dejavu-core"
        )
    }

    private func speech() -> Diagnosis {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let isThere = path.split(separator: ":").contains { access("\($0)/espeak-ng", X_OK) == 0 }
        guard !isThere else { return Diagnosis("speech", .good, "espeak-ng speaks the assets of the kind speech.") }
        return Diagnosis("speech", .doubtful, "Edits that speak need it. Run: apt-get install espeak-ng")
    }

    private func room() -> Diagnosis {
        var folder = stateFolder
        while folder != "/", access(folder, F_OK) != 0 { folder = (folder as NSString).deletingLastPathComponent }
        guard let space = DiskSpace.of(folder) else {
            return Diagnosis("disk", .doubtful, "The room of \(stateFolder) cannot be told.")
        }
        // /proc and its like have no room at all; a path may also lead through a file.
        var isFolder = ObjCBool(false)
        let isThere = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
        guard isThere, isFolder.boolValue, space.capacity > 0, access(folder, W_OK | X_OK) == 0 else {
            let reason = isFolder.boolValue ? "nothing may be written in \(folder)" : "\(folder) is no folder"
            return Diagnosis("disk", .bad, "\(stateFolder) cannot be used: \(reason). Choose another with --state.")
        }
        let text = "\(space.free >> 30) GiB are free where \(stateFolder) is"
        if space.free < 2 * space.reserve {
            return Diagnosis("disk", .bad, "Only \(space.free >> 20) MiB are free where \(stateFolder) is; free some.")
        }
        guard space.free >= Self.roomWanted else {
            return Diagnosis("disk", .doubtful, text + "; a farm soon needs more.")
        }
        return Diagnosis("disk", .good, text + ".")
    }

    private func openFiles() -> Diagnosis {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < Self.filesWanted else {
            return Diagnosis("open files", .good, "A process may open \(limit.rlim_cur).")
        }
        return Diagnosis(
            "open files",
            .doubtful,
            "A process may open \(limit.rlim_cur), too few for a coordinator of many workers; run: ulimit -n \(Self.filesWanted)"
        )
    }
}
