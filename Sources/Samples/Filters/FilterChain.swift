package import Timing

/// Biquads one behind the other, the same for every channel: equaliser, high pass, low pass.
package final class FilterChain: SoundProcess {
    private let sections: [Biquad]
    /// Two channels at a time: their recursions do not wait for each other. `[pair × sections + section]`
    private var states: [(first: SIMD2<Double>, second: SIMD2<Double>)]
    private var count = 0

    package let memory: Int64
    package var latency: Int { 0 }

    package init(_ sections: [Biquad], channels: Int) {
        self.sections = sections
        states = Array(repeating: (.zero, .zero), count: sections.count * ((channels + 1) / 2))
        memory = SoundMemory.sum(sections.map { SoundMemory.fading(by: $0.poleRadius) })
    }

    package func process(_ channels: [SampleBuffer]) {
        var place = 0
        let length = channels.first?.count ?? 0
        while place < length {
            let part = place..<min(length, place + FilterChain.span - count % FilterChain.span)
            for pair in 0..<(channels.count + 1) / 2 { process(channels, pair, part) }
            count += part.count
            if count.isMultiple(of: FilterChain.span) { settle() }
            place = part.upperBound
        }
    }

    /// Samples, counted from the start of the run, after which what has died away is set to zero.
    private static let span = 256

    private func process(_ channels: [SampleBuffer], _ pair: Int, _ part: Range<Int>) {
        let left = channels[2 * pair]
        let right = 2 * pair + 1 < channels.count ? channels[2 * pair + 1] : left
        for (index, section) in sections.enumerated() {
            var (s1, s2) = states[pair * sections.count + index]
            let (b0, b1, b2) = (section.b0, section.b1, section.b2)
            let (a1, a2) = (section.a1, section.a2)
            for i in part {
                let x = SIMD2(left[i], right[i])
                let y = x * b0 + s1
                s1 = x * b1 - y * a1 + s2
                s2 = x * b2 - y * a2
                left[i] = y.x
                right[i] = 2 * pair + 1 < channels.count ? y.y : y.x
            }
            states[pair * sections.count + index] = (s1, s2)
        }
    }

    /// Numbers below the smallest normal one are slow on many CPUs.
    private func settle() {
        for index in states.indices {
            for lane in 0..<2 {
                if abs(states[index].first[lane]) < 1e-30 { states[index].first[lane] = 0 }
                if abs(states[index].second[lane]) < 1e-30 { states[index].second[lane] = 0 }
            }
        }
    }
}
