package import CompositionModel
import Timing

/// What is wrong with the places of an edit's segments as far as its text alone shows it: before any media is opened.
///
/// It lays out each track as compiling does, with endless assets, up to the first segment whose length only its asset
/// knows. Compiling finds all of this again, and more.
package enum EditTextCheck {
    /// - Returns: errors only, in the order of the text; none when the edit does not write its frame rate.
    package static func findings(_ document: EditDocument) -> [Finding] {
        guard case .edit(let edit) = document, let rate = edit.format.frameRate?.value else { return [] }
        let log = FindingLog()
        let allowance = CompileAllowance()
        for track in edit.tracks { layOut(track, of: edit, rate, log, allowance) }
        return log.inOrder.filter { rules.contains(where: $0.breaks) }
    }

    /// Findings of the layout that do not depend on what an asset really is.
    private static let rules = [
        FindingRule.segmentsOverlap, .atContradiction, .offFrame, .transitionTooLong, .transitionsMeet, .tooLong,
    ]

    private static func layOut(
        _ track: EditTrack,
        of edit: Edit,
        _ rate: FrameRate,
        _ log: FindingLog,
        _ allowance: CompileAllowance
    ) {
        let sampleRate = edit.format.sampleRate?.value ?? 48_000
        let grid = TrackGrid(kind: track.kind, rate: rate, sampleRate: sampleRate, log: log)
        let assets = edit.assets.mapValues { _ in endless(rate) }
        let sources = SourceResolver(assets: assets, log: log)
        let snap = edit.snap?.value ?? .never
        var layout = TrackLayout(grid: grid, sources: sources, editSnap: snap, allowance: allowance)
        _ = layout.place(known(track), id: "")
    }

    /// The track up to the first segment that writes no length, which stream a segment plays left out.
    private static func known(_ track: EditTrack) -> EditTrack {
        var track = track
        track.items = track.items.prefix { item in
            guard case .segment(let segment) = item else { return true }
            return segment.duration != nil || segment.range != nil
        }.map { item in
            guard case .segment(var segment) = item else { return item }
            (segment.track, segment.language) = (nil, nil)
            return .segment(segment)
        }
        return track
    }

    private static func endless(_ rate: FrameRate) -> CompilerAsset {
        let end = RationalTime(whole: Limits.longestSeconds)
        let video = VideoStreamFacts(
            streamIndex: 0,
            codec: "",
            profile: nil,
            width: 2,
            height: 2,
            pixelFormat: "yuv420p",
            pixelAspect: RationalTime(whole: 1),
            orientation: .upright,
            color: .bt709,
            timeBase: rate.frameDuration,
            frameRate: rate,
            isVariableRate: false,
            frameCount: .max,
            duration: end,
            keyframes: [0],
            language: nil,
            isDefault: true
        )
        let audio = AudioStreamFacts(
            streamIndex: 1,
            codec: "",
            profile: nil,
            sampleRate: 1,
            channels: 2,
            channelLayout: "stereo",
            start: .zero,
            sampleCount: Limits.longestSeconds,
            language: nil,
            isDefault: true
        )
        let facts = AssetFacts(container: "", byteCount: 0, video: [video], audio: [audio])
        return CompilerAsset(digest: ContentDigest(of: [UInt8]()), facts: facts)
    }
}
