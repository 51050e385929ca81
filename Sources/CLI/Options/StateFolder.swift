import Foundation

/// The folder for everything of this user's Cutfarm that outlives a command: `--state`, else `$XDG_STATE_HOME/cutfarm`,
/// or `/var/lib/cutfarm` for root (which the user `postgres` can enter).
enum StateFolder {
    /// The path of the folder, whether or not it exists, for commands that only cache something there and can do
    /// without it.
    static func place(_ option: String?) -> String { option.map(absolute) ?? standard }

    /// The path of the folder, which is made where it is missing.
    /// - Throws: ``CommandFailure`` when the folder cannot be made.
    static func path(_ option: String?) throws -> String {
        let path = place(option)
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.usage, "The state folder \(path) cannot be made; choose another with --state.")
        }
        return path
    }

    /// The absolute path of `path`, which may be relative to the working folder.
    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }

    private static var standard: String {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment["CUTFARM_STATE"], !named.isEmpty { return absolute(named) }
        if geteuid() == 0 { return "/var/lib/cutfarm" }
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/cutfarm" }
        return NSHomeDirectory() + "/.local/state/cutfarm"
    }
}
