/// Options of the command line, which go before what the document says.
package struct CompileOptions: Sendable, Hashable {
    /// The name of a preset that replaces all outputs.
    package var preset: String?
    /// Start and duration on the timeline, as docs/time.md writes times: only that is rendered, of every output.
    package var range: [String]?

    package init(preset: String? = nil, range: [String]? = nil) {
        self.preset = preset
        self.range = range
    }
}
