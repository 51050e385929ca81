
/// Which line of a batch, or which edit, writes which file: no two outputs may write the same.
struct OutputClaims {
    /// Absolute path → where it is said.
    private var places: [String: String] = [:]

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
