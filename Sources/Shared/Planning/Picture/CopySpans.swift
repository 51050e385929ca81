import CompositionModel
import Foundation
import Timing

/// Finds the frames of an output that show a source untouched, in the coding that the output has, so that their packets
/// can be copied (docs/copying.md).
///
/// ```
/// clip       in │   I       I       I    P B B │ out
/// span          │   ├────────────────────┤     │
/// encoded       ├───┤                    ├─────┤
/// ```
struct CopySpans {
    /// A span on the composition's timeline.
    struct Span: Hashable {
        var frames: FrameRange
        /// The position in the composition's assets.
        var asset: Int
        var stream: Int
        /// The shown frame of the stream at the span's start.
        var sourceFrame: Int64
        var form: CodedForm
        /// The stretch of the stream that the span is a part of.
        var stretch: CopyStretch

        /// Whether one copy may end and another begin at `frame` of the timeline.
        func divides(at frame: Int64) -> Bool {
            let place = frame - frames.start + sourceFrame - stretch.frames.start
            return stretch.entries.contains(place) && stretch.ends.contains(place)
        }
    }

    let format: Format
    let size: PictureSize
    let encoding: VideoEncoding
    let runs: [SliceInstruction]
    let assets: AssetTable
    /// The parameter sets of which pictures are copied; nil means any.
    var forms: Set<Data>?
    /// Whether pictures may lie in any raster and have any codec, because it is not known yet which source the output
    /// follows.
    let takesAnyCoding: Bool

    /// What is known of the streams, shared by copies. It depends on the format, the size, the encoding and
    /// ``takesAnyCoding``, which no copy changes, and not on ``forms``.
    private let misfits = Misfits()

    init(
        format: Format,
        size: PictureSize,
        encoding: VideoEncoding,
        runs: [SliceInstruction],
        assets: AssetTable,
        takesAnyCoding: Bool = false
    ) {
        (self.format, self.size, self.encoding) = (format, size, encoding)
        (self.runs, self.assets, self.takesAnyCoding) = (runs, assets, takesAnyCoding)
    }

    /// What of a stream's pictures differs from those of the output, found once for each stream: every run asks.
    private final class Misfits {
        private struct Stream: Hashable {
            var asset: Int
            var stream: Int
        }

        private var known: [Stream: EncodingReason?] = [:]

        func reason(
            of source: SliceSource,
            _ find: () throws(PlanError) -> EncodingReason?
        ) throws(PlanError) -> EncodingReason? {
            let stream = Stream(asset: source.asset, stream: source.stream)
            if let reason = known[stream] { return reason }
            let reason = try find()
            known[stream] = .some(reason)
            return reason
        }
    }

    /// Fewer frames than these are encoded with their neighbours: a key picture costs as much as many others.
    private static let shortest: Int64 = 12
    /// Frames after which a copy of open groups begins anew: as many as x264 puts between key pictures at most.
    private static let farthestKey: Int64 = 250

    /// The same with those parameter sets alone that most frames of `range` have, so that all fit into one track.
    /// - Throws: ``PlanError`` when a time overflows or facts are missing.
    func limited(in range: FrameRange) throws(PlanError) -> CopySpans {
        var limited = self
        limited.forms = mostUsedForms(try spans(in: range)) ?? forms
        return limited
    }

    /// The spans of `limited(in: range)` in `range`.
    /// - Throws: ``PlanError`` when a time overflows or facts are missing.
    func limitedSpans(in range: FrameRange) throws(PlanError) -> [Span] {
        let spans = try spans(in: range)
        guard let forms = mostUsedForms(spans) else { return spans }
        return spans.filter { forms.contains($0.form.configuration) }
    }

    /// The parameter sets that most frames of `spans` have; nil when they have no more than fit into one track.
    private func mostUsedForms(_ spans: [Span]) -> Set<Data>? {
        var counts: [Data: Int64] = [:]
        var order: [Data] = []
        for span in spans {
            if counts[span.form.configuration] == nil { order.append(span.form.configuration) }
            counts[span.form.configuration, default: 0] += span.frames.count
        }
        guard order.count > encoding.mostForms else { return nil }
        let ranked = order.enumerated().sorted { first, second in
            let (one, other) = (counts[first.element] ?? 0, counts[second.element] ?? 0)
            return one == other ? first.offset < second.offset : one > other
        }
        return Set(ranked.prefix(encoding.mostForms).map(\.element))
    }

