/// How much a sound is lowered while another one is heard: a pure function of the other's levels about a sample,
/// without memory, and ahead of it.
/// ```
///  other     ____██████__██████_________
///  lowered   ___╱‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾╲_____
///              attack        hold release
/// ```
package struct DuckEnvelope: Sendable, Hashable {
    /// Samples of a block whose level is taken: a hundredth of a second.
    package let block: Int64
    /// The root mean square of a block, in dB of full scale, from which on the other sound counts as heard.
    package var threshold: Double
    /// The amount in dB by which the sound is lowered, 0 or more.
    package var depth: Double
    /// The samples that the fade down takes before the other sound begins.
    package var attack: Int64
    /// The samples for which the level stays low after the other sound has ended.
    package var hold: Int64
    /// The samples that the fade up takes.
    package var release: Int64

    package init(threshold: Double, depth: Double, attack: Int64, hold: Int64, release: Int64, sampleRate: Int) {
        block = Int64(max((sampleRate + 50) / 100, 1))
        self.threshold = threshold
        self.depth = depth
        self.attack = attack
        self.hold = hold
        self.release = release
    }

    /// The other's blocks that decide about the samples `range`.
    package func blocks(for range: Range<Int64>) -> Range<Int64> {
        floored(range.lowerBound - hold - release - block)..<floored(range.upperBound + attack) + 1
    }

    /// - Parameter squares: mean squares over channels of ``blocks(for:)``.
    /// - Returns: whether each is loud enough.
    package func heard(_ squares: [Double]) -> [Bool] {
        let limit = DecibelMath.gain(2 * threshold)
        return squares.map { $0 > limit }
    }

    /// Multiplies `gains` by what is left at the samples from `first` on.
    /// - Parameters:
    ///   - heard: whether each block from `firstBlock` on is heard, at least ``blocks(for:)``.
    package func multiply(_ gains: SampleBuffer, from first: Int64, heard: [Bool], firstBlock: Int64) {
        let lastBlock = firstBlock + Int64(heard.count)
        // The end of the last block heard up to here, and the start of the next one.
        var (ended, begins) = (Int64.min / 2, Int64.max / 2)
        var next = firstBlock
        for i in gains.indices {
            let sample = first + Int64(i)
            while next < lastBlock, next * block <= sample {
                if heard[Int(next - firstBlock)] { ended = (next + 1) * block }
                next += 1
                begins = .min
            }
            if begins == .min {
                begins = (next..<lastBlock).first { heard[Int($0 - firstBlock)] }.map { $0 * block } ?? .max / 2
            }
            let part = max(before(begins - sample), after(sample - ended))
            if part > 0 { gains[i] *= DecibelMath.gain(-depth * part) }
        }
    }

    /// - Parameter distance: samples until the other begins.
    private func before(_ distance: Int64) -> Double {
        distance >= attack ? 0 : 1 - Double(distance) / Double(attack)
    }

    /// - Parameter distance: samples since the other has ended; negative while it is heard.
    private func after(_ distance: Int64) -> Double {
        if distance < hold { return 1 }
        return distance - hold >= release ? 0 : 1 - Double(distance - hold) / Double(release)
    }

    private func floored(_ sample: Int64) -> Int64 { (sample >= 0 ? sample : sample - block + 1) / block }
}
