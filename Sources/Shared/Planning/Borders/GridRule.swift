import Timing

/// The rule for segment lengths (docs/planning.md). It belongs to the job, never to the farm.
struct GridRule {
    /// The shortest distance between two borders, in seconds; the ends of the rendered range count as borders.
    var shortest: Int64
    /// The longest distance between two borders, in seconds.
    var longest: Int64
    /// The distance between two length candidates, in seconds of source time.
    var lengthStep: Int64
    /// The shortest half, in seconds, when an output that would be one segment is divided in two. Each segment encodes
    /// about a second past its end: an output of 5 s takes 5 % more processor time in two halves and 15 % more in three
    /// thirds, and on two cores the thirds end later than the halves (3.2 s against 2.9 s).
    var shortestHalf: Int64

    static let standard = GridRule(shortest: 5, longest: 30, lengthStep: 10, shortestHalf: 2)

    /// The number of frames that fill `shortest` seconds, rounded up; at least 1.
    func shortestCount(_ rate: FrameRate) throws(PlanError) -> Int64 {
        try count(shortest, rate, rounding: .up)
    }

    /// The number of whole frames in `longest` seconds; at least 1.
    func longestCount(_ rate: FrameRate) throws(PlanError) -> Int64 {
        try count(longest, rate, rounding: .down)
    }

    /// The number of frames that fill `shortestHalf` seconds, rounded up; at least 1.
    func shortestHalfCount(_ rate: FrameRate) throws(PlanError) -> Int64 {
        try count(shortestHalf, rate, rounding: .up)
    }

    private func count(_ seconds: Int64, _ rate: FrameRate, rounding: Rounding) throws(PlanError) -> Int64 {
        let time = RationalTime(whole: seconds)
        return max(1, try exact { () throws(TimeError) in try rate.frame(at: time, rounding: rounding).value })
    }
}
