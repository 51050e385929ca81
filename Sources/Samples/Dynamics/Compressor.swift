/// Makes loud passages quieter: above `threshold` the level rises 1 dB for each `ratio` dB that came in. All channels
/// get one gain, that of the loudest.
/// ```
///  out dB        ╭──── ratio
///             ╭──╯     knee: a parabola over its width
///          ╱
///       ╱  threshold
/// ```
package final class Compressor: SoundProcess {
    package struct Settings: Sendable, Hashable {
        /// dB of full scale.
        package var threshold = -20.0
        /// 1 or more.
        package var ratio = 4.0
        /// Seconds.
        package var attack = 0.01
        package var release = 0.2
        /// dB, over which the slope bends.
        package var knee = 6.0
        /// dB, added to all.
        package var makeup = 0.0

        package init() {}
    }

    private let settings: Settings
    private var smoother: LevelSmoother

    package let memory: Int64
    package var latency: Int { 0 }

    package init(_ settings: Settings, sampleRate: Double) {
        self.settings = settings
        smoother = LevelSmoother(attack: settings.attack, release: settings.release, sampleRate: sampleRate)
        memory = smoother.memory
    }

    package func process(_ channels: [SampleBuffer]) {
        guard let first = channels.first else { return }
        let (settings, others) = (settings, channels.dropFirst())
        var smoother = smoother
        for i in first.indices {
            var peak = abs(first[i])
            for channel in others { peak = max(peak, abs(channel[i])) }
            let reduction = smoother.next(Compressor.reduction(DecibelMath.decibels(peak), settings))
            let gain = DecibelMath.gain(settings.makeup - reduction)
            for channel in channels { channel[i] *= gain }
        }
        self.smoother = smoother
    }

    /// The dB by which a steady level of `level` dB is lowered.
    @inline(__always) static func reduction(_ level: Double, _ settings: Settings) -> Double {
        let (over, knee) = (level - settings.threshold, settings.knee)
        let slope = 1 - 1 / settings.ratio
        if 2 * over < -knee { return 0 }
        if knee > 0, 2 * over <= knee { return slope * (over + knee / 2) * (over + knee / 2) / (2 * knee) }
        return slope * max(over, 0)
    }
}
