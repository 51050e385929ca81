/// Options of the command line, which go before what the document says.
package struct CompileOptions: Sendable, Hashable {
    /// The name of a preset that replaces all outputs.
    package var preset: String?
    /// Start and duration on the timeline, as docs/time.md writes times: only that is rendered, of every output.
    package var range: [String]?
    /// Whether coded pictures that nothing touches are copied, in every output whose codec allows it.
    package var copies: Bool

    package init(preset: String? = nil, range: [String]? = nil, copies: Bool = false) {
        self.preset = preset
        self.range = range
        self.copies = copies
    }
}