    /// The spans in `frames` of the timeline, in order of time. Each begins and ends in `frames`, so that what is
    /// outside need not be known.
    /// - Throws: ``PlanError`` when a time overflows or facts are missing.
    func spans(in frames: FrameRange) throws(PlanError) -> [Span] {
        guard encoding.copies == true else { return [] }
        var spans: [Span] = []
        for run in runs[runs.partitionPoint { $0.frames.end > frames.start }...] {
            guard run.frames.start < frames.end else { break }
            spans += try self.spans(of: run, in: frames)
        }
        return spans
    }

    /// The spans of one run in `frames` of the timeline.
    func spans(of run: SliceInstruction, in frames: FrameRange) throws(PlanError) -> [Span] {
        guard case .success(let source) = try untouched(run) else { return [] }
        let stream = try assets.video(source)
        guard let facts = stream.copy else { return [] }
        return try shown(of: source, in: run, frames).flatMap { shown in
            ranges(in: shown.frames, facts, of: stream).map { range, stretch in
                Span(
                    frames: FrameRange(start: shown.first + range.start - shown.frames.start, count: range.count),
                    asset: source.asset,
                    stream: source.stream,
                    sourceFrame: range.start,
                    form: facts.forms[stretch.form],
                    stretch: stretch
                )
            }
        }
    }

    /// The frames of the source that a run shows in `frames` of the timeline, in runs that show each once. Their first
    /// times are frames of the timeline.
    func shown(
        of source: SliceSource,
        in run: SliceInstruction,
        _ frames: FrameRange
    ) throws(PlanError) -> [ShownRun] {
        let (start, end) = (max(run.frames.start, frames.start), min(run.frames.end, frames.end))
        let step = format.frameRate.frameDuration
        let here = try source.advanced(by: start - run.frames.start, frameDuration: step)
        // Before its first frame a source shows that, and behind its last one it holds it.
        guard !here.start.isNegative else { return [] }
        let stream = try assets.video(source)
        let shown = try exact { () throws(TimeError) in
            try stream.shownRuns(from: here.start, step: step, count: end - start)
        }
        return shown.map { ShownRun(first: start + $0.first, frames: $0.frames) }
    }

    /// The frames of the source that can be copied, among `wanted`.
    func ranges(
        in wanted: FrameRange,
        _ facts: CopyFacts,
        of stream: VideoStreamFacts
    ) -> [(FrameRange, CopyStretch)] {
        var ranges: [(FrameRange, CopyStretch)] = []
        for stretch in facts.stretches[facts.stretches.partitionPoint { $0.frames.end > wanted.start }...] {
            guard stretch.frames.start < wanted.end else { break }
            guard facts.forms.indices.contains(stretch.form), fits(facts.forms[stretch.form], of: stream) else {
                continue
            }
            let base = stretch.frames.start
            let isWhole = takesAnyCoding ? stream.isCopyOnly : encoding.isCopyOnly
            let shortest = isWhole ? 1 : Self.shortest
            guard let entry = stretch.entries.first(from: max(0, wanted.start - base)),
                let end = stretch.ends.last(upTo: min(stretch.frames.end, wanted.end) - base),
                end - entry >= shortest
            else { continue }
            // Players seek to the key pictures of open groups of HEVC; where all is copied, nothing can be encoded.
            let isUndivided = isWhole || stream.codec == VideoEncoding.Codec.hevc.rawValue
            let parts = isUndivided ? [entry..<end] : parts(of: stretch, from: entry, to: end)
            ranges += parts.map { (FrameRange(start: base + $0.lowerBound, count: Int64($0.count)), stretch) }
        }
        return ranges
    }

    /// A copy in parts that begin with IDR pictures as often as players want to seek: within a copy an open group
    /// begins with no IDR picture. Of each ``farthestKey`` frames of the stretch one entry begins a part: the one
    /// before which fewest frames have to be encoded, because they refer to what follows.
    private func parts(of stretch: CopyStretch, from entry: Int64, to end: Int64) -> [Range<Int64>] {
        var (parts, start): ([Range<Int64>], Int64) = ([], entry)
        let blocks = entry / Self.farthestKey + 1..<max(end / Self.farthestKey, entry / Self.farthestKey) + 1
        for block in blocks.lazy.map({ $0 * Self.farthestKey }) where block < end {
            guard let (stop, next) = nearest(in: block..<min(block + Self.farthestKey, end), stretch) else { continue }
            guard stop - start >= Self.farthestKey / 2, end - next >= Self.shortest else { continue }
            parts.append(start..<stop)
            start = next
        }
        return parts + [start..<end]
    }

