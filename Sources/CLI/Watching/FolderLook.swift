import Foundation

/// A file as it was found in a watched folder.
struct FoundFile: Sendable, Hashable, Codable {
    /// The name in the folder.
    var name: String
    var byteCount: Int64
    /// The time of the last change of its bytes, in nanoseconds since 1970.
    var modifiedNanoseconds: Int64
}

/// A file at a look at its folder.
struct SeenFile: Sendable, Hashable {
    let file: FoundFile
    /// The time of the last change of its bytes, name or attributes (`st_ctim`), in nanoseconds since 1970. A program that
    /// writes can set the other time back, not this one.
    let statusNanoseconds: Int64
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
    func files() throws(CommandFailure) -> [SeenFile] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw CommandFailure(.usage, "The folder \(folder) cannot be read.")
        }
        return names.filter(Self.isWanted).sorted().compactMap { seen($0) }
    }

    /// The file of a name as it is now; nil where there is none.
    func found(_ name: String) -> FoundFile? { seen(name)?.file }

    private func seen(_ name: String) -> SeenFile? {
        var about = stat()
        guard lstat(folder + "/" + name, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return nil }
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }
        let modified = nanoseconds(about.st_mtim)
        return SeenFile(
            file: FoundFile(name: name, byteCount: Int64(about.st_size), modifiedNanoseconds: modified),
            statusNanoseconds: nanoseconds(about.st_ctim)
        )
    }

    static func isWanted(_ name: String) -> Bool {
        let ending = (name as NSString).pathExtension.lowercased()
        return !name.hasPrefix(".") && !name.hasSuffix("~") && !(unfinished + ours).contains(ending)
    }
}
