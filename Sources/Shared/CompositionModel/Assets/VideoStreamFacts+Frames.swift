package import Timing

// The frames of a stream in source time, exactly. At a constant rate frame n is on screen for [n, n + 1) ×
// frameDuration; at a variable rate from its own time to that of the next frame, within less than a tick
// (`FrameTicks`).

extension VideoStreamFacts {
    /// The source time at which shown frame `frame` appears, in seconds; `frameCount` gives the end of the last one.
    /// - Throws: ``TimeError/overflow`` when the time does not fit.
    package func time(ofFrame frame: Int64) throws(TimeError) -> RationalTime {
        guard isVariableRate, let frameTimes else { return try frameRate.time(ofFrame: frame) }
        guard frame < frameTimes.count else { return duration }
        return try RationalTime(frameTimes[Int(frame)], of: timeBase)
    }

    /// The frame on screen at `time`; the first one before its start, the last one after its end.
    /// - Throws: ``TimeError/overflow`` when a number does not fit.
    package func frame(shownAt time: RationalTime) throws(TimeError) -> Int64 {
        let last = max(frameCount - 1, 0)
        guard time > .zero else { return 0 }
        guard isVariableRate, let frameTimes else {
            return min(try frameRate.frame(at: time, rounding: .down).value, last)
        }
        let (tick, isExact) = try time.count(of: timeBase, rounding: .down)
        return min(Int64(FrameTicks(frameTimes).frame(at: tick, isExact: isExact) ?? 0), last)
    }

    /// The bound on how long before its time frame `frame` may be shown, in seconds: one tick, which is never reached,
    /// or 0.
    package func earliness(ofFrame frame: Int64) -> RationalTime {
        guard isVariableRate, let frameTimes, frameTimes.indices.contains(Int(frame)) else { return .zero }
        return FrameTicks(frameTimes).mayBeEarly(Int(frame)) ? timeBase : .zero
    }

    /// The position in ``keyframes`` of the first keyframe that appears at `time` or later; their count when none does.
    /// - Throws: ``TimeError/overflow`` when a number does not fit.
    package func firstKeyframe(notBefore time: RationalTime) throws(TimeError) -> Int {
        let frame: Int64
        if isVariableRate, let frameTimes {
            let ticks = try time.count(of: timeBase, rounding: .up).value
            frame = Int64(frameTimes.partitionPoint { $0 >= ticks })
        } else {
            frame = try frameRate.frame(at: time, rounding: .up).value
        }
        return keyframes.partitionPoint { $0 >= frame }
    }

    /// The keyframe whose time is nearest to that of `frame`; the earlier one when two are equally near.
    /// - Parameter seconds: The largest distance allowed, in seconds.
    /// - Returns: nil when no keyframe is within that distance.
    package func keyframe(near frame: Int64, within seconds: RationalTime) -> Int64? {
        func distance(_ other: Int64) -> RationalTime? {
            try? time(ofFrame: max(frame, other)).subtracting(time(ofFrame: min(frame, other)))
        }
        let after = keyframes.partitionPoint { $0 >= frame }
        let near = [after - 1, after].filter(keyframes.indices.contains).map { keyframes[$0] }
        let reached = near.compactMap { key in distance(key).map { (key: key, distance: $0) } }
        return reached.filter { $0.distance <= seconds }.min { $0.distance < $1.distance }?.key
    }

    /// The number of frames that must be decoded before `frame`, back to the keyframe where decoding starts.
    package func decodeDistance(to frame: Int64) -> Int64 {
        if codec == GeneratedPicture.codec || codec == VideoStreamFacts.nestedEditCodec { return 0 }
        let entry = keyframes.partitionPoint { $0 > frame } - 1
        return frame - (entry >= 0 ? keyframes[entry] : 0)
    }
}
