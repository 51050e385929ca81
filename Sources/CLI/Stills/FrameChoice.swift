import CompositionModel
import Ingest
import Planning
import Timing

/// The choice of the frame that is made in place of the one that was asked for: with a tolerance a keyframe near it.
struct FrameChoice {
    private let keyframes: NearKeyframes?
    /// The tolerance in frames of the timeline.
    private let distance: Int64
    /// The stream of a media file, with the tolerance in seconds.
    private let ofFile: (stream: VideoStreamFacts, seconds: RationalTime)?

    /// - Parameter tolerance: how far away a keyframe may be, in seconds; nil for exact frames.
    /// - Throws: ``CommandFailure`` when the keyframes cannot be found; `TimeError` for a tolerance out of reach.
    init(_ rendering: LocalRendering, times: StillTimes, tolerance: RationalTime?) throws {
        let stream = rendering.footage?.stream
        ofFile = tolerance.flatMap { seconds in stream.map { ($0, seconds) } }
        distance = try tolerance.map { try times.rate.frame(at: $0, rounding: .down).value } ?? 0
        do {
            keyframes =
                try tolerance == nil || stream != nil
                ? nil : NearKeyframes(rendering.compiled.composition, facts: rendering.compiled.facts)
        } catch {
            throw CommandFailure(error.failure)
        }
    }

    /// The frame to make for frame `wanted`: the nearest keyframe within the tolerance, else the frame itself.
    func frame(_ wanted: Int64) -> Int64 {
        if let (stream, seconds) = ofFile { return stream.keyframe(near: wanted, within: seconds) ?? wanted }
        return keyframes?.nearest(to: wanted, within: distance) ?? wanted
    }
}
