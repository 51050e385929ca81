import CompositionModel
import Timing

extension CopySpans {
    /// The frames of `range` that are not copied, in order of time, each range with its reason. Neighbours of one reason are
    /// one range.
    /// - Throws: ``PlanError`` when a time overflows or facts are missing.
    func uncopied(in range: FrameRange) throws(PlanError) -> UncopiedFrames {
        var rest = UncopiedFrames()
        for run in runs[runs.partitionPoint { $0.frames.end > range.start }...] {
            guard run.frames.start < range.end else { break }
            let shown = FrameRange(from: max(run.frames.start, range.start), to: min(run.frames.end, range.end))
            let spans = try self.spans(of: run, in: shown)
            guard spans.reduce(0, { $0 + $1.frames.count }) < shown.count else { continue }
            let reason = try reason(run, in: shown)
            var start = shown.start
            for span in spans {
                rest.append(FrameRange(from: start, to: span.frames.start), reason)
                start = span.frames.end
            }
            rest.append(FrameRange(from: start, to: shown.end), reason)
        }
        return rest
    }
}

extension FrameRange {
    /// The frames from `start` up to and without `end`; none when it does not lie behind.
    init(from start: Int64, to end: Int64) { self.init(start: start, count: max(0, end - start)) }
}

extension CodedForm {
    /// Whether pictures of this form may stand in one track of copied pictures with those of another: intra codecs have one
    /// sample entry; H.264 and HEVC have one for all parameter sets of one profile, chroma format and depth.
    func isLike(_ other: CodedForm?, codec: VideoEncoding.Codec) -> Bool {
        guard let other else { return false }
        guard [.h264, .hevc].contains(codec) else { return configuration == other.configuration }
        return profile == other.profile && chromaFormat == other.chromaFormat && bits == other.bits
    }
}

extension VideoEncoding {
    /// The most kinds of parameter sets that are copied into one track. A sample entry of H.264 holds 31 (ISO/IEC 14496-15,
    /// 5.3.3.1), HEVC has 16 ids (ITU-T H.265, 7.4.3.2.1); where pictures are encoded, one is the encoder's.
    var mostForms: Int {
        switch codec {
        case .h264: isCopyOnly ? 31 : 30
        case .hevc: isCopyOnly ? 16 : 15
        case .ffv1, .prores, .dnxhd, .mjpeg: 1
        }
    }
}
