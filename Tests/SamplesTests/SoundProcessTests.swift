import Samples
import Testing
import Timing

/// Deterministic noise, −1 … 1.
func noise(_ count: Int, seed: UInt64 = 1) -> [Double] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(Int64(bitPattern: state) >> 11) / 4_503_599_627_370_496
    }
}

func sine(_ count: Int, frequency: Double, sampleRate: Double = 48_000, gain: Double = 1) -> [Double] {
    (0..<count).map { gain * ExactMath.sinPi(2 * frequency * Double($0) / sampleRate) }
}

/// Runs `channels` through `process` in blocks of `block` samples.
func run(_ process: any SoundProcess, _ channels: [[Double]], block: Int = 4096) -> [[Double]] {
    var channels = channels
    let count = channels[0].count
    for start in stride(from: 0, to: count, by: block) {
        let range = start..<min(start + block, count)
        var parts = channels.map { Array($0[range]) }
        let buffers = parts.indices.map { index in
            parts[index].withUnsafeMutableBufferPointer { part in
                let copy = SampleBuffer.allocate(capacity: part.count)
                _ = copy.initialize(from: part)
                return copy
            }
        }
        process.process(buffers)
        for (index, buffer) in buffers.enumerated() {
            channels[index].replaceSubrange(range, with: buffer)
            buffer.deallocate()
        }
        parts = []
    }
    return channels
}

@Suite struct SoundProcessTests {
    static let makers: [String: @Sendable () -> any SoundProcess] = [
        "filters": {
            FilterChain(
                Biquad.butterworth(.high, frequency: 80, order: 4, sampleRate: 48_000)
                    + [.peak(frequency: 1000, quality: 2, gain: 6, sampleRate: 48_000)],
                channels: 2
            )
        },
        "compressor": { Compressor(.init(), sampleRate: 48_000) },
        "gate": { Gate(.init(), sampleRate: 48_000) },
        "limiter": { Limiter(.init(), channels: 2, sampleRate: 48_000) },
        "echo": { Echo(.init(), channels: 2, sampleRate: 48_000) },
        "reverb": { Reverb(.init(), sampleRate: 48_000) },
        "noise reduction": { NoiseReduction(.init(), channels: 2) },
    ]

    @Test(arguments: makers.keys.sorted()) func blocksMayBeCutAnywhere(name: String) throws {
        let make = try #require(Self.makers[name])
        let input = [noise(30_000).map { $0 * 0.5 }, sine(30_000, frequency: 440, gain: 0.8)]
        let whole = run(make(), input, block: 30_000)
        #expect(run(make(), input, block: 997) == whole)
        #expect(run(make(), input, block: 1) == whole)
        #expect(whole != input)
    }

    /// From `memory` samples before, silence stands for all that was heard.
    @Test(arguments: makers.keys.sorted()) func whatItForgetsDoesNotCount(name: String) throws {
        let make = try #require(Self.makers[name])
        let memory = make().memory
        #expect(memory < 1_000_000)
        // Noise reduction works in hops: it may start at their multiples only.
        let skipped = 48 * 2048
        let count = skipped + Int(memory) + make().latency + 20_000
        let input = [noise(count, seed: 3).map { $0 * 0.7 }, noise(count, seed: 4).map { $0 * 0.1 }]
        let process = make()
        let whole = run(process, input)
        let late = run(make(), input.map { Array($0[skipped...]) })
        let from = Int(memory) + process.latency
        for (a, b) in zip(whole, late) {
            let error = zip(a[(skipped + from)...], b[from...]).map { abs($0 - $1) }.max() ?? 0
            #expect(error < 2e-7, "\(error)")
        }
    }

    @Test(arguments: makers.keys.sorted()) func silenceStaysSilent(name: String) throws {
        let make = try #require(Self.makers[name])
        let silence = [[Double]](repeating: Array(repeating: 0, count: 20_000), count: 2)
        #expect(run(make(), silence) == silence)
    }
}
