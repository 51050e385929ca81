import Planning
import Timing

/// A part of a segment whose packets come from one encoder or one source.
enum SegmentPart {
    /// Frames that are composited and encoded, with the number of frames behind them that the encoder sees.
    case encoded(FrameRange, postRoll: Int64)
    case copied(CopiedSpan)

    /// The frames of the segment that the part delivers.
    var frames: FrameRange {
        switch self {
        case .encoded(let frames, _): frames
        case .copied(let span): span.frames
        }
    }

    /// The frames that are composited for the part, in order.
    var composited: [Int64] {
        guard case .encoded(let frames, let postRoll) = self else { return [] }
        return Array(frames.start..<frames.end + postRoll)
    }
}

extension PictureTask {
    /// The parts of the segment, in order of time.
    var parts: [SegmentPart] {
        var parts: [SegmentPart] = []
        var start: Int64 = 0
        for span in copies ?? [] {
            if span.frames.start > start { parts.append(encoded(from: start, to: span.frames.start)) }
            parts.append(.copied(span))
            start = span.frames.end
        }
        if start < frameCount { parts.append(encoded(from: start, to: frameCount)) }
        return parts
    }

    private func encoded(from start: Int64, to end: Int64) -> SegmentPart {
        .encoded(FrameRange(start: start, count: end - start), postRoll: end == frameCount ? postRollCount : 0)
    }
}
