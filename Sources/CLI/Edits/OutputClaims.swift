/// The files that the lines of a batch, or the outputs of an edit, write; no two may write the same file.
struct OutputClaims {
    /// The place where each file is named, by absolute path.
    private var places: [String: String] = [:]

    /// Claims files.
    /// - Parameter place: the place where they are named.
    /// - Throws: ``CommandFailure`` when an earlier line, or this one already, writes one of `paths`; none is claimed
    ///   then.
    mutating func claim(_ paths: [String], place: String) throws {
        let whole = paths.map(StateFolder.absolute)
        var own: Set<String> = []
        for (path, file) in zip(paths, whole) {
            if let other = own.insert(file).inserted ? places[file] : place {
                let who = other == place ? "two of its outputs go" : "\(other) goes"
                throw CommandFailure(.usage, "\(place): \(who) to \(path) too; give each output a file of its own.")
            }
        }
        for file in whole { places[file] = place }
    }
}
