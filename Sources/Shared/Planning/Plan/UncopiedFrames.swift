import CompositionModel
package import Timing

/// The frames of an output that would have to be encoded although its codec is only copied.
package struct UncopiedFrames: Sendable, Hashable {
    /// Consecutive frames that are not copied for one reason.
    package struct Range: Sendable, Hashable {
        /// The frames of the composition's timeline.
        package var frames: FrameRange
        package var reason: EncodingReason
    }

    /// The ranges in order of time; none touches the next with the same reason.
    package private(set) var ranges: [Range] = []

    package init() {}

    package var isEmpty: Bool { ranges.isEmpty }

    /// The number of frames in all ranges.
    package var frameCount: Int64 { ranges.reduce(0) { $0 + $1.frames.count } }

    /// Adds frames behind the others; none when `frames` is empty.
    mutating func append(_ frames: FrameRange, _ reason: EncodingReason) {
        guard !frames.isEmpty else { return }
        guard let last = ranges.last, last.reason == reason, last.frames.end == frames.start else {
            return ranges.append(Range(frames: frames, reason: reason))
        }
        ranges[ranges.count - 1].frames = FrameRange(from: last.frames.start, to: frames.end)
    }

    /// The most ranges that a sentence lists.
    private static let mostListed = 10

    /// The sentence that refuses an output: what cannot be encoded, which frames would have to be and why, and what to
    /// do.
    /// - Parameters:
    ///   - coding: the name of the output's coding: ``MatchedSource/coding``.
    ///   - rate: the frame rate of the timeline.
    package func refusal(of coding: String, at rate: FrameRate) -> String {
        let listed = ranges.prefix(Self.mostListed).map { "\(words($0.frames, rate)): \($0.reason.words)" }
        let more = ranges.count > listed.count ? ["and \(Count.of(ranges.count - listed.count, "more range"))"] : []
        let list = (listed + more).joined(separator: "; ")
        // Beside a cut, the cut can be moved behind the frames or before them.
        let isBeside = ranges.allSatisfy { $0.reason == .border }
        let advice = isBeside ? "move the cuts so that these are not shown" : "show nothing else"
        return "\(coding) is copied and not encoded, and \(Count.of(frameCount, "frame")) cannot be copied "
            + "(\(list)); \(advice), or use another preset, such as \"h264\""
    }

    /// Frames with their timecodes, the last one included: `00:00:04:00 to 00:00:04:24, frames 100 to 124`.
    private func words(_ frames: FrameRange, _ rate: FrameRate) -> String {
        let (first, last) = (frames.start, frames.end - 1)
        func timecode(_ frame: Int64) -> String {
            "\(Timecode(frame: frame, at: rate, isDropFrame: Timecode.allowsDropFrame(rate)))"
        }
        guard first < last else { return "\(timecode(first)), frame \(first)" }
        return "\(timecode(first)) to \(timecode(last)), frames \(first) to \(last)"
    }
}
