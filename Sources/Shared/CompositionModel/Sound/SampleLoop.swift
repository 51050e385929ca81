/// A part of a stream that repeats, in samples at the stream's own rate: sample `start + count + k` sounds like
/// `start + k`, as if the file held the part that many times. Silence precedes the clip's own first sample and follows
/// the last run.
package struct SampleLoop: Sendable, Hashable, Codable {
    /// The first sample of the part.
    package var start: Int64
    /// The number of samples of the part, above 0.
    package var count: Int64
    /// The number of runs, above 0; nil means as many as the clip needs.
    package var runs: Int64?

    package init(start: Int64, count: Int64, runs: Int64? = nil) {
        (self.start, self.count, self.runs) = (start, count, runs)
    }
}
