import CompositionModel
import Ingest
import Planning
import Timing

/// Chooses the frame that is made for a requested one: with a tolerance, a nearby keyframe.
struct FrameChoice {
    private let keyframes: NearKeyframes?
    /// The tolerance in frames of the timeline.
    private let distance: Int64
    /// The stream of a media file, with the tolerance in seconds.
    private let ofFile: (stream: VideoStreamFacts, seconds: RationalTime)?

    /// Finds the keyframes, if there is a tolerance.
    /// - Parameter tolerance: The greatest distance of a keyframe, in seconds; nil makes exact frames.
    /// - Throws: ``CommandFailure`` when the keyframes cannot be found; `TimeError` for a tolerance out of range.
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
