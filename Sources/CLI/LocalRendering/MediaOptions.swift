import ArgumentParser

/// The input of commands that take frames or samples: an edit, a composition, or a media file.
struct MediaOptions: ParsableArguments {
    @Argument(help: "An edit, a composition, or a media file.")
    var input: String

    @Option(help: ArgumentHelp("Where an asset's file is, instead of what the edit says.", valueName: "name=path"))
    var asset: [String] = []

    @Option(help: ArgumentHelp("A value for one of the edit's params.", valueName: "name=value"))
    var param: [String] = []

    @OptionGroup var local: LocalMediaOptions
}
