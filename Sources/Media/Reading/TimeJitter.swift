/// Finds out whether the times of a stream's packets waver around a continuous sound.
///
/// Some muxers wrote times that are off by a few hundredths of a second, now late and now right. Sound that is placed by
/// such times is cut into pieces with silence between them, though nothing is missing. A time that is off and comes back
/// within a second is jitter; one that stays off is a hole, or an overlap.
/// ```
/// frame by frame      0    23    46    69    92  ms, by the lengths of the frames
/// times               0    33    66    69   102      jitter of 20 ms: they come back
/// times               0    23   116   139   162      a hole of 70 ms: they stay
/// ```
struct TimeJitter {
    /// The largest jitter in samples; 0 where hardly any time is off: a clock that drifts is no jitter, and a single time
    /// that is off is not made the rule for all.
    var jitter: Int64 { 100 * offCount >= frameCount ? largest : 0 }
    /// The largest distance that came back, in samples.
    private var largest: Int64 = 0
    private var frameCount: Int64 = 0
    /// The frames whose times were off and came back.
    private var offCount: Int64 = 0
    /// Times further off than this are no jitter, in samples: a tenth of a second.
    private let limit: Int64
    /// Times that do not come back within this number of samples stay off: a second.
    private let patience: Int64
    /// The distance in samples that passes for none.
    private let tolerance: Int64
    /// The distance in samples within which a time has come back: nearer than `tolerance` by more than rounding, or a clock
    /// that drifts would come back whenever its times are rounded to the near side.
    private let near: Int64
    /// The distance of the time from the sound's place that holds at present.
    private var base: Int64?
    /// The frames whose times are off and have not come back: distance and place in samples.
    private var open: [(distance: Int64, place: Int64)] = []
    /// The place of the next frame by the lengths of those before it.
    private var place: Int64 = 0

    /// - Parameters:
    ///   - tolerance: the distance that passes for none, in samples.
    ///   - rounding: the error of a time by the container's ticks, in samples.
    init(sampleRate: Int, tolerance: Int64, rounding: Int64) {
        (limit, patience) = (Int64(sampleRate / 10), Int64(sampleRate))
        self.tolerance = tolerance
        near = max(tolerance - rounding, tolerance / 2)
    }

    /// Takes the next frame.
    /// - Parameters:
    ///   - time: the sample that its time says; nil when it has none.
    ///   - count: its samples.
    ///   - lost: the number of packets before it that gave nothing, each as long as it.
    mutating func add(_ time: Int64?, count: Int64, lost: Int64) {
        place = place.addingReportingOverflow(lost.multipliedReportingOverflow(by: count).partialValue).partialValue
        defer { place = place.addingReportingOverflow(count).partialValue }
        frameCount += 1
        guard let time else { return }
        settle(time.subtractingReportingOverflow(place).partialValue, at: place)
    }

    private mutating func settle(_ distance: Int64, at place: Int64) {
        guard let base else {
            self.base = distance
            return
        }
        let off = distance.subtractingReportingOverflow(base)
        let magnitude = off.overflow ? .max : off.partialValue.magnitude
        if magnitude <= near.magnitude {
            for frame in open { largest = max(largest, abs(frame.distance - base)) }
            offCount += Int64(open.count)
            open = []
        } else if magnitude > limit.magnitude {
            // The times have jumped; what was still off before is left as it is.
            (self.base, open) = (distance, [])
        } else if magnitude > tolerance.magnitude || !open.isEmpty {
            open.append((distance, place))
            if let first = open.first, place - first.place >= patience { jump() }
        }
    }

    /// The oldest open frame did not come back: its distance holds from there on, and the frames after it are looked at
    /// anew.
    private mutating func jump() {
        let frames = open
        (base, open) = (frames[0].distance, [])
        for frame in frames.dropFirst() { settle(frame.distance, at: frame.place) }
    }
}
