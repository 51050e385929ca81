/// Samples of one channel, changed in place.
package typealias SampleBuffer = UnsafeMutableBufferPointer<Double>

/// What changes sound and remembers what it heard. One run goes from silence over samples in order; how they are cut
/// into blocks changes no bit.
///
/// What was heard `memory` samples ago counts no more (below −140 dB). So a run that starts as much earlier gives what
/// one from the beginning gives, to that measure, and the same bits wherever it is started from the same sample.
/// ```
///           start              wanted
///  silence    |── memory ──|────────────|── latency ──|
///             |            first sample whose output is used comes out `latency` samples later
/// ```
package protocol SoundProcess: AnyObject {
    /// Samples that count. ``SoundMemory/endless`` when everything since the start counts.
    var memory: Int64 { get }
    /// Samples by which what comes out is later than what went in.
    var latency: Int { get }
    /// Changes the next samples in place.
    /// - Parameter channels: as many as the process was made for, of equal length.
    func process(_ channels: [SampleBuffer])
}

/// The number of earlier samples that decide about a sample, where their influence dies away.
package enum SoundMemory {
    /// The memory of what never forgets.
    package static let endless = Int64.max

    /// Samples after which a factor of `ratio` a sample has brought 1 below 1e-7 (−140 dB). Endless when that is above
    /// 2^40 samples.
    package static func fading(by ratio: Double) -> Int64 {
        guard ratio > 0 else { return 1 }
        guard ratio < 1 else { return endless }
        let samples = log2Limit / DecibelMath.log2Exact(ratio)
        return samples < 1_099_511_627_776 ? Int64(samples.rounded(.up)) + 1 : endless
    }

    /// The memory of processes one after the other; endless when one of them is.
    package static func sum(_ memories: some Sequence<Int64>) -> Int64 {
        memories.reduce(0) { $0.addingReportingOverflow($1).overflow ? endless : $0 + $1 }
    }

    /// log2(1e-7)
    private static let log2Limit = -23.253496664211536
}
