package import Timing

extension FrameIndex {
    /// The number of the shown frame that is on screen at source time `time`, counted from 0 in presentation order.
    /// ```
    /// constant rate   frame n: offset + [n, n + 1) × frameDuration          offset = shown[0] − origin
    /// variable rate   frame n: [shown[n], shown[n + 1]) − origin            the last one up to endPts
    /// ```
    /// At a variable rate a frame counts as reached less than a tick before its time: ``FrameTicks``.
    /// - Returns: nil before the first frame, and from the end of the last one on.
    /// - Throws: ``TimeError/overflow`` for a time that no file has.
    package func shownFrame(at time: RationalTime) throws(TimeError) -> Int? {
        guard let first = shown.first else { return nil }
        guard let constantFrameDuration else { return try variableFrame(at: time) }
        let offset = try RationalTime(difference(first, origin), of: timeBase)
        let (number, _) = try time.subtracting(offset).count(of: constantFrameDuration, rounding: .down)
        return number >= 0 && number < Int64(shown.count) ? Int(number) : nil
    }

    /// The source time at which shown frame `number` starts, in seconds.
    /// - Precondition: 0 ≤ `number` < `shown.count`.
    /// - Throws: ``TimeError/overflow`` when the time does not fit.
    package func time(ofShownFrame number: Int) throws(TimeError) -> RationalTime {
        guard let constantFrameDuration else {
            return try RationalTime(difference(shown[number], origin), of: timeBase)
        }
        let offset = try RationalTime(difference(shown[0], origin), of: timeBase)
        return try offset.adding(RationalTime(Int64(number), of: constantFrameDuration))
    }

    private func variableFrame(at time: RationalTime) throws(TimeError) -> Int? {
        let (tick, isExact) = try time.count(of: timeBase, rounding: .down)
        let (pts, overflows) = tick.addingReportingOverflow(origin)
        guard !overflows else { throw .overflow }
        return pts < endPts ? FrameTicks(shown).frame(at: pts, isExact: isExact) : nil
    }

    private func difference(_ left: Int64, _ right: Int64) throws(TimeError) -> Int64 {
        let (value, overflows) = left.subtractingReportingOverflow(right)
        guard !overflows else { throw .overflow }
        return value
    }
}
