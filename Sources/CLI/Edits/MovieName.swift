
/// What a movie is called when only its folder is given, the same for `render`, `submit --watch` and `fetch`.
enum MovieName {
    /// - Parameters:
    ///   - written: the file that the edit names for this output; only its last part counts.
    ///   - title: the job's, usually the name of the edit's file: the movie is called after it when nothing was
    ///     written.
    ///   - fileExtension: of this kind of file.
    static func inFolder(written: String?, title: String, fileExtension: String) -> String {
        if let name = written?.lastPart, !name.isEmpty { return name }
        let stem = title.lastPart.withoutExtension
        return (stem.isEmpty ? "movie" : stem) + "." + fileExtension
    }
}

extension String {
    /// What stands behind the last slash; empty when that is no name of a file.
    fileprivate var lastPart: String {
        let part = split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        return part == "." || part == ".." ? "" : part
    }

    /// Without the ending of a file's name.
    var withoutExtension: String {
        guard let dot = lastIndex(of: "."), dot != startIndex, self[dot...].count <= 6 else { return self }
        return String(self[..<dot])
    }
}
