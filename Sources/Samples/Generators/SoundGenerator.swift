package import CompositionModel
import Timing

/// Computes a ``GeneratedSound``: whatever is asked for in whatever order, a sample is always the same bits.
package final class SoundGenerator {
    /// What is computed.
    package let sound: GeneratedSound
    private let amplitude: Double
    /// One a channel; empty but of noise.
    private var noises: [NoiseGenerator] = []

    package init(_ sound: GeneratedSound) {
        self.sound = sound
        amplitude = ExactMath.gain(decibels: Double(sound.level) / 1_000_000)
        guard let color = sound.color, let seed = sound.seed else { return }
        noises = (0..<sound.channels).map { channel in
            NoiseGenerator(color, seed: seed, channel: channel, sampleRate: sound.sampleRate)
        }
    }

    /// Fills `output` with the samples from `first` on of one channel. Outside the sound's own samples there is
    /// silence.
    package func read(from first: Int64, channel: Int, into output: UnsafeMutableBufferPointer<Double>) {
        let range = first..<first + Int64(output.count)
        let part = range.clamped(to: 0..<sound.sampleCount)
        output.update(repeating: 0)
        guard !part.isEmpty else { return }
        let start = Int(part.lowerBound - first)
        let heard = UnsafeMutableBufferPointer(rebasing: output[start..<start + part.count])
        switch sound.kind {
        case .silence: return
        case .tone: tone(from: part.lowerBound, into: heard)
        case .sweep: sweep(from: part.lowerBound, into: heard)
        case .noise: noises[channel].read(from: part.lowerBound, into: heard)
        }
        for index in heard.indices { heard[index] *= amplitude }
    }

    /// The phase is an exact fraction of a cycle: n × frequency modulo the sample rate, in millionths of a hertz.
    private func tone(from first: Int64, into output: UnsafeMutableBufferPointer<Double>) {
        let cycle = Int64(sound.sampleRate) * 1_000_000
        let step = sound.frequencies[0]
        let (whole, part) = (Double(cycle), Double(step) / Double(cycle))
        var phase = Int64(Int128(first) * Int128(step) % Int128(cycle))
        for index in output.indices {
            let place = Double(phase) / whole
            output[index] = sound.wave == .square ? square(at: place, step: part) : ExactMath.sinPi(2 * place)
            phase += step
            if phase >= cycle { phase -= cycle }
        }
    }

    /// A square whose edges are rounded over the two samples beside them (PolyBLEP: Välimäki, Pekonen, Nam 2012), so
    /// that little folds back below half the sample rate.
    /// - Parameters:
    ///   - place: 0 ..< 1 of a cycle.
    ///   - step: the phase of a sample.
    private func square(at place: Double, step: Double) -> Double {
        let other = place < 0.5 ? place + 0.5 : place - 0.5
        let plain = place < 0.5 ? 1.0 : -1.0
        return plain + edge(place, step) - edge(other, step)
    }

    private func edge(_ place: Double, _ step: Double) -> Double {
        if place < step {
            let x = place / step
            return x + x - x * x - 1
        }
        guard place > 1 - step else { return 0 }
        let x = (place - 1) / step
        return x * x + x + x + 1
    }

    /// φ = ∫ f: with T seconds from a to b, logarithmic a·T / ln(b/a) · ((b/a)^(t/T) − 1), linear a·t + (b − a)·t² /
    /// 2T.
    private func sweep(from first: Int64, into output: UnsafeMutableBufferPointer<Double>) {
        let (from, to) = (Double(sound.frequencies[0]) / 1_000_000, Double(sound.frequencies[1]) / 1_000_000)
        let (count, rate) = (Double(sound.sampleCount), Double(sound.sampleRate))
        let octaves = ExactMath.log2(to / from)
        let factor = sound.course == .logarithmic ? from * count / rate / (octaves * SoundGenerator.ln2) : 0
        for index in output.indices {
            let sample = Double(first + Int64(index))
            let cycles =
                sound.course == .logarithmic
                ? factor * (ExactMath.exp2(octaves * (sample / count)) - 1)
                : (from + (to - from) * (sample / count) / 2) * (sample / rate)
            output[index] = ExactMath.sinPi(2 * (cycles - cycles.rounded(.down)))
        }
    }

    private static let ln2 = 0.693147180559945309417
}
