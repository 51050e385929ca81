import CompositionModel
import Timing

/// Noise with a root mean square of 1. White noise is a hash of seed, channel and sample number; the others filter it.
///
/// A filter remembers, so its runs begin at a fixed grid of 2¹⁶ samples, each as much earlier from rest as it remembers
/// above −140 dB: a sample is a function of its number all the same.
final class NoiseGenerator {
    private let numbers: NumberedNoise
    private let color: GeneratedSound.Color
    private let gain: Double
    /// Samples that the filter remembers; 0 of white noise.
    private let memory: Int64
    private let rest: NoiseFilter
    private var filter: NoiseFilter
    /// The sample that the filter makes next; nil when it has not begun.
    private var position: Int64?

    private static let cell: Int64 = 1 << 16

    init(_ color: GeneratedSound.Color, seed: Int64, channel: Int, sampleRate: Int) {
        self.color = color
        numbers = NumberedNoise(seed: seed, channel: channel)
        rest = NoiseFilter(color, sampleRate: sampleRate)
        filter = rest
        memory = rest.memory
        gain = 1 / (NoiseGenerator.uniform * rest.response(memory + 1))
    }

    /// Root mean square of numbers that are anywhere in −1 … 1 alike.
    private static let uniform = (1.0 / 3).squareRoot()

    func read(from first: Int64, into output: UnsafeMutableBufferPointer<Double>) {
        guard color != .white else {
            for index in output.indices { output[index] = white(first + Int64(index)) * gain }
            return
        }
        for index in output.indices { output[index] = filtered(first + Int64(index)) * gain }
    }

    private func filtered(_ sample: Int64) -> Double {
        let start = sample / NoiseGenerator.cell * NoiseGenerator.cell
        if position != sample || sample == start {
            filter = rest
            for earlier in start - memory..<sample { _ = filter.next(white(earlier)) }
        }
        position = sample + 1
        return filter.next(white(sample))
    }

    /// −1 ..< 1.
    private func white(_ sample: Int64) -> Double {
        Double(Int64(bitPattern: numbers.bits(sample)) >> 11) * 0x1p-52
    }
}

/// What makes pink or brown noise of white.
struct NoiseFilter {
    private let color: GeneratedSound.Color
    /// The pole of brown noise: −3 dB at 10 Hz, so that it does not wander off.
    private let pole: Double
    private var states = SIMD8<Double>()

    init(_ color: GeneratedSound.Color, sampleRate: Int) {
        self.color = color
        pole = ExactMath.exp2(-2 * Double.pi * 10 / Double(sampleRate) * 1.442695040888963407360)
    }

    /// Samples after which what was heard counts less than 10⁻⁷.
    var memory: Int64 {
        guard color != .white else { return 0 }
        let slowest = color == .pink ? 0.99886 : pole
        return Int64((ExactMath.log2(1e-7) / ExactMath.log2(slowest)).rounded(.up))
    }

    /// The root of the sum of the squares of its answer to one sample of 1.
    func response(_ count: Int64) -> Double {
        var filter = self
        var sum = 0.0
        for sample in 0..<count {
            let value = filter.next(sample == 0 ? 1 : 0)
            sum += value * value
        }
        return sum.squareRoot()
    }

    /// Pink: Paul Kellet's seven first-order filters, within 0.05 dB of 3 dB an octave above rate / 4800.
    mutating func next(_ white: Double) -> Double {
        switch color {
        case .white: return white
        case .brown:
            states[0] = pole * states[0] + white
            return states[0]
        case .pink:
            states[0] = 0.99886 * states[0] + 0.0555179 * white
            states[1] = 0.99332 * states[1] + 0.0750759 * white
            states[2] = 0.96900 * states[2] + 0.1538520 * white
            states[3] = 0.86650 * states[3] + 0.3104856 * white
            states[4] = 0.55000 * states[4] + 0.5329522 * white
            states[5] = -0.7616 * states[5] - 0.0168980 * white
            let low = states[0] + states[1] + states[2] + states[3]
            let pink = low + states[4] + states[5] + states[6] + 0.5362 * white
            states[6] = 0.115926 * white
            return pink
        }
    }
}
