package import CompositionModel
import Foundation
package import Timing

/// What of a timeline can be copied into an output that follows one of its sources, before it is known which
/// (docs/copying.md).
package struct CopySurvey {
    /// A stream of which pictures can be copied.
    package struct Candidate: Sendable, Hashable {
        /// The position in the composition's assets; the first of those with one content.
        package var asset: Int
        /// libavformat's index of the picture stream.
        package var stream: Int
        /// The frames of the range that show it untouched and can be copied.
        package var frames: Int64
    }

    private let format: Format
    private let range: FrameRange
    private let runs: [SliceInstruction]
    private let assets: AssetTable
    private let spans: CopySpans

    /// - Parameters:
    ///   - encoding: the encoding of H.264 before it follows a source.
    ///   - range: the frames of the timeline that are rendered; nil is all.
    ///   - facts: the facts of every asset of the composition, by digest.
    /// - Throws: ``PlanError`` when facts are missing or a time overflows.
    package init(
        _ composition: Composition,
        encoding: VideoEncoding,
        range: FrameRange?,
        facts: [ContentDigest: AssetFacts]
    ) throws(PlanError) {
        let assets = try AssetTable(composition, facts: facts, size: composition.format.size)
        self.init(
            composition.format,
            encoding: encoding,
            range: range ?? FrameRange(start: 0, count: composition.frameCount),
            runs: try PictureRuns(composition, size: composition.format.size, facts: assets).resolved(),
            assets: assets
        )
    }

    /// - Parameter runs: the whole timeline in the size of the format.
    init(_ format: Format, encoding: VideoEncoding, range: FrameRange, runs: [SliceInstruction], assets: AssetTable) {
        (self.format, self.range, self.runs, self.assets) = (format, range, runs, assets)
        var encoding = encoding
        encoding.copies = true
        spans = CopySpans(
            format: format,
            size: format.size,
            encoding: encoding,
            runs: runs,
            assets: assets,
            takesAnyCoding: true
        )
    }

    /// The streams of which pictures can be copied, that of most frames first; among equals the one whose asset stands
    /// first in the composition.
    /// - Throws: ``PlanError`` when a time overflows.
    package func candidates() throws(PlanError) -> [Candidate] {
        struct Content: Hashable {
            var digest: ContentDigest
            var stream: Int
        }
        var found: [Content: Candidate] = [:]
        for span in try spans.spans(in: range) {
            let content = Content(digest: assets.digest(span.asset), stream: span.stream)
            var candidate = found[content] ?? Candidate(asset: span.asset, stream: span.stream, frames: 0)
            candidate.asset = min(candidate.asset, span.asset)
            candidate.frames += span.frames.count
            found[content] = candidate
        }
        return found.values.sorted { ($1.frames, $0.asset, $0.stream) < ($0.frames, $1.asset, $1.stream) }
    }

    /// The one of ``candidates()`` that an output follows: the first, but of those whose pictures are copied alone for
    /// their colour only one with which all frames can be copied, while others can be followed.
    /// - Throws: ``PlanError`` when a time overflows.
    package func best(of candidates: [Candidate], for output: OutputSettings) throws(PlanError) -> Candidate? {
        var tried: Set<VideoEncoding> = []
        for candidate in candidates {
            guard let encoding = encoding(of: output, following: candidate, onlyForColor: true) else {
                return candidate
            }
            // Parameter sets and levels may differ in one output.
            var kind = encoding
            kind.form?.configuration = Data()
            kind.form?.level = 0
            guard tried.insert(kind).inserted else { continue }
            if try uncopied(with: encoding).isEmpty { return candidate }
        }
        return candidates.first
    }

    /// The encoding of an output that follows a candidate.
    /// - Parameter onlyForColor: whether others than those that are copied alone for their colour have none.
    private func encoding(
        of output: OutputSettings,
        following candidate: Candidate,
        onlyForColor: Bool = false
    ) -> VideoEncoding? {
        guard let file = assets.facts(of: assets.digest(candidate.asset)),
            let stream = file.video.first(where: { $0.streamIndex == candidate.stream }),
            !onlyForColor || stream.isCopiedForColor
        else { return nil }
        return output.following("", file, stream).video
    }

    /// Why frames cannot be copied, the reason of most frames first.
    /// - Throws: ``PlanError`` when a time overflows.
    package func encoded() throws(PlanError) -> [EncodedShare] { try spans.encoded(in: range) }

    /// Why no picture of a stream can be copied, whatever the timeline does with it; nil when some can.
    package func refusal(of stream: VideoStreamFacts) -> EncodingReason? { spans.refusal(of: stream) }

    /// The frames of the range that are copied with an encoding that follows a source.
    /// - Throws: ``PlanError`` when a time overflows.
    package func copiedCount(with encoding: VideoEncoding) throws(PlanError) -> Int64 {
        try CopySpans(format: format, size: format.size, encoding: encoding, runs: runs, assets: assets)
            .limitedSpans(in: range).reduce(0) { $0 + $1.frames.count }
    }

    /// The frames of the range that are not copied with an encoding that follows a source.
    /// - Throws: ``PlanError`` when a time overflows.
    package func uncopied(with encoding: VideoEncoding) throws(PlanError) -> UncopiedFrames {
        try copies(with: encoding).uncopied(in: range)
    }

    private func copies(with encoding: VideoEncoding) throws(PlanError) -> CopySpans {
        try CopySpans(format: format, size: format.size, encoding: encoding, runs: runs, assets: assets)
            .limited(in: range)
    }

    /// The frames of the range.
    package var frameCount: Int64 { range.count }
}

extension CopySurvey {
    /// How many frames of an output of another preset could be copied if it followed a source.
    /// - Returns: nil when the preset `match` would make another picture, or copies already.
    /// - Throws: ``PlanError`` when facts are missing or a time overflows.
    package static func copyable(
        of output: OutputSettings,
        in composition: Composition,
        facts: [ContentDigest: AssetFacts]
    ) throws(PlanError) -> (frames: Int64, of: Int64)? {
        guard let video = output.video, mayFollow(output, in: composition) else { return nil }
        let survey = try CopySurvey(composition, encoding: video, range: output.range, facts: facts)
        return try survey.copyable(of: output)
    }

    /// Whether the preset `match` would make the picture that another preset makes of `output`, and could copy.
    static func mayFollow(_ output: OutputSettings, in composition: Composition) -> Bool {
        guard let video = output.video else { return false }
        return video.codec == .h264 && video.copies != true && output.size == composition.format.size
    }

    /// How many frames of `output`, which the survey was made for, could be copied if it followed a source.
    /// - Throws: ``PlanError`` when a time overflows.
    package func copyable(of output: OutputSettings) throws(PlanError) -> (frames: Int64, of: Int64) {
        guard let best = try best(of: candidates(), for: output), let encoding = encoding(of: output, following: best)
        else { return (0, frameCount) }
        let isRefused = encoding.isCopyOnly ? try !uncopied(with: encoding).isEmpty : false
        return (isRefused ? 0 : try copiedCount(with: encoding), frameCount)
    }
}
