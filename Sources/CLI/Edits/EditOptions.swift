import ArgumentParser
import Ingest

/// The edit that a command reads, and the options that replace parts of it.
struct EditOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The edit or composition, a JSON file; - reads standard input.", valueName: "edit"))
    var edit: String

    @Option(help: ArgumentHelp("Where an asset's file is, instead of what the edit says.", valueName: "name=path"))
    var asset: [String] = []

    @Option(help: ArgumentHelp("A value for one of the edit's params.", valueName: "name=value"))
    var param: [String] = []

    /// Reads the edit.
    /// - Parameter preset: the preset that the command names instead of the edit's outputs.
    /// - Throws: ``CommandFailure`` with every finding of the text.
    func load(preset: String?) throws -> EditFile {
        try EditFile.load(edit, assets: asset, parameters: param, preset: preset)
    }
}
