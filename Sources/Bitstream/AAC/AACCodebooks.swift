/// The Huffman codes with which packets of AAC are written (ISO/IEC 14496-3, 4.A.1). Codewords of one length follow each
/// other and come after all shorter ones, so that the symbols in the order of their codewords and the number of codewords
/// of each length are the whole code.
struct AACCodebook: Sendable {
    /// The codeword of each symbol.
    private let words: [Int: (word: Int, length: Int)]

    /// - Parameters:
    ///   - symbols: in the order of their codewords.
    ///   - counts: the number of codewords of 1, 2, 3, … bits.
    init(_ symbols: [Int], counts: [Int]) {
        var words: [Int: (word: Int, length: Int)] = [:]
        var (word, place) = (0, 0)
        for (index, count) in counts.enumerated() {
            word <<= 1
            for symbol in symbols[place..<min(place + count, symbols.count)] {
                words[symbol] = (word, index + 1)
                word += 1
            }
            place += count
        }
        self.words = words
    }

    /// The number of symbols.
    var count: Int { words.count }

    /// The codeword of `symbol`; nil for a symbol that the code does not have.
    subscript(symbol: Int) -> (word: Int, length: Int)? { words[symbol] }

    /// Differences of neighbouring scale factors, −11 … 11: the shortest codewords of the code for −60 … 60.
    static let scaleFactors = AACCodebook(
        [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, 6, -6, 7, -7, 8, -8, 9, -9, 10, -10, -11, 11],
        counts: [1, 0, 1, 3, 2, 4, 3, 5, 4]
    )

    /// Codebook 11: pairs of magnitudes 0 … 16, of which 16 announces an escape sequence. The symbol of (x, y) is
    /// 17 · x + y; in the text below each letter is a magnitude.
    static let escapedPairs = AACCodebook(
        zip(letters, letters.dropFirst()).enumerated().filter { $0.offset % 2 == 0 }.map {
            17 * $0.element.0 + $0.element.1
        },
        counts: [0, 0, 0, 2, 6, 7, 16, 59, 55, 95, 43, 6]
    )

    private static let letters = pairs.utf8.map { Int($0) - 97 }

    private static let pairs =
        "aabbqqbaabcbbcccbddbdccacdacddebbeecceeddedaadfbfccfeebffddffeefgccggbgddgbgeqdqqfqdqegeqgeaegaecqff"
        + "fqqhqcqichhcdhgffggqqkhdhbqjhqbqbhehqlheqmiqqbggjqcifhkqqnidicdifaqolqhfeighhgafieqpmqbiiboqfinqdjif"
        + "hhcjigjcjdpqejgigajefjihhibjkdagkcjbjfekckjgdkgjkeiikfjhldbkhakghjdlfkkbellcncgkndclqafllflejihkijaq"
        + "enahdnlgnbnemdcnnfikglkikhocmeblemlbdmbnmchldofmfnoeeolhodmfngmgialicmjjofgnkkpciljkogkjfoljobcogmbm"
        + "niainhhmmhhnpdmbgocppfpebojlepohinnjimfpdpkllkmipgphiopbhojaajjnjmmjoiknojmkgphpjopilllobpkmkonlnkln"
        + "lmipolnmmnpjokkamljpakmmlamokpnnanompkpllponnaalnopmpnmpoaoonpmaopaoampopaappp"
}
