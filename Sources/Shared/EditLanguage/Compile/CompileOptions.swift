/// Options of the command line, which go before what the document says.
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
