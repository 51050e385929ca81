/// Repeats what was heard: after `time`, and each repeat again, `feedback` as loud.
public final class Echo: SoundProcess {
    public struct Settings: Sendable, Hashable {
        /// Seconds.
        public var time = 0.25
        /// 0 … 0.95
        public var feedback = 0.3
        /// Of the repeats; what is dry stays.
        public var mix = 0.3

        public init() {}
    }

    private let settings: Settings
    private var lines: [Ring]

    public let memory: Int64
    public var latency: Int { 0 }

    public init(_ settings: Settings, channels: Int, sampleRate: Double) {
        self.settings = settings
        let count = max(Int((settings.time * sampleRate).rounded()), 1)
        lines = Array(repeating: Ring(count: count), count: channels)
        let repeats = SoundMemory.fading(by: settings.feedback)
        let (samples, overflow) = repeats.multipliedReportingOverflow(by: Int64(count))
        memory = overflow ? SoundMemory.endless : samples + Int64(count)
    }

    public func process(_ channels: [SampleBuffer]) {
        for (index, channel) in channels.enumerated() {
            lines[index].run(channel, feedback: settings.feedback, mix: settings.mix)
        }
    }

    private struct Ring {
        var samples: [Double]
        var place = 0

        init(count: Int) { samples = Array(repeating: 0, count: count) }

        mutating func run(_ channel: SampleBuffer, feedback: Double, mix: Double) {
            let count = samples.count
            var place = place
            samples.withUnsafeMutableBufferPointer { ring in
                for i in channel.indices {
                    let heard = ring[place]
                    let next = channel[i] + heard * feedback
                    ring[place] = abs(next) < 1e-30 ? 0 : next
                    channel[i] += heard * mix
                    place = place + 1 == count ? 0 : place + 1
                }
            }
            self.place = place
        }
    }
}
