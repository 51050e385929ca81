import ArgumentParser

/// The input of commands that take a span of frames or samples, and that span.
struct MediaSpanOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only this span of the timeline, or of the file.", valueName: "start duration")
    )
    var range: [String] = []

    @Option(
        help: ArgumentHelp("Of a media file the sound that is heard, as probe lists them: audio/1.", valueName: "track")
    )
    var track: String?

    @OptionGroup var media: MediaOptions

    func validate() throws {
        guard range.isEmpty || range.count == 2 else {
            throw ValidationError("--range takes two times, START and DURATION; put it behind the input.")
        }
    }

    /// Reads, compiles and plans the input.
    /// - Throws: ``CommandFailure`` when the input cannot be used, or `--track` is given for frames;
    ///   `CancellationError`.
    func rendering(_ wanted: LocalRendering.Wanted) async throws -> LocalRendering {
        guard track == nil || wanted != .frames else {
            throw CommandFailure(.usage, "--track says which sound is heard, and frames (y4m) have none; leave it out.")
        }
        return try await LocalRendering(media, range: range, track: track, wanted: wanted)
    }
}
