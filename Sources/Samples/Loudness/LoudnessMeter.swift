import Planning
import Timing

/// What ITU-R BS.1770 and EBU R128 need of a piece of sound: the K-weighted energy of each tenth of a second, and the
/// true peak. Pieces are measured apart and joined (``LoudnessReading``): the same bits as in one run.
/// ```
///  tenths   |·|·|·|·|·|·|·|·|·|·|·|·|·|·|·|·|·|·|·|·|
///  cells    |        0          |        1          |    of 100 tenths, each weighted by a run of the filters
///  runs     ├───────────────────┤                        that begins ``memory`` samples earlier, from silence
///                            ├──┼───────────────────┤
/// ```
/// Tenths and cells are counted from the programme's start. A piece begins where a cell does.
package final class LoudnessMeter {
    /// Tenths of a second that one run of the filters weights: ten seconds.
    package static let tenthsOfCell = 100

    /// BS.1770's weight of each channel: 1 in front, √2 (1.41) behind, 0 for what is low-frequency.
    private let weights: [Double]
    private let sampleRate: Int
    private var filters: [FilterChain] = []
    private let oversampler = Oversampler()
    private let scratch: SampleScratch
    private var recent: [[Double]]
    private var energy = 0.0
    private var filled = 0
    private var tenths = 0
    /// What the filters of the next cell hear before it.
    private var tail: [[Double]]

    /// What was measured so far.
    package private(set) var reading = LoudnessReading()

    /// Samples of a tenth of a second.
    package let tenth: Int
    /// Samples before a cell that count in it, in whole tenths.
    package let memory: Int

    /// - Parameter weights: the weight of each channel in the loudness.
    package init(weights: [Double], sampleRate: Int) {
        self.weights = weights
        self.sampleRate = sampleRate
        tenth = Int(MeasureGrid.tenth(sampleRate: sampleRate))
        recent = weights.map { _ in Array(repeating: 0, count: Oversampler.tapCount - 1) }
        tail = weights.map { _ in [] }
        scratch = SampleScratch(count: tenth)
        let reach = FilterChain(Self.weighting(Double(sampleRate)), channels: 1).memory
        memory = min(Int(min(reach, 1 << 30)) / tenth + 1, Self.tenthsOfCell) * tenth
        start()
    }

    /// Samples of a cell: where a piece begins is a multiple of it.
    package var cell: Int { Self.tenthsOfCell * tenth }

    /// Takes the next samples.
    /// - Parameter isHeard: false for the ``memory`` samples before a piece, which are not measured themselves.
    package func measure(_ channels: [SampleBuffer], isHeard: Bool = true) {
        for (index, channel) in channels.enumerated() { measurePeak(channel, index, isHeard: isHeard) }
        let length = channels.first?.count ?? 0
        var place = 0
        while place < length {
            let part = place..<min(place + tenth - filled, length)
            take(channels.map { SampleBuffer(rebasing: $0[part]) }, isHeard: isHeard)
            place = part.upperBound
        }
    }

    /// Ends the programme: what fills less than a tenth counts for the peak alone.
    package func finish() {
        var silence = [Double](repeating: 0, count: Oversampler.lookAhead)
        silence.withUnsafeMutableBufferPointer { silence in
            for index in weights.indices { measurePeak(silence, index, isHeard: true) }
        }
        filled = 0
    }

    /// A run of the filters, from silence.
    private func start() {
        filters = weights.map { _ in FilterChain(Self.weighting(Double(sampleRate)), channels: 1) }
    }

    /// Samples of one tenth.
    private func take(_ channels: [SampleBuffer], isHeard: Bool) {
        let count = channels[0].count
        if isHeard, tenths >= Self.tenthsOfCell - memory / tenth {
            for (index, channel) in channels.enumerated() { tail[index].append(contentsOf: channel) }
        }
        let sums = scratch.sums(count)
        weigh(channels, into: sums)
        filled += count
        if isHeard { for sum in sums { energy += sum } }
        guard filled == tenth else { return }
        filled = 0
        guard isHeard else { return }
        reading.energies.append(energy / Double(tenth))
        energy = 0
        tenths += 1
        if tenths == Self.tenthsOfCell { beginCell() }
    }

    private func beginCell() {
        start()
        for index in tail.indices {
            let filter = filters[index]
            tail[index].withUnsafeMutableBufferPointer { filter.process([$0]) }
            tail[index].removeAll(keepingCapacity: true)
        }
        tenths = 0
    }

    /// The weighted squares of all channels, summed.
    private func weigh(_ channels: [SampleBuffer], into sums: SampleBuffer) {
        for i in sums.indices { sums[i] = 0 }
        for (index, channel) in channels.enumerated() where weights[index] > 0 {
            let own = scratch.samples(channel)
            filters[index].process([own])
            let weight = weights[index]
            for i in sums.indices { sums[i] += weight * (own[i] * own[i]) }
        }
    }

    /// Values that need what follows are found with the next samples.
    private func measurePeak(_ channel: SampleBuffer, _ index: Int, isHeard: Bool) {
        var samples = recent[index]
        samples.append(contentsOf: channel)
        recent[index] = Array(samples.suffix(Oversampler.tapCount - 1))
        guard isHeard else { return }
        var peak = reading.truePeak
        for sample in channel { peak = max(peak, abs(sample)) }
        samples.withUnsafeBufferPointer { samples in
            let last = samples.count - Oversampler.tapCount
            for first in stride(from: 0, through: last, by: 64) {
                let places = first...min(first + 63, last)
                // Most of a programme is too quiet to peak above what was found.
                var loudest = 0.0
                let heard = samples[first..<places.upperBound + Oversampler.tapCount]
                for sample in heard { loudest = max(loudest, abs(sample)) }
                guard loudest * oversampler.bound > peak else { continue }
                for place in places { peak = max(peak, oversampler.peak(samples, from: place)) }
            }
        }
        reading.truePeak = peak
    }

    /// The K-weighting of BS.1770 at any sample rate: its two filters as analogue prototypes, brought over by the
    /// bilinear transform (the derivation is B. De Man's, "Evaluation of implementations of the EBU R128 loudness
    /// measurement", 2018).
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

/// Memory of a meter: one tenth of a second.
private final class SampleScratch {
    private let own: SampleBuffer
    private let sum: SampleBuffer

    init(count: Int) {
        own = .allocate(capacity: count)
        sum = .allocate(capacity: count)
        own.initialize(repeating: 0)
        sum.initialize(repeating: 0)
    }

    deinit {
        own.deallocate()
        sum.deallocate()
    }

    func sums(_ count: Int) -> SampleBuffer { SampleBuffer(rebasing: sum[..<count]) }

    /// A copy of `channel`.
    func samples(_ channel: SampleBuffer) -> SampleBuffer {
        let copy = SampleBuffer(rebasing: own[..<channel.count])
        _ = copy.update(from: channel)
        return copy
    }
}
