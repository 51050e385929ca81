/// Repeats what was heard: after `time`, and each repeat again, `feedback` as loud.
///
/// y(n) = dry × x(n) + mix × r(n), where r(n) = x(n − T) + feedback × r(n − T) and T = `time` in whole samples.
package final class Echo: SoundProcess {
    package struct Settings: Sendable, Hashable {
        /// Seconds.
        package var time = 0.25
        /// 0 … 0.95
        package var feedback = 0.3
        /// Gain of the repeats.
        package var mix = 0.3
        /// Gain of what is repeated.
        package var dry = 1.0

        package init() {}
    }

    private let settings: Settings
    private var lines: [Ring]

    package let memory: Int64
    package var latency: Int { 0 }

    package init(_ settings: Settings, channels: Int, sampleRate: Double) {
        self.settings = settings
        let count = max(Int((settings.time * sampleRate).rounded()), 1)
        lines = Array(repeating: Ring(count: count), count: channels)
        let repeats = SoundMemory.fading(by: settings.feedback)
        let (samples, overflow) = repeats.multipliedReportingOverflow(by: Int64(count))
        memory = overflow ? SoundMemory.endless : samples + Int64(count)
    }

    package func process(_ channels: [SampleBuffer]) {
        for (index, channel) in channels.enumerated() {
            lines[index].run(channel, settings)
        }
    }

    private struct Ring {
        var samples: [Double]
        var place = 0

        init(count: Int) { samples = Array(repeating: 0, count: count) }

        mutating func run(_ channel: SampleBuffer, _ settings: Settings) {
            let count = samples.count
            var place = place
            samples.withUnsafeMutableBufferPointer { ring in
                for i in channel.indices {
                    let heard = ring[place]
                    let next = channel[i] + heard * settings.feedback
                    ring[place] = abs(next) < 1e-30 ? 0 : next
                    channel[i] = channel[i] * settings.dry + heard * settings.mix
                    place = place + 1 == count ? 0 : place + 1
                }
            }
            self.place = place
        }
    }
}
