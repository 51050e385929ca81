/// The content of one line of `submit --manifest`.
struct ManifestEntry: Sendable, Codable {
    var edit: String
    /// The file of the movie, or a folder that exists; nil when the line names none.
    var output: String?
    /// The preset that replaces the edit's outputs; nil uses the command's.
    var preset: String?
    /// The asset that the preset `match` follows; nil lets the preset choose. It means that preset where the line names
    /// none.
    var match: String?
    /// Whether coded pictures that nothing touches are copied; nil uses the command's.
    var smart: Bool?
    /// The priority of the line's jobs; nil uses the command's.
    var priority: Int?
    /// The title of the line's jobs; nil is the name of the edit's file.
    var title: String?

    init(edit: String, output: String? = nil, title: String? = nil) {
        self.edit = edit
        self.output = output
        self.title = title
    }
}