    /// The first of those entries in `block` that are nearest behind an end, and that end.
    private func nearest(in block: Range<Int64>, _ stretch: CopyStretch) -> (end: Int64, entry: Int64)? {
        var (found, from): ((end: Int64, entry: Int64)?, Int64) = (nil, block.lowerBound)
        while let entry = stretch.entries.first(from: from), entry < block.upperBound {
            from = entry + 1
            guard let end = stretch.ends.last(upTo: entry) else { continue }
            if found.map({ entry - end < $0.entry - $0.end }) != false { found = (end, entry) }
            if end == entry { break }
        }
        return found
    }

    struct Touched: Error {
        let reason: EncodingReason
    }

    /// The only source of a run that shows each of its frames once, as it is; else what keeps the run from that.
    func untouched(_ run: SliceInstruction) throws(PlanError) -> Result<SliceSource, Touched> {
        guard let layer = run.layers.first else { return .failure(Touched(reason: .gap)) }
        if run.layers.contains(where: { $0.title != nil }) { return .failure(Touched(reason: .title)) }
        if run.layers.contains(where: { $0.transition != nil }) { return .failure(Touched(reason: .transition)) }
        guard run.layers.count == 1, let source = layer.from else { return .failure(Touched(reason: .layers)) }
        if let reason = try touch(of: source) { return .failure(Touched(reason: reason)) }
        return .success(source)
    }

    private func touch(of source: SliceSource) throws(PlanError) -> EncodingReason? {
        if source.isNested == true { return .nested }
        if source.speed != nil || source.curve != nil { return .retimed }
        if source.appearance != nil || source.track != nil { return .changed }
        if source.blending != nil { return .blended }
        return try misfits.reason(of: source) { () throws(PlanError) in misfit(of: try assets.video(source)) }
    }

    /// Why no picture of the stream can be copied, whatever the timeline does with it; nil when some can.
    func refusal(of stream: VideoStreamFacts) -> EncodingReason? {
        if let reason = misfit(of: stream) { return reason }
        guard let facts = stream.copy else { return .source(.codec) }
        guard !facts.stretches.isEmpty else { return .source(facts.obstacles.first?.reason ?? .noEntry) }
        let forms = Set(facts.stretches.map(\.form)).filter(facts.forms.indices.contains).map { facts.forms[$0] }
        return forms.contains { fits($0, of: stream) } ? nil : .format
    }

    /// What of the stream's pictures, as they are shown and lie in their raster, differs from those of the output.
    private func misfit(of stream: VideoStreamFacts) -> EncodingReason? {
        if !takesAnyCoding, let codec = VideoEncoding.Codec(rawValue: stream.codec), codec != encoding.codec {
            return .codec
        }
        if !stream.isVariableRate, stream.frameRate != format.frameRate {
            return .rate(of: stream.frameRate, edit: format.frameRate)
        }
        if stream.orientation.isMirrored { return .mirrored }
        let isAnyColor = takesAnyCoding && stream.isCopyOnly
        if !isAnyColor, stream.color != encoding.color ?? format.color {
            return .color(stream.color.words, isGuessed: stream.isColorGuessed == true)
        }
        let own = CodedRaster(of: stream)
        if takesAnyCoding {
            if own?.isWritable == false { return .pixelAspect }
        } else {
            if stream.orientation.degrees != encoding.raster?.degrees ?? 0 { return .rotated }
            if stream.pixelAspect != encoding.raster?.pixelAspect ?? RationalTime(whole: 1) { return .pixelAspect }
        }
        return stream.fills(size) ? nil : .size
    }

    /// Whether pictures of this form may stand in the output: in its coding and its raster.
    func fits(_ form: CodedForm, of stream: VideoStreamFacts) -> Bool {
        let coded = takesAnyCoding ? PictureSize(width: stream.width, height: stream.height) : nil
        return hasCoding(form, of: stream)
            && form.size == coded ?? encoding.raster?.size ?? size
            && forms?.contains(form.configuration) != false
    }

    /// Whether pictures of this form have the output's codec, and may stand beside those that its encoder makes: of its
    /// profile or one below it, 4:2:0 of 8 bits. Where all pictures are copied, all are coded alike.
    private func hasCoding(_ form: CodedForm, of stream: VideoStreamFacts) -> Bool {
        if takesAnyCoding, stream.isCopyOnly { return true }
        let codec = takesAnyCoding ? VideoEncoding.Codec(rawValue: stream.codec) : encoding.codec
        guard codec?.rawValue == stream.codec else { return false }
        if encoding.isCopyOnly { return form.isLike(encoding.form, codec: encoding.codec) }
        if codec == .hevc { return form.isMainHEVC }
        guard codec == .h264, let profile = form.copiedProfile else { return false }
        return profile.number <= (encoding.profile ?? .high).number
    }
}
