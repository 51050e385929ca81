import ArgumentParser

/// What frames or samples are taken of.
struct MediaInput: ParsableArguments {
    @Argument(help: "An edit, a composition, or a media file.")
    var input: String

    @Option(help: ArgumentHelp("Where an asset's file is, instead of what the edit says.", valueName: "name=path"))
    var asset: [String] = []

    @Option(help: ArgumentHelp("A value for one of the edit's params.", valueName: "name=value"))
    var param: [String] = []

    @OptionGroup var local: LocalMediaOptions
}

/// What frames or samples are taken of, and which span of it.
struct MediaSpan: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only this span of the timeline, or of the file.", valueName: "start duration")
    )
    var range: [String] = []

    @Option(
        help: ArgumentHelp("Of a media file the sound that is heard, as probe lists them: audio/1.", valueName: "track")
    )
    var track: String?

    @OptionGroup var media: MediaInput

    func validate() throws {
        guard range.isEmpty || range.count == 2 else {
            throw ValidationError("--range takes two times, START and DURATION; put it behind the input.")
        }
    }

    /// - Throws: ``CommandFailure``.
    func pictures(_ wanted: LocalPictures.Wanted) async throws -> LocalPictures {
        guard track == nil || wanted != .frames else {
            throw CommandFailure(.usage, "--track says which sound is heard, and frames (y4m) have none; leave it out.")
        }
        return try await LocalPictures(media, range: range, track: track, wanted: wanted)
    }
}
