import Timing

/// Two channels on their way through ``NoiseReduction``, as the real and imaginary part of one signal.
final class NoisePair {
    private let frame = NoiseReduction.frame, hop = NoiseReduction.hop
    private let floor: Double
    private let sensitivity: Double
    /// The last frame of what came in, and the sums that go out next.
    private var input: [[Double]]
    private var output: [[Double]]
    private var spectra: [(real: [Double], imaginary: [Double])] = []
    private var powers = SpectralPowers()
    /// Whether there is sound in each of the last hops that came in.
    private var sounds = [Bool](repeating: false, count: NoiseReduction.frame / NoiseReduction.hop)

    init(_ settings: NoiseReduction.Settings) {
        floor = ExactMath.gain(decibels: -settings.amount)
        sensitivity = settings.sensitivity
        input = Array(repeating: Array(repeating: 0, count: NoiseReduction.frame), count: 2)
        output = input
    }

    /// Takes samples in, and gives those that are done in their places.
    func exchange(_ left: SampleBuffer, _ right: SampleBuffer?, _ range: Range<Int>, at place: Int) {
        for (offset, i) in range.enumerated() {
            input[0][frame - hop + place + offset] = left[i]
            input[1][frame - hop + place + offset] = right?[i] ?? 0
            left[i] = output[0][place + offset]
            right?[i] = output[1][place + offset]
        }
    }

    /// A hop is full: one spectrum comes in, and the one that now has all its neighbours goes out.
    func step(_ transform: FourierTransform, _ window: [Double]) {
        var (real, imaginary) = (input[0], input[1])
        sounds.removeFirst()
        sounds.append(!isSilent(frame - hop) && !isSilent(frame - NoisePair.silence))
        for n in 0..<frame {
            real[n] *= window[n]
            imaginary[n] *= window[n]
        }
        run(transform.forward, &real, &imaginary)
        spectra.append((real, imaginary))
        powers.append(real, imaginary, isWhole: sounds.allSatisfy(\.self))
        for side in 0..<2 {
            advance(&input[side])
            advance(&output[side])
        }
        guard spectra.count > NoiseReduction.reach + NoiseReduction.blur else { return }
        (real, imaginary) = spectra.removeFirst()
        let gains = powers.gains(floor: floor, sensitivity: sensitivity)
        for k in 0..<frame {
            real[k] *= gains[min(k, frame - k)]
            imaginary[k] *= gains[min(k, frame - k)]
        }
        run(transform.backward, &real, &imaginary)
        let scale = 0.5 / Double(frame)
        for n in 0..<frame {
            output[0][n] += real[n] * window[n] * scale
            output[1][n] += imaginary[n] * window[n] * scale
        }
    }

    /// Zeros, one behind the other, that are no sound: before and behind a clip.
    private static let silence = 64

    private func isSilent(_ start: Int) -> Bool {
        input.allSatisfy { $0[start..<start + NoisePair.silence].allSatisfy { $0 == 0 } }
    }

    private func advance(_ samples: inout [Double]) {
        for n in 0..<frame - hop { samples[n] = samples[n + hop] }
        for n in frame - hop..<frame { samples[n] = 0 }
    }

    private func run(
        _ transform: (SampleBuffer, SampleBuffer) -> Void,
        _ real: inout [Double],
        _ imaginary: inout [Double]
    ) {
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { transform(real, $0) }
        }
    }
}
