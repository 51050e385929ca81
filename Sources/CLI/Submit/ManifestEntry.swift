/// One line of `submit --manifest`.
struct ManifestEntry: Sendable, Codable {
    var edit: String
    var output: String?
    var preset: String?
    var priority: Int?

    init(edit: String, output: String? = nil) {
        self.edit = edit
        self.output = output
    }
}
