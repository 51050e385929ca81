import Foundation

/// A file as it was found in a watched folder.
struct FoundFile: Sendable, Hashable, Codable {
    /// The name in the folder.
    var name: String
    var byteCount: Int64
    /// The time of the last change of its bytes, in nanoseconds since 1970.
    var modifiedNanoseconds: Int64
}

/// What lies in a watched folder. It is asked for again and again, so that folders of other machines, which tell of no
/// changes, can be watched too.
struct FolderLook: Sendable {
    let folder: String

    /// The endings of names under which programs write what they have not finished.
    private static let unfinished = ["part", "partial", "tmp", "temp", "crdownload", "filepart", "download", "swp"]
    /// The endings of what is written beside the files.
    private static let ours = ["txt", "json"]

    /// The files, by name: no folders, links or pipes, nothing hidden, and nothing that is named as unfinished.
    /// - Throws: ``CommandFailure`` when the folder cannot be read.
    func files() throws(CommandFailure) -> [FoundFile] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw CommandFailure(.usage, "The folder \(folder) cannot be read.")
        }
        return names.filter(Self.isWanted).sorted().compactMap { found($0) }
    }

    /// The file of a name as it is now; nil where there is none.
    func found(_ name: String) -> FoundFile? {
        var about = stat()
        guard lstat(folder + "/" + name, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return nil }
        let modified = Int64(about.st_mtim.tv_sec) * 1_000_000_000 + Int64(about.st_mtim.tv_nsec)
        return FoundFile(name: name, byteCount: Int64(about.st_size), modifiedNanoseconds: modified)
    }

    static func isWanted(_ name: String) -> Bool {
        let ending = (name as NSString).pathExtension.lowercased()
        return !name.hasPrefix(".") && !name.hasSuffix("~") && !(unfinished + ours).contains(ending)
    }
}
