import Shared

/// The gain that a list of ``VolumeKey`` gives at each sample: a pure function of the sample's number.
/// ```
///  gain      ●────────●                 two keys at one sample: a jump, the later one counts from there
///           ╱         │
///  ────────●          ●───────────      before the first and after the last key its value holds
///          a          b
/// ```
/// Between keys a and b, t = (n − a) / (b − a): both in dB, 10^((A + (B − A)·t) / 20); else A + (B − A)·t of the gains.
struct GainEnvelope {
    private enum Way {
        case constant(Double)
        case linear(from: Double, to: Double)
        case decibel(from: Double, to: Double)
    }

    /// Samples `start ..< end`.
    private struct Span {
        var start: Int64
        var end: Int64
        var way: Way

        func gain(at sample: Int64) -> Double {
            let t = { Double(sample - start) / Double(end - start) }
            return switch way {
            case .constant(let gain): gain
            case .linear(let from, let to): from + (to - from) * t()
            case .decibel(let from, let to): ExactMath.gain(decibels: from + (to - from) * t())
            }
        }
    }

    /// Ascending, without hole, from Int64.min to Int64.max.
    private let spans: [Span]

    /// - Parameter keys: with ascending `at`; no key at all means gain 1.
    init(_ keys: [VolumeKey]) {
        var spans: [Span] = []
        var start = Int64.min
        for (index, key) in keys.enumerated() where key.at > start {
            let way = index == 0 ? .constant(key.gain) : GainEnvelope.way(from: keys[index - 1], to: key)
            spans.append(Span(start: start, end: key.at, way: way))
            start = key.at
        }
        spans.append(Span(start: start, end: .max, way: .constant(keys.last?.gain ?? 1)))
        self.spans = spans
    }

    /// Whether the gain is 1 everywhere.
    var isUnity: Bool {
        if spans.count == 1, case .constant(1) = spans[0].way { true } else { false }
    }

    func gain(at sample: Int64) -> Double { spans[spanIndex(at: sample)].gain(at: sample) }

    /// Multiplies `gains[i]` by the gain at sample `first + i`.
    func multiply(_ gains: UnsafeMutableBufferPointer<Double>, from first: Int64) {
        var index = spanIndex(at: first)
        for i in gains.indices {
            let sample = first + Int64(i)
            if sample >= spans[index].end { index += 1 }
            gains[i] *= spans[index].gain(at: sample)
        }
    }

    private static func way(from first: VolumeKey, to second: VolumeKey) -> Way {
        if first.holds || first == second { return .constant(first.gain) }
        return first.unit == .decibel && second.unit == .decibel
            ? .decibel(from: first.value, to: second.value) : .linear(from: first.gain, to: second.gain)
    }

    private func spanIndex(at sample: Int64) -> Int {
        var (low, high) = (0, spans.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sample < spans[middle].end { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension VolumeKey {
    /// Linear, whatever the unit.
    fileprivate var gain: Double { unit == .linear ? value : ExactMath.gain(decibels: value) }
    fileprivate var value: Double { Double(millionths) / 1_000_000 }
}
