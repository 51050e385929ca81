import CompositionModel
import Timing

// This extension finds the frames that are encoded, and the reason of each.
extension CopySpans {
    /// Why frames of `range` are encoded, the reason of most frames first.
    /// - Throws: ``PlanError`` when a time overflows or facts are missing.
    func encoded(in range: FrameRange) throws(PlanError) -> [EncodedShare] {
        var counts: [EncodingReason: Int64] = [:]
        for range in try uncopied(in: range).ranges { counts[range.reason, default: 0] += range.frames.count }
        return counts.map { EncodedShare(reason: $0.key, frames: $0.value) }.sorted {
            ($1.frames, $0.reason.rawValue) < ($0.frames, $1.reason.rawValue)
        }
    }

    /// The frames of `range` that are not copied, in order of time, each range with its reason. Neighbours of one
    /// reason are one range.
    /// - Throws: ``PlanError`` when a time overflows or facts are missing.
    func uncopied(in range: FrameRange) throws(PlanError) -> UncopiedFrames {
        var rest = UncopiedFrames()
        for run in runs[runs.partitionPoint { $0.frames.end > range.start }...] {
            guard run.frames.start < range.end else { break }
            try append(run, in: range, to: &rest)
        }
        return rest
    }

    private func append(_ run: SliceInstruction, in range: FrameRange, to rest: inout UncopiedFrames) throws(PlanError)
    {
        let wanted = FrameRange(from: max(run.frames.start, range.start), to: min(run.frames.end, range.end))
        let source: SliceSource
        switch try untouched(run) {
        case .failure(let touch): return rest.append(wanted, touch.reason)
        case .success(let found): source = found
        }
        let stream = try assets.video(source)
        guard let facts = stream.copy else { return rest.append(wanted, .source(.codec)) }
        let shown = try shown(of: source, in: run, range)
        var time = wanted.start
        for (index, part) in shown.enumerated() {
            rest.append(FrameRange(from: time, to: part.first), .border)
            time = part.first + part.frames.count
            let edges = Edges(isCutAtStart: index == 0, isCutAtEnd: index == shown.count - 1)
            append(part, edges, facts, of: stream, to: &rest)
        }
        rest.append(FrameRange(from: time, to: wanted.end), .border)
    }

    /// What stands at the ends of frames that follow one by one: a cut, or a frame that is shown again or left out.
    private struct Edges {
        var isCutAtStart: Bool
        var isCutAtEnd: Bool
    }

    private func append(
        _ part: ShownRun,
        _ edges: Edges,
        _ facts: CopyFacts,
        of stream: VideoStreamFacts,
        to rest: inout UncopiedFrames
    ) {
        func append(_ frames: Range<Int64>, _ reason: EncodingReason) {
            let start = part.first + frames.lowerBound - part.frames.start
            rest.append(FrameRange(start: start, count: Int64(frames.count)), reason)
        }
        var place = part.frames.start
        let copies = encoding.copies == true ? ranges(in: part.frames, facts, of: stream).map(\.0) : []
        for copy in copies + [FrameRange(start: part.frames.end, count: 0)] where copy.start >= place {
            let gap = place..<copy.start
            place = copy.end
            var frame = gap.lowerBound
            for stretch in facts.stretches[facts.stretches.partitionPoint { $0.frames.end > gap.lowerBound }...] {
                guard stretch.frames.start < gap.upperBound else { break }
                let inside = max(frame, stretch.frames.start)..<min(stretch.frames.end, gap.upperBound)
                append(frame..<inside.lowerBound, obstacle(before: inside.lowerBound, facts))
                let isOdd =
                    (gap.lowerBound == part.frames.start && !edges.isCutAtStart)
                    || (gap.upperBound == part.frames.end && !edges.isCutAtEnd)
                append(inside, misfit(of: stretch, facts, of: stream) ?? (isOdd ? .variableRate : .border))
                frame = inside.upperBound
            }
            append(frame..<gap.upperBound, obstacle(before: gap.upperBound, facts))
        }
    }

    /// Why no frame of the stretch can be copied; nil when some can.
    private func misfit(of stretch: CopyStretch, _ facts: CopyFacts, of stream: VideoStreamFacts) -> EncodingReason? {
        guard facts.forms.indices.contains(stretch.form) else { return .format }
        let form = facts.forms[stretch.form]
        if fits(form, of: stream) { return nil }
        return forms?.contains(form.configuration) == false ? .parameterSets : .format
    }

    /// Why frames outside of all stretches cannot be copied. Each obstacle stands where its reason was met first: the
    /// last one that is not behind the frames counts.
    private func obstacle(before end: Int64, _ facts: CopyFacts) -> EncodingReason {
        let obstacle = facts.obstacles.last { $0.frame < end } ?? facts.obstacles.first
        return obstacle.map { .source($0.reason) } ?? .border
    }
}

extension FrameRange {
    /// The frames from `start` up to and without `end`; none when it does not lie behind.
    init(from start: Int64, to end: Int64) { self.init(start: start, count: max(0, end - start)) }
}

extension CodedForm {
    /// Whether pictures of this form may stand in one track of copied pictures with those of another: intra codecs have
    /// one sample entry; H.264 and HEVC have one for all parameter sets of one profile, chroma format and depth.
    func isLike(_ other: CodedForm?, codec: VideoEncoding.Codec) -> Bool {
        guard let other else { return false }
        guard [.h264, .hevc].contains(codec) else { return configuration == other.configuration }
        return profile == other.profile && chromaFormat == other.chromaFormat && bits == other.bits
    }
}

extension VideoEncoding {
    /// The most kinds of parameter sets that are copied into one track. A sample entry of H.264 holds 31 (ISO/IEC
    /// 14496-15, 5.3.3.1), HEVC has 16 ids (ITU-T H.265, 7.4.3.2.1); where pictures are encoded, one is the encoder's.
    var mostForms: Int {
        switch codec {
        case .h264: isCopyOnly ? 31 : 30
        case .hevc: isCopyOnly ? 16 : 15
        case .ffv1, .prores, .dnxhd, .mjpeg: 1
        }
    }
}
