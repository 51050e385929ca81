import CompositionModel
import Planning

@testable import Rendering

/// Sound by formula, at every sample of `0 ..< count`.
final class SyntheticSource: SampleSource {
    private let count: Int64
    private let signal: (_ sample: Int64, _ channel: Int) -> Double
    /// Every range that was asked for.
    private(set) var reads: [Range<Int64>] = []

    init(count: Int64 = .max, _ signal: @escaping (_ sample: Int64, _ channel: Int) -> Double) {
        self.count = count
        self.signal = signal
    }

    func read(_ range: Range<Int64>, into channels: [UnsafeMutableBufferPointer<Double>]) {
        reads.append(range)
        for (channel, samples) in channels.enumerated() {
            for (index, sample) in range.enumerated() {
                samples[index] = 0 + (0 <= sample && sample < count ? signal(sample, channel) : 0)
            }
        }
    }

    /// Scattered, but a function of place and channel alone.
    static func noise(_ sample: Int64, _ channel: Int) -> Double {
        let bits = UInt64(bitPattern: sample &+ Int64(channel) &* 7_919) &* 0x9e37_79b9_7f4a_7c15
        return Double(bits >> 40) / 16_777_216 - 0.5
    }
}

extension SoundTask {
    /// 48 kHz, PCM.
    static func mix(
        _ tracks: [AudioTrack],
        count: Int64,
        first: Int64 = 0,
        channels: Int = 2,
        encoding: AudioEncoding = AudioEncoding(codec: .pcm24, bitRate: nil)
    ) -> SoundTask {
        SoundTask(
            sampleRate: 48_000,
            channels: channels,
            sampleCount: count,
            firstSample: first,
            assets: [],
            tracks: tracks,
            encoding: encoding,
            rendererVersion: Renderer.version
        )
    }
}

extension AudioTrackSegment {
    static func clip(
        at start: Int64,
        count: Int64,
        from sourceStart: Int64 = 0,
        asset: Int = 0,
        stream: Int = 0,
        volume: [VolumeKey] = [],
        fadeIn: Crossfade? = nil,
        fadeOut: Crossfade? = nil
    ) -> AudioTrackSegment {
        AudioTrackSegment(
            start: start,
            count: count,
            asset: asset,
            stream: stream,
            sourceStart: sourceStart,
            volume: volume,
            fadeIn: fadeIn,
            fadeOut: fadeOut
        )
    }
}

extension AudioTrack {
    init(_ segments: [AudioTrackSegment], volume: [VolumeKey] = []) {
        self.init(id: "t", segments: segments, volume: volume)
    }
}

extension SoundMixer {
    /// One array a channel.
    func samples(_ range: Range<Int64>, channels: Int = 2) throws -> [[Double]] {
        let buffers = SampleBuffers(channels: channels)
        return try withExtendedLifetime(buffers) {
            let output = buffers.take(range.count)
            try mix(from: range.lowerBound, into: output)
            return output.map(Array.init)
        }
    }
}
