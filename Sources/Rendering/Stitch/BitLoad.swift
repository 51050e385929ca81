import Timing

/// The bits that the pictures of a movie take in a second, by its parts.
struct BitLoad {
    private let rate: FrameRate
    private var most = 0
    private var (byteCount, frameCount): (Int64, Int64) = (0, 0)

    init(_ rate: FrameRate) { self.rate = rate }

    mutating func add(_ part: PacketFileSummary) {
        byteCount += part.byteCount
        frameCount += part.unitCount
        guard part.unitCount * rate.denominator >= rate.numerator else { return }
        most = max(most, bits(part.byteCount, in: part.unitCount))
    }

    /// Bits per second: the most of all parts that last a second or more, and of the whole.
    var bitRate: Int { max(most, bits(byteCount, in: frameCount)) }

    private func bits(_ bytes: Int64, in frames: Int64) -> Int {
        guard frames > 0 else { return 0 }
        // Rounded up: 128 bits hold the product of any two numbers.
        let bits = Int128(bytes) * 8 * Int128(rate.numerator)
        let seconds = Int128(frames) * Int128(rate.denominator)
        return Int(clamping: (bits + seconds - 1) / seconds)
    }
}
