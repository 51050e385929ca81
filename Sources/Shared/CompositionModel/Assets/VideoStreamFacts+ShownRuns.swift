package import Timing

/// Consecutive times of a timeline at each of which a stream shows its next frame.
package struct ShownRun: Sendable, Hashable {
    /// The number of the first of these times.
    package var first: Int64
    /// The shown frames of the stream, one for each time.
    package var frames: FrameRange

    package init(first: Int64, frames: FrameRange) { (self.first, self.frames) = (first, frames) }
}

extension VideoStreamFacts {
    /// The frames on screen at the times `start`, `start + step`, … in runs that show each frame once.
    /// ```
    /// frames of the stream   │ 0   │ 1   │ 2        │ 3   │ 4   │
    /// times                  ↑     ↑     ↑     ↑     ↑     ↑        runs: 0 to 2, then 2 to 4
    /// ```
    /// A stream of constant rate has one run, as `step` has to be the duration of its frames. At a variable rate a run
    /// ends where a frame is shown again, or one is left out. None reaches beyond the end of the stream.
    /// - Parameters:
    ///   - start: the source time of the first time, in seconds, not negative.
    ///   - step: seconds from each time to the next.
    ///   - count: the number of times.
    /// - Throws: ``TimeError/overflow`` when a number does not fit.
    package func shownRuns(
        from start: RationalTime,
        step: RationalTime,
        count: Int64
    ) throws(TimeError) -> [ShownRun] {
        guard isVariableRate, let frameTimes else {
            guard start < duration else { return [] }
            let first = try frame(shownAt: start)
            let frames = FrameRange(start: first, count: max(0, min(count, frameCount - first)))
            return [ShownRun(first: 0, frames: frames)]
        }
        let ticks = FrameTicks(frameTimes)
        let end = try duration.count(of: timeBase, rounding: .up).value
        var (runs, clock) = ([ShownRun](), try TickClock(start: start, step: step, tick: timeBase))
        for number in 0..<max(0, count) where clock.tick < end {
            let frame = Int64(ticks.frame(at: clock.tick, isExact: clock.isExact) ?? 0)
            if let last = runs.last, last.frames.end == frame, last.first + last.frames.count == number {
                runs[runs.count - 1].frames = FrameRange(start: last.frames.start, count: last.frames.count + 1)
            } else {
                runs.append(ShownRun(first: number, frames: FrameRange(start: frame, count: 1)))
            }
            clock.advance()
        }
        return runs
    }
}

/// Counts the whole ticks up to each of a row of times.
private struct TickClock {
    /// The time in ticks, rounded down.
    private(set) var tick: Int64
    /// What of the time lies beyond ``tick``, in units of which a tick has ``unitsOfTick``.
    private var rest: Int128
    private let unitsOfTick: Int128
    private let (ticksOfStep, restOfStep): (Int64, Int128)

    /// - Throws: ``TimeError/overflow`` when a number does not fit.
    init(start: RationalTime, step: RationalTime, tick: RationalTime) throws(TimeError) {
        func product(_ factors: Int64...) throws(TimeError) -> Int128 {
            var product: Int128 = 1
            for factor in factors {
                let (result, overflows) = product.multipliedReportingOverflow(by: Int128(factor))
                // Below half of the largest number: sums of two such fit.
                guard !overflows, result.magnitude <= Int128.max.magnitude / 2 else { throw .overflow }
                product = result
            }
            return product
        }
        func whole(_ value: Int128) throws(TimeError) -> Int64 {
            guard let number = Int64(exactly: value) else { throw .overflow }
            return number
        }
        unitsOfTick = try product(start.denominator, step.denominator, tick.numerator)
        let first = try product(start.numerator, step.denominator, tick.denominator).quotientAndRemainder(
            dividingBy: unitsOfTick
        )
        let each = try product(step.numerator, start.denominator, tick.denominator).quotientAndRemainder(
            dividingBy: unitsOfTick
        )
        (self.tick, rest) = (try whole(first.quotient), first.remainder)
        (ticksOfStep, restOfStep) = (try whole(each.quotient), each.remainder)
    }

    /// Whether the time is a whole number of ticks.
    var isExact: Bool { rest == 0 }

    /// Goes to the next time; one that does not fit counts as the last tick there is.
    mutating func advance() {
        rest += restOfStep
        let carry: Int64 = rest >= unitsOfTick ? 1 : 0
        if carry == 1 { rest -= unitsOfTick }
        let (ticks, isTooLong) = ticksOfStep.addingReportingOverflow(carry)
        let (next, overflows) = tick.addingReportingOverflow(ticks)
        tick = isTooLong || overflows ? .max : next
    }
}
