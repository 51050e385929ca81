/// How long segments are (docs/planning.md). A matter of the job, never of the farm.
struct GridRule {
    /// Seconds between two borders, at least; the ends of what is rendered count as borders.
    var shortest: Int64
    /// Seconds between two borders, at most.
    var longest: Int64
    /// Seconds of source time between two candidates of length.
    var lengthStep: Int64

    static let standard = GridRule(shortest: 5, longest: 30, lengthStep: 10)

    /// Frames that `shortest` seconds fill, rounded up; at least 1.
    func shortestCount(_ rate: FrameRate) throws(PlanError) -> Int64 {
        max(
            1,
            try exact { () throws(TimeError) in try rate.frame(at: RationalTime(whole: shortest), rounding: .up).value }
        )
    }

    /// Whole frames in `longest` seconds; at least 1.
    func longestCount(_ rate: FrameRate) throws(PlanError) -> Int64 {
        max(
            1,
            try exact { () throws(TimeError) in try rate.frame(at: RationalTime(whole: longest), rounding: .down).value
            }
        )
    }
}
