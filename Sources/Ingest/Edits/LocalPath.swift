import Foundation

/// Paths in edits, which count from the folder of the edit.
enum LocalPath {
    /// The absolute path of `path`.
    /// - Parameter folder: an absolute path, from which a relative `path` counts.
    static func absolute(_ path: String, in folder: String) -> String {
        URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: folder, isDirectory: true)).standardizedFileURL.path
    }

    /// The absolute path of the folder that holds `path`, which may be relative to the working folder.
    static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
    }

    /// The absolute path of `path` without symbolic links.
    static func real(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// The path by which findings name a file: relative below the working folder, like the outermost edit as a rule,
    /// else absolute.
    static func name(of file: String, in folder: String) -> String {
        let path = absolute(file, in: folder)
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }
}
