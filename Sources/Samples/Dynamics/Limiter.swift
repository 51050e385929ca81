import Timing

/// Keeps the true peak, also between samples, below `ceiling`, and touches nothing that is quieter. It looks ahead, so
/// that the gain has come down, smoothly, before the peak is there.
/// ```
///  reduction asked for   ____|____          held over the look-ahead, released slowly,
///  reduction given       _/‾‾‾‾\___         averaged over the look-ahead by a Hann window: never less than asked for
/// ```
package final class Limiter: SoundProcess {
    package struct Settings: Sendable, Hashable {
        /// dB of full scale (dBTP).
        package var ceiling = -1.0
        /// Seconds, to 1/e.
        package var release = 0.1
        /// Seconds.
        package var lookAhead = 0.005

        package init() {}
    }

    private let ceiling: Double
    private let oversampler = Oversampler()
    /// Per channel the last samples, for the oversampler.
    private var recent: [[Double]]
    private var delays: [DelayLine]
    private var window: PeakWindow
    private var smoother: LevelSmoother
    private let weights: [Double]
    private var reductions: [Double]
    private var place = 0

    package let memory: Int64
    package let latency: Int

    package init(_ settings: Settings, channels: Int, sampleRate: Double) {
        ceiling = settings.ceiling
        let ahead = max(Int((settings.lookAhead * sampleRate).rounded()), 1)
        recent = Array(repeating: Array(repeating: 0, count: 2 * Oversampler.tapCount), count: channels)
        // The value between two samples counts for both of them.
        window = PeakWindow(count: ahead + 2)
        smoother = LevelSmoother(attack: 0, release: settings.release, sampleRate: sampleRate)
        let hann = (1...ahead).map { 1 - ExactMath.cosPi(2 * Double($0) / Double(ahead + 1)) }
        let sum = hann.reduce(0, +)
        weights = hann.map { $0 / sum }
        reductions = Array(repeating: 0, count: 2 * ahead)
        latency = ahead + Oversampler.lookAhead
        delays = Array(repeating: DelayLine(count: latency), count: channels)
        memory = SoundMemory.sum([smoother.memory, Int64(2 * ahead + 2 * Oversampler.tapCount)])
    }

    package func process(_ channels: [SampleBuffer]) {
        guard let first = channels.first else { return }
        for i in first.indices {
            var peak = 0.0
            for (index, channel) in channels.enumerated() { peak = max(peak, peakAfter(channel[i], index)) }
            let asked = max(DecibelMath.decibels(peak) - ceiling, 0)
            let reduction = averaged(smoother.next(window.next(asked)))
            let gain = reduction > 0 ? DecibelMath.gain(-reduction) : 1
            for (index, channel) in channels.enumerated() { channel[i] = delays[index].next(channel[i]) * gain }
            place += 1
        }
    }

    /// The true peak about the sample that lies ``Oversampler/lookAhead`` before `sample`.
    private func peakAfter(_ sample: Double, _ channel: Int) -> Double {
        let taps = Oversampler.tapCount
        let slot = place % taps
        // Written twice, so that the last ones always stand in a row.
        recent[channel][slot] = sample
        recent[channel][slot + taps] = sample
        return recent[channel].withUnsafeBufferPointer { oversampler.peak($0, from: slot + 1) }
    }

    private func averaged(_ reduction: Double) -> Double {
        let count = weights.count
        let slot = place % count
        reductions[slot] = reduction
        reductions[slot + count] = reduction
        var sum = 0.0
        for tap in 0..<count { sum += weights[tap] * reductions[slot + 1 + tap] }
        return sum
    }
}
