/// Makes loud passages quieter: above `threshold` the level rises 1 dB for each `ratio` dB that came in. All channels
/// get one gain, that of the loudest.
/// ```
///  out dB        ╭──── ratio
///             ╭──╯     knee: a parabola over its width
///          ╱
///       ╱  threshold
/// ```
public final class Compressor: SoundProcess {
    public struct Settings: Sendable, Hashable {
        /// dB of full scale.
        public var threshold = -20.0
        /// 1 or more.
        public var ratio = 4.0
        /// Seconds.
        public var attack = 0.01
        public var release = 0.2
        /// dB, over which the slope bends.
        public var knee = 6.0
        /// dB, added to all.
        public var makeup = 0.0

        public init() {}
    }

    private let settings: Settings
    private var smoother: LevelSmoother

    public let memory: Int64
    public var latency: Int { 0 }

    public init(_ settings: Settings, sampleRate: Double) {
        self.settings = settings
        smoother = LevelSmoother(attack: settings.attack, release: settings.release, sampleRate: sampleRate)
        memory = smoother.memory
    }

    public func process(_ channels: [SampleBuffer]) {
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
