import CompositionModel
import Foundation
import Ingest
import Planning
import Sandbox
import Timing

/// An edit or a media file whose frames and samples are made on this machine, without a farm.
struct LocalRendering: Sendable {
    /// The edit, or for a media file the edit that shows it.
    let file: EditFile
    let compiled: LocalCompilation
    /// The plan of the whole timeline, or of the range that was asked for, in one segment.
    let plan: RenderPlan
    /// The media file; nil for an edit.
    let footage: MediaFileInput?
    /// Start and duration on the edit's timeline as `--range` asks for them; empty for the whole timeline.
    let range: [String]
    /// The part of the media file that `--range` asks for; nil for the whole file, and for an edit.
    let span: TimeRange?
    /// Whether the samples of a media file count by themselves, without the frames of a timeline.
    let isPlainSound: Bool
    let sources: LocalSources
    let renderer: LocalRenderer

    /// The part of a media file that a command uses.
    enum Wanted: Sendable {
        /// The file's frames.
        case frames
        /// The samples beside its pictures, from the first frame to the last; like ``sound`` for a file without
        /// pictures.
        case samples
        /// The file's sound alone.
        case sound
    }

    /// Reads, compiles and plans the input.
    /// - Parameters:
    ///   - range: start and duration on the timeline or in the file, as times; empty for all of it.
    ///   - track: the audio track of a media file, such as `audio/1`; nil for the default track.
    ///   - wanted: what is made of a media file.
    /// - Throws: ``CommandFailure`` when the input cannot be used, or does not have what is wanted;
    ///   `CancellationError`.
    init(
        _ media: MediaOptions,
        range: [String] = [],
        track: String? = nil,
        wanted: Wanted = .frames
    ) async throws {
        let probe = media.local.probe()
        var options = OutputOptions()
        (options.preset, options.match, options.range, options.smart) = ("lossless", nil, range, false)
        if try media.isMediaFile() {
            let footage = try await MediaFileInput(media.input, probe: probe, track: track)
            // The range is read once, because frames of the file and of the timeline that stands for it may count at
            // two rates.
            span = try footage.span(range)
            isPlainSound = wanted == .sound || footage.stream == nil
            options.range = try isPlainSound ? [] : span.map(footage.texts) ?? []
            file = try footage.edit(for: wanted)
            self.footage = footage
        } else {
            guard track == nil else {
                let input = media.input
                let advice = "in an edit, \"track\" of a segment says it"
                throw CommandFailure(
                    .usage,
                    "--track chooses the sound of a media file, and \(input) is none; \(advice)."
                )
            }
            file = try media.edit()
            (footage, span, isPlainSound) = (nil, nil, false)
        }
        self.range = options.range
        compiled = try await LocalRendering.compile(file, isMedia: footage != nil, by: probe, options)
        plan = try compiled.plan(output: 0, segmentCount: 1)
        sources = LocalSources(probe: probe, places: compiled.places)
        renderer = LocalRenderer(
            process: RenderProcess(allowUnsandboxed: media.local.allowUnsandboxed),
            footage: footage?.path,
            names: AssetNames(compiled.composition.assets)
        )
    }

    /// Compiles the edit; findings about an edit that stands for a media file become sentences about the file.
    private static func compile(
        _ file: EditFile,
        isMedia: Bool,
        by probe: LocalProbe,
        _ options: OutputOptions
    ) async throws -> LocalCompilation {
        do {
            return try await file.compiled(by: probe, options: options)
        } catch let failure as CommandFailure where isMedia && !failure.findings.isEmpty {
            let errors = failure.findings.filter { $0.severity == .error }
            throw CommandFailure(failure.status, lines: errors.map { "\(file.path): \($0.message)." })
        }
    }
}
