import Shared

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
        /// Whether the way from `from` to `to` is in dB.
        var isDecibel: Bool
        var ease: Easing

        func value(at sample: Int64) -> Double {
            if from == to, !isDecibel { return from }
            let way = Double(sample - start) / Double(end - start)
            let value = from + (to - from) * (ease == .linear ? way : ease.value(at: way))
            return isDecibel ? ExactMath.gain(decibels: value) : value
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

    /// Calls `body` with the place in `range` and the value of each of its samples, in order.
    func forEach(_ range: Range<Int64>, _ body: (Int, Double) -> Void) {
        var index = spanIndex(at: range.lowerBound)
        for sample in range {
            if sample >= spans[index].end { index += 1 }
            body(Int(sample - range.lowerBound), spans[index].value(at: sample))
        }
    }

    private func spanIndex(at sample: Int64) -> Int { spans.partitionPoint { $0.end > sample } }
}
