/// Closes where it is quiet: what stays below `threshold` for longer than `hold` is lowered by `range`.
///
/// One threshold, no hysteresis: what decides lies `hold` back at most, so that a run may begin anywhere.
package final class Gate: SoundProcess {
    package struct Settings: Sendable, Hashable {
        /// dB of full scale.
        package var threshold = -50.0
        /// Seconds to open, to stay open, to close.
        package var attack = 0.002
        package var hold = 0.1
        package var release = 0.2
        /// dB by which it lowers.
        package var range = 60.0

        package init() {}
    }

    private let range: Double
    private let limit: Double
    private let holdCount: Int
    private var opener: LevelSmoother
    private var sinceLoud: Int

    package let memory: Int64
    package var latency: Int { 0 }

    package init(_ settings: Settings, sampleRate: Double) {
        range = settings.range
        limit = DecibelMath.gain(settings.threshold)
        holdCount = Int((settings.hold * sampleRate).rounded())
        opener = LevelSmoother(attack: settings.attack, release: settings.release, sampleRate: sampleRate)
        sinceLoud = holdCount
        memory = SoundMemory.sum([Int64(holdCount), opener.memory])
    }

    package func process(_ channels: [SampleBuffer]) {
        guard let first = channels.first else { return }
        let others = channels.dropFirst()
        var opener = opener
        for i in first.indices {
            var peak = abs(first[i])
            for channel in others { peak = max(peak, abs(channel[i])) }
            sinceLoud = peak >= limit ? 0 : min(sinceLoud + 1, holdCount)
            let opened = opener.next(sinceLoud < max(holdCount, 1) ? range : 0)
            let gain = DecibelMath.gain(opened - range)
            for channel in channels { channel[i] *= gain }
        }
        self.opener = opener
    }
}
