/// Sound that can be read at any place, as the edit's channels.
protocol SampleSource: AnyObject {
    /// Fills `channels` with the samples `range` at the source's own rate, 0 = the first audible one. There is silence
    /// before it and past the end. Each sample is a sum from 0, and so never −0.
    /// - Parameter channels: one buffer of `range.count` samples for each channel of the edit.
    func read(_ range: Range<Int64>, into channels: [UnsafeMutableBufferPointer<Double>]) throws
}
