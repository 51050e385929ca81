/// What the command line says over the document.
public struct CompileOptions: Sendable, Hashable {
    /// The name of a preset that replaces all outputs.
    public var preset: String?
    /// Start and duration on the timeline, as docs/time.md writes times: only that is rendered, of every output.
    public var range: [String]?

    public init(preset: String? = nil, range: [String]? = nil) {
        self.preset = preset
        self.range = range
    }
}
