import Shared

/// What ITU-R BS.1770 and EBU R128 need of a piece of sound: the K-weighted energy of each tenth of a second, and the
/// true peak. Pieces are measured apart and joined (``LoudnessReading``).
///
/// Tenths are counted from the programme's start: the first sample measured must be the first of a tenth. The filters'
/// memory is ``memory`` samples: measure from that much earlier and leave it out.
public final class LoudnessMeter {
    /// BS.1770's weight of each channel: 1 in front, √2 (1.41) behind, 0 for what is low-frequency.
    private let weights: [Double]
    private let filters: [FilterChain]
    private let tenth: Int
    private let oversampler = Oversampler()
    private var scratch: [Double] = []
    private var recent: [[Double]]
    private var energy = 0.0
    private var filled = 0

    public private(set) var reading = LoudnessReading()

    /// - Parameter weights: of each channel.
    public init(weights: [Double], sampleRate: Int) {
        self.weights = weights
        filters = weights.map { _ in FilterChain(Self.weighting(Double(sampleRate)), channels: 1) }
        tenth = max((sampleRate + 5) / 10, 1)
        recent = weights.map { _ in Array(repeating: 0, count: Oversampler.tapCount - 1) }
    }

    /// Samples before a place that its energy depends on, rounded up to tenths.
    public var memory: Int64 {
        let samples = filters.first?.memory ?? 0
        return (samples + Int64(tenth) - 1) / Int64(tenth) * Int64(tenth)
    }

    /// Takes the next samples.
    /// - Parameter isHeard: false for what only fills the filters.
    public func measure(_ channels: [SampleBuffer], isHeard: Bool = true) {
        let length = channels.first?.count ?? 0
        if isHeard { for (index, channel) in channels.enumerated() { measurePeak(channel, index) } }
        if scratch.count < length { scratch += Array(repeating: 0, count: length - scratch.count) }
        var sums = [Double](repeating: 0, count: length)
        for (index, channel) in channels.enumerated() where weights[index] > 0 {
            scratch.withUnsafeMutableBufferPointer { scratch in
                let own = SampleBuffer(rebasing: scratch[..<length])
                _ = own.update(from: channel)
                filters[index].process([own])
                for i in own.indices { sums[i] += weights[index] * (own[i] * own[i]) }
            }
        }
        guard isHeard else { return }
        for sum in sums {
            energy += sum
            filled += 1
            if filled == tenth { close() }
        }
    }

    /// Ends the programme: what fills less than a tenth counts for the peak alone.
    public func finish() { filled = 0 }

    private func close() {
        reading.energies.append(energy / Double(tenth))
        (energy, filled) = (0, 0)
    }

    private func measurePeak(_ channel: SampleBuffer, _ index: Int) {
        var samples = recent[index]
        samples.append(contentsOf: channel)
        let last = samples.count - Oversampler.tapCount
        var peak = reading.truePeak
        samples.withUnsafeBufferPointer { samples in
            guard let first = samples.baseAddress else { return }
            for place in stride(from: 0, through: last, by: 1) { peak = max(peak, oversampler.peak(first + place)) }
        }
        for sample in channel { peak = max(peak, abs(sample)) }
        reading.truePeak = peak
        recent[index] = Array(samples.suffix(Oversampler.tapCount - 1))
    }

    /// The K-weighting of BS.1770 at any sample rate: its two filters as analogue prototypes, brought over by the bilinear
    /// transform (the derivation is B. De Man's, "Evaluation of implementations of the EBU R128 loudness measurement", 2018).
    static func weighting(_ sampleRate: Double) -> [Biquad] {
        [shelf(sampleRate), highPass(sampleRate)]
    }

    private static func shelf(_ sampleRate: Double) -> Biquad {
        let (frequency, gain, quality) = (1681.974450955533, 3.999843853973347, 0.7071752369554196)
        let k = tangent(frequency / sampleRate)
        let high = ExactMath.gain(decibels: gain)
        let middle = ExactMath.power(high, 0.4996667741545416)
        return Biquad(
            b0: high + middle * k / quality + k * k,
            b1: 2 * (k * k - high),
            b2: high - middle * k / quality + k * k,
            a0: 1 + k / quality + k * k,
            a1: 2 * (k * k - 1),
            a2: 1 - k / quality + k * k
        )
    }

    private static func highPass(_ sampleRate: Double) -> Biquad {
        let (frequency, quality) = (38.13547087602444, 0.5003270373238773)
        let k = tangent(frequency / sampleRate)
        let a0 = 1 + k / quality + k * k
        // BS.1770 leaves the numerator at 1, −2, 1.
        return Biquad(b0: a0, b1: -2 * a0, b2: a0, a0: a0, a1: 2 * (k * k - 1), a2: 1 - k / quality + k * k)
    }

    private static func tangent(_ turn: Double) -> Double { ExactMath.sinPi(turn) / ExactMath.cosPi(turn) }
}
