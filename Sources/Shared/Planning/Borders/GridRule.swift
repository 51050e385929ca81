import Timing

/// How long segments are (docs/planning.md). A matter of the job, never of the farm.
struct GridRule {
    /// Seconds between two borders, at least; the ends of what is rendered count as borders.
    var shortest: Int64
    /// Seconds between two borders, at most.
    var longest: Int64
    /// Seconds of source time between two candidates of length.
    var lengthStep: Int64
    /// Seconds of each half, at least, of an output that is cut in two because it would be one segment.
    var shortestHalf: Int64

    static let standard = GridRule(shortest: 5, longest: 30, lengthStep: 10, shortestHalf: 4)

    /// Frames that `shortest` seconds fill, rounded up; at least 1.
    func shortestCount(_ rate: FrameRate) throws(PlanError) -> Int64 {
        try count(shortest, rate, rounding: .up)
    }

    /// Whole frames in `longest` seconds; at least 1.
    func longestCount(_ rate: FrameRate) throws(PlanError) -> Int64 {
        try count(longest, rate, rounding: .down)
    }

    /// Frames that `shortestHalf` seconds fill, rounded up; at least 1.
    func shortestHalfCount(_ rate: FrameRate) throws(PlanError) -> Int64 {
        try count(shortestHalf, rate, rounding: .up)
    }

    private func count(_ seconds: Int64, _ rate: FrameRate, rounding: Rounding) throws(PlanError) -> Int64 {
        let time = RationalTime(whole: seconds)
        return max(1, try exact { () throws(TimeError) in try rate.frame(at: time, rounding: rounding).value })
    }
}
