import CompositionModel

/// Options of the command line, which go before what the document says.
package struct CompileOptions: Sendable, Hashable {
    /// The name of a preset that replaces all outputs.
    package var preset: String?
    /// Start and duration on the timeline, as docs/time.md writes times: only that is rendered, of every output.
    package var range: [String]?
    /// Whether coded pictures that nothing touches are copied, in every output whose codec allows it.
    package var copies: Bool
    /// The asset that the preset `match` follows, which replaces all outputs; nil leaves the choice to compiling.
    package var match: String?

    package init(preset: String? = nil, range: [String]? = nil, copies: Bool = false, match: String? = nil) {
        self.match = match
        self.preset = preset
        self.range = range
        self.copies = copies
    }

    /// The preset that replaces all outputs; nil keeps those of the document.
    var replacingPreset: String? { preset ?? match.map { _ in PresetCatalog.matchName } }
}
