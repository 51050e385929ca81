package import Timing

// The rate of a timeline that shows a stream of variable rate.

extension VideoStreamFacts {
    /// The frame rate of an edit that states none. At a constant rate it is the stream's own. At a variable rate it is
    /// the lowest rate up to 60 whose grid holds all frames, so that none is lost; else the nearest common rate within
    /// a hundredth of the average; else the average, rounded up to a whole number, at most 240. A rate below 24000/1001
    /// is multiplied by the least whole number that lifts it to that: the pictures of a slide show are far apart, but a
    /// dissolve between them needs more frames.
    package var editRate: FrameRate {
        guard isVariableRate else { return frameRate }
        let up = (Int128(frameRate.numerator) + Int128(frameRate.denominator) - 1) / Int128(frameRate.denominator)
        let average = try? FrameRate(Int64(clamping: min(up, 240)))
        return (gridRate(upTo: 60) ?? frameRate.nearCommon ?? average ?? frameRate).moving
    }

    /// The frame rate at which all frames are read: like ``editRate``, but up to 240; else the lowest common rate up to
    /// that at which each frame is on screen at least once; else ``editRate``.
    package var readRate: FrameRate {
        guard isVariableRate else { return frameRate }
        if let rate = gridRate(upTo: 240) { return rate }
        let highest = max(RationalTime(whole: 240), frameRate.framesPerSecond)
        let range = frameRate.framesPerSecond...highest
        let rates = FrameRate.common.filter { range.contains($0.framesPerSecond) }
        return rates.sorted { $0.framesPerSecond < $1.framesPerSecond }.first { lostFrames(at: $0) == 0 } ?? editRate
    }

    /// The number of frames that are on screen at none of the times 0, 1 / `rate`, 2 / `rate`, … before the end.
    package func lostFrames(at rate: FrameRate) -> Int64 {
        guard isVariableRate, let frameTimes, let grid = RateGrid(rate, timeBase: timeBase),
            let end = try? rate.frame(at: duration, rounding: .up).value
        else { return 0 }
        let ticks = FrameTicks(frameTimes)
        let firsts = frameTimes.indices.map { grid.firstNumber(at: frameTimes[$0], mayBeEarly: ticks.mayBeEarly($0)) }
        return Int64(zip(firsts, firsts.dropFirst() + [Int128(end)]).count { min($1, Int128(end)) <= $0 })
    }

    /// The lowest rate that has every frame within a tick of a place of its own, among the common rates and the one
    /// whose frame duration is the common divisor of all distances. Of those within a five-hundredth of the lowest it
    /// is the one that fits best.
    private func gridRate(upTo limit: Int64) -> FrameRate? {
        guard let frameTimes, frameTimes.count > 1 else { return nil }
        let limits = RationalTime(whole: 1)...RationalTime(whole: limit)
        let rates = (FrameRate.common + [divisorRate(frameTimes)].compactMap(\.self)).filter {
            limits.contains($0.framesPerSecond)
        }
        let fitting = rates.compactMap { rate in
            RateGrid(rate, timeBase: timeBase)?.deviation(of: frameTimes).map { (rate: rate, deviation: $0) }
        }
        guard let lowest = fitting.map(\.rate.framesPerSecond).min(),
            let near = try? lowest.multiplied(by: RationalTime(501, 500))
        else { return nil }
        return fitting.filter { $0.rate.framesPerSecond <= near }.min { $0.deviation < $1.deviation }?.rate
    }

    private func divisorRate(_ times: [Int64]) -> FrameRate? {
        let divisor = zip(times, times.dropFirst()).reduce(Int64(0)) { greatestDivisor($0, $1.1 - $1.0) }
        guard divisor > 0, let length = try? RationalTime(divisor, of: timeBase) else { return nil }
        return try? FrameRate(length.denominator, length.numerator)
    }

    private func greatestDivisor(_ one: Int64, _ other: Int64) -> Int64 {
        var (one, other) = (one.magnitude, other.magnitude)
        while other != 0 { (one, other) = (other, one % other) }
        return Int64(clamping: one)
    }
}

extension FrameRate {
    /// The lowest whole multiple of the rate that is at least 24000/1001.
    fileprivate var moving: FrameRate {
        let (least, own) = (Int128(24000) * Int128(denominator), Int128(1001) * Int128(numerator))
        let (frames, isTooLarge) = numerator.multipliedReportingOverflow(by: Int64(clamping: (least + own - 1) / own))
        return isTooLarge ? self : (try? FrameRate(frames, denominator)) ?? self
    }
}

/// The times n / rate compared with whole ticks, both counted in units in which they are whole.
private struct RateGrid {
    /// The units in one tick.
    private let tick: Int128
    /// The units in one frame.
    private let frame: Int128

    /// - Returns: nil when the numbers are so large that their products do not fit.
    init?(_ rate: FrameRate, timeBase: RationalTime) {
        tick = Int128(timeBase.numerator) * Int128(rate.numerator)
        frame = Int128(timeBase.denominator) * Int128(rate.denominator)
        guard tick > 0, tick < 1 << 62, frame < 1 << 62 else { return nil }
    }

    /// The largest distance of a time from its place, in thousandths of a tick; nil when one is a tick or more away, or
    /// two times share a place. Where a frame has less than four ticks, every time must be exactly on its place.
    func deviation(of times: [Int64]) -> Int128? {
        let isRounded = frame >= 4 * tick
        var last: Int128 = -1
        var largest: Int128 = 0
        for time in times {
            let place = Int128(time) * tick
            let number = (2 * place + frame) / (2 * frame)
            let distance = abs(number * frame - place)
            guard number > last, isRounded ? distance < tick : distance == 0 else { return nil }
            (last, largest) = (number, max(largest, distance))
        }
        return largest * 1000 / tick
    }

    /// The number of the first place at which a frame that appears at `time` is reached.
    func firstNumber(at time: Int64, mayBeEarly: Bool) -> Int128 {
        let place = Int128(time) * tick
        return mayBeEarly ? (place - tick) / frame + 1 : (place + frame - 1) / frame
    }
}
