import Pixels
import Timing

/// A value at each sample, from keys: a pure function of the sample's number.
/// ```
///  value     ●────────●                 two keys at one sample: a jump, the later one counts from there
///           ╱         │
///  ────────●          ●───────────      before the first and after the last key its value holds
///          a          b
/// ```
/// Between keys a and b, t = (n − a) / (b − a), shaped by a's ease: A + (B − A)·ease(t); where both are in dB that is
/// their way, and its gain the value: 10^((A + (B − A)·ease(t)) / 20).
struct SampleCurve {
    struct Key {
        var at: Int64
        /// A number, or dB whose gain is meant.
        var value: Double
        var isDecibel = false
        /// The way to the next key.
        var ease: Easing

        var number: Double { isDecibel ? ExactMath.gain(decibels: value) : value }
    }

    /// Samples `start ..< end`.
    private struct Span {
        var start: Int64
        var end: Int64
        var from: Double
        var to: Double
        /// Whether `from` and `to` are in dB, and so what lies between them.
        var isDecibel: Bool
        var ease: Easing

        func value(at sample: Int64) -> Double {
            if from == to, !isDecibel { return from }
            let value = number(at: sample)
            return isDecibel ? ExactMath.gain(decibels: value) : value
        }

        /// The value between the keys, in dB where both keys are.
        private func number(at sample: Int64) -> Double {
            let progress = Double(sample - start) / Double(end - start)
            return from + (to - from) * (ease == .linear ? progress : ease.value(at: progress))
        }

        /// The values from sample `first` on.
        func fill(_ values: SampleKernels.Samples, from first: Int64) {
            guard from != to || isDecibel else { return SampleKernels.fill(values, with: from) }
            if ease == .linear {
                let (length, change) = (Double(end - start), to - from)
                for index in values.indices {
                    values[index] = from + change * (Double(first - start + Int64(index)) / length)
                }
            } else {
                for index in values.indices { values[index] = number(at: first + Int64(index)) }
            }
            if isDecibel { SampleKernels.gains(decibels: values) }
        }
    }

    /// Ascending, without hole, from Int64.min to Int64.max.
    private let spans: [Span]

    /// - Parameters:
    ///   - keys: with ascending `at`.
    ///   - standard: the value without any key.
    init(_ keys: [Key], standard: Double) {
        var spans: [Span] = []
        var start = Int64.min
        for (index, key) in keys.enumerated() where key.at > start {
            spans.append(SampleCurve.span(from: index == 0 ? nil : keys[index - 1], to: key, start: start))
            start = key.at
        }
        let last = keys.last?.number ?? standard
        spans.append(Span(start: start, end: .max, from: last, to: last, isDecibel: false, ease: .hold))
        self.spans = spans
    }

    /// - Parameter key: nil holds the value of `next` from the beginning on.
    private static func span(from key: Key?, to next: Key, start: Int64) -> Span {
        let key = key ?? next
        let isFlat = key.ease == .hold || (key.value == next.value && key.isDecibel == next.isDecibel)
        guard !isFlat else {
            return Span(start: start, end: next.at, from: key.number, to: key.number, isDecibel: false, ease: .hold)
        }
        let isDecibel = key.isDecibel && next.isDecibel
        return Span(
            start: start,
            end: next.at,
            from: isDecibel ? key.value : key.number,
            to: isDecibel ? next.value : next.number,
            isDecibel: isDecibel,
            ease: key.ease
        )
    }

    /// The one value that it has everywhere; nil when it changes.
    var constant: Double? {
        let first = spans[0].from
        return spans.allSatisfy { !$0.isDecibel && $0.from == first && $0.to == first } ? first : nil
    }

    func value(at sample: Int64) -> Double { spans[spanIndex(at: sample)].value(at: sample) }

    /// Calls `body` with places in `range`, counted from its start, and the values there: all of them once, in order,
    /// some at a time.
    func forEach(_ range: Range<Int64>, _ body: (Range<Int>, SampleKernels.Samples) -> Void) {
        var index = spanIndex(at: range.lowerBound)
        var place = range.lowerBound
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 512) { memory in
            while place < range.upperBound {
                while spans[index].end <= place { index += 1 }
                let end = min(range.upperBound, spans[index].end, place + Int64(memory.count))
                let values = SampleKernels.Samples(rebasing: memory[..<Int(end - place)])
                spans[index].fill(values, from: place)
                body(Int(place - range.lowerBound)..<Int(end - range.lowerBound), values)
                place = end
            }
        }
    }

    private func spanIndex(at sample: Int64) -> Int { spans.partitionPoint { $0.end > sample } }
}
