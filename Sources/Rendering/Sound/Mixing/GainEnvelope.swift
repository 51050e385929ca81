import CompositionModel
import Pixels
import Timing

/// The gain that a list of ``VolumeKey`` gives at each sample (``SampleCurve``).
struct GainEnvelope {
    private let curve: SampleCurve

    /// - Parameter keys: with ascending `at`; no key at all means gain 1.
    init(_ keys: [VolumeKey]) {
        let points = keys.map { key in
            SampleCurve.Key(
                at: key.at,
                value: Double(key.millionths) / 1_000_000,
                isDecibel: key.unit == .decibel,
                ease: key.holds ? .hold : key.ease ?? .linear
            )
        }
        curve = SampleCurve(points, standard: 1)
    }

    /// Whether the gain is 1 everywhere.
    var isUnity: Bool { curve.constant == 1 }

    /// The factor at `sample`.
    func gain(at sample: Int64) -> Double { curve.value(at: sample) }

    /// Multiplies `gains[i]` by the gain at sample `first + i`.
    func multiply(_ gains: SampleKernels.Samples, from first: Int64) {
        curve.forEach(first..<first + Int64(gains.count)) { places, values in
            SampleKernels.multiply(SampleKernels.Samples(rebasing: gains[places]), by: values)
        }
    }
}
