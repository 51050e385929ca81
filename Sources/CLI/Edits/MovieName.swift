/// The name of a movie when only its folder is given, the same for `render`, `submit --watch` and `fetch`.
enum MovieName {
    /// The name in the folder.
    /// - Parameters:
    ///   - written: the file that the edit names for this output; only its last component counts.
    ///   - title: the job's title, usually the name of the edit's file: the movie is named after it when nothing was
    ///     written.
    ///   - fileExtension: the extension of this kind of file.
    static func inFolder(written: String?, title: String, fileExtension: String) -> String {
        if let name = written?.lastPart, !name.isEmpty { return name }
        let stem = title.lastPart.withoutExtension
        return (stem.isEmpty ? "movie" : stem) + "." + fileExtension
    }
}

extension String {
    /// The last component; empty when it is no name of a file.
    fileprivate var lastPart: String {
        let part = split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        return part == "." || part == ".." ? "" : part
    }

    /// The path without the extension of the file's name.
    var withoutExtension: String {
        let name = lastIndex(of: "/").map(index(after:)) ?? startIndex
        guard let dot = lastIndex(of: "."), dot > name, self[dot...].count <= 6 else { return self }
        return String(self[..<dot])
    }
}
