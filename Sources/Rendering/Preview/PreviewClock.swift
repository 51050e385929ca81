import Timing

/// The clock of a track of pictures: a whole number of ticks a frame, and at least 10,000 a second.
struct PreviewClock {
    let ticksPerSecond: UInt32
    let ticksPerFrame: UInt32

    /// - Throws: ``RenderError`` `preview_unsupported` for a rate that is too fine a fraction.
    init(_ rate: FrameRate) throws(RenderError) {
        var factor: Int64 = 1
        while rate.numerator * factor < 10_000 { factor *= 2 }
        guard let second = UInt32(exactly: rate.numerator * factor),
            let frame = UInt32(exactly: rate.denominator * factor)
        else { throw .notPlayed("\(rate) frames a second") }
        (ticksPerSecond, ticksPerFrame) = (second, frame)
    }
}
