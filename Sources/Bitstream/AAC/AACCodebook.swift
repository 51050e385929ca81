/// A Huffman code of AAC (ISO/IEC 14496-3, 4.A.1). Codewords of one length follow each other and come after all shorter
/// ones, so that the symbols in the order of their codewords and the number of codewords of each length are the whole
/// code.
final class AACCodebook: Sendable {
    /// The most bits of a codeword.
    static let longest = 19

    /// The symbols in the order of their codewords.
    let symbols: [Int]
    /// The codeword of each symbol from ``lowest`` on.
    private let words: [(word: Int, length: Int)]
    private let lowest: Int
    /// Each length in bits has an `end`, one past its last codeword moved up to ``longest`` bits, and an `offset`, which is
    /// added to one of its codewords to give its position in ``symbols``.
    private let limits: [Limit]
    private typealias Limit = (end: Int, offset: Int)
    /// For each first ``nearBits`` bits the position in ``symbols`` of the codeword that they hold and, in the lowest 8 bits,
    /// its length; −1 for those of a longer one.
    private let near: [Int32]
    private static let nearBits = 10

    /// - Parameters:
    ///   - symbols: in the order of their codewords.
    ///   - counts: the number of codewords of 1, 2, 3, … bits.
    init(_ symbols: [Int], counts: [Int]) {
        self.symbols = symbols
        let lowest = symbols.min() ?? 0
        var words = Array(repeating: (word: 0, length: 0), count: (symbols.max() ?? -1) - lowest + 1)
        var limits: [Limit] = []
        var (word, place) = (0, 0)
        for (index, count) in counts.enumerated() {
            word <<= 1
            limits.append(((word + count) << (Self.longest - index - 1), place - word))
            for symbol in symbols[place..<place + count] {
                words[symbol - lowest] = (word, index + 1)
                word += 1
            }
            place += count
        }
        (self.lowest, self.words, self.limits) = (lowest, words, limits)
        near = (0..<1 << Self.nearBits).map { first in
            let found = Self.codeword(in: first << (Self.longest - Self.nearBits), limits)
            return found.map { $0.length <= Self.nearBits ? Int32($0.position << 8 | $0.length) : -1 } ?? -1
        }
    }

    /// The codeword of `symbol`; nil for a symbol that the code does not have.
    subscript(symbol: Int) -> (word: Int, length: Int)? {
        let index = symbol - lowest
        guard words.indices.contains(index), words[index].length > 0 else { return nil }
        return words[index]
    }

    /// The codeword with which `bits` begin, as its position in ``symbols`` and its length.
    /// - Parameter bits: ``longest`` bits.
    /// - Returns: nil when no codeword has these bits.
    @inline(__always)
    func codeword(in bits: Int) -> (position: Int, length: Int)? {
        let found = near[bits >> (Self.longest - Self.nearBits)]
        return found < 0 ? Self.codeword(in: bits, limits) : (Int(found >> 8), Int(found & 255))
    }

    private static func codeword(in bits: Int, _ limits: [Limit]) -> (position: Int, length: Int)? {
        for index in limits.indices where bits < limits[index].end {
            return ((bits >> (longest - index - 1)) + limits[index].offset, index + 1)
        }
        return nil
    }

    /// Differences of neighbouring scale factors, −60 … 60.
    static let scaleFactors = AACCodebook(
        [
            0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, 6, -6, 7, -7, 8, -8, 9, -9, 10, -10, -11, 11, 12, -12, 13, -13,
            14, -14, 16, 15, 17, 18, -15, -17, -16, 19, -18, -19, 20, -20, 21, -21, 22, -22, 23, -23, -25, 25, -27,
            -24, -26, 24, -28, 27, 29, -30, -29, 26, -31, -34, -33, -32, -36, 28, -35, -38, -37, 30, -39, -41, -57,
            -59, -58, -60, 38, 39, 40, 41, 42, 57, 37, 31, 32, 33, 34, 35, 36, 44, 51, 52, 53, 54, 55, 56, 50, 45,
            46, 47, 48, 49, 58, -54, -52, -51, -50, -55, 43, 60, 59, -56, -53, -45, -44, -42, -40, -43, -49, -48,
            -46, -47,
        ],
        counts: [1, 0, 1, 3, 2, 4, 3, 5, 4, 6, 6, 6, 5, 8, 4, 7, 3, 7, 46]
    )
}
