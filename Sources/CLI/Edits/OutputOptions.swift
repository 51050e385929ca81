import ArgumentParser
import CompositionModel
import EditLanguage

/// The options that replace the edit's outputs.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .customLong("preset"),
        help: ArgumentHelp("Render with this preset instead of the edit's outputs.", valueName: "name")
    )
    private var namedPreset: String?

    @Option(help: ArgumentHelp("The preset match, following this asset.", valueName: "asset"))
    var match: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Render only this span of the timeline, such as: --range 10s 00:00:05:00",
            valueName: "start duration"
        )
    )
    var range: [String] = []

    @Flag(help: "Copy coded pictures that nothing touches instead of encoding them, where they fit the output.")
    var smart = false

    @Option(help: .hidden)
    var segments: Int?

    func validate() throws {
        guard range.isEmpty || range.count == 2 else {
            throw ValidationError("--range takes two times, START and DURATION; put it behind the edit.")
        }
        guard (segments ?? 1) >= 1 else { throw ValidationError("--segments takes a number from 1.") }
    }

    /// The preset that replaces the edit's outputs; nil keeps them.
    var preset: String? {
        get { namedPreset ?? match.map { _ in PresetCatalog.matchName } }
        set { namedPreset = newValue }
    }

    /// Start and duration on the timeline; nil for all of it.
    var span: [String]? { range.isEmpty ? nil : range }

    /// The options of the compiler that say the same.
    var compiling: CompileOptions { CompileOptions(preset: preset, range: span, copies: smart, match: match) }

    /// The options with the preset that the output's name says, where nothing else does.
    /// - Parameter destination: the value of `-o`.
    func named(by destination: String?, for document: EditDocument?) -> OutputOptions {
        guard preset == nil, let document else { return self }
        var options = self
        options.preset = WrittenOutput.preset(of: destination, for: document)
        return options
    }
}
