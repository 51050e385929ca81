/// One of the eleven Huffman codes for the quantised coefficients of a band (ISO/IEC 14496-3, tables 4.A.2 to 4.A.12
/// and 4.151). A codeword stands for several coefficients beside each other.
final class AACSpectrumCode: Sendable {
    /// The coefficients of a codeword, 2 or 4.
    let dimension: Int
    /// The largest magnitude; 16 announces an escape sequence.
    let largest: Int
    /// Whether a codeword has the signs of its coefficients; else a bit behind it says each that is not 0.
    let isSigned: Bool
    let code: AACCodebook
    /// The coefficients that are not 0 of each codeword, in the order of the codewords; 0 where the code is signed.
    let signs: [Int]
    /// The escape sequences behind each codeword, in the order of the codewords.
    let escapes: [Int]
    /// The sums of the squares of each codeword's coefficients after their dequantisation, without those of escape
    /// sequences, in the order of the codewords.
    let energies: [Double]

    /// - Parameter letters: the coefficients of all codewords in their order, each a letter; a is the lowest.
    private init(dimension: Int, largest: Int, isSigned: Bool, letters: String, counts: [Int]) {
        (self.dimension, self.largest, self.isSigned) = (dimension, largest, isSigned)
        let values = letters.utf8.map { Int($0) - 97 }
        let groups = stride(from: 0, to: values.count, by: dimension).map { values[$0..<$0 + dimension] }
        let base = isSigned ? 2 * largest + 1 : largest + 1
        code = AACCodebook(groups.map { $0.reduce(0) { $0 * base + $1 } }, counts: counts)
        signs = groups.map { group in isSigned ? 0 : group.count { $0 != 0 } }
        escapes = groups.map { group in largest == 16 ? group.count { $0 == 16 } : 0 }
        energies = groups.map { group in
            group.reduce(0) { sum, letter in
                let coefficient = isSigned ? letter - largest : letter
                return sum + (coefficient == 16 ? 0 : AACLoudness.energy(coefficient: coefficient))
            }
        }
    }

    /// The codeword of coefficients, without signs and escape sequences that follow it.
    /// - Parameter values: ``dimension`` coefficients of magnitudes up to ``largest``, of an escape code up to any.
    func codeword(_ values: ArraySlice<Int>) -> (word: Int, length: Int)? {
        let base = isSigned ? 2 * largest + 1 : largest + 1
        return code[
            values.reduce(0) { $0 * base + (isSigned ? $1 + largest : min(abs($1), largest)) }
        ]
    }

    /// The codes by their numbers less 1.
    static let all = [
        AACSpectrumCode(
            dimension: 4,
            largest: 1,
            isSigned: true,
            letters: "bbbbcbbbabbbbbbabcbbbbbcbbabbbcbbabbcabbacbbbbacbcabbacbbbcaccbbbbaaaabbbaabcbabbcbaabcbbbcccbcb"
                + "babcbccbbcbcababcbbcabbacbbaabbcbabaccabacabcacbbccabcacbaccbacacaabcbacbcaaaccbabcaaacbbaaccabc"
                + "cabaacbaaaabbaaabccccbcaccbcacbccccbaabcabaaccbacbaaabacaabaabcccbcccacaacacaccacaacccccaaccccaa"
                + "aacaaaaaccaccaccacccacaaaaaccaaaccca",
            counts: [1, 0, 0, 0, 8, 0, 24, 0, 24, 8, 16]
        ),
        AACSpectrumCode(
            dimension: 4,
            largest: 1,
            isSigned: true,
            letters: "bbbbcbbbabbbbbbcbbabbbbababbbbcbbcbbbacbacbbbcabbbcabcbabbacabbacabbcbabaabbbbaacbcbcbbcbabcabcb"
                + "bcbcbaababbcbabaababccbbbccbbbcccbbabcaccbacacabbacacacbccbacbccaccbbaaccccbabcaaaababaccaabccab"
                + "cabcacbaaacbabccaabcaababaaacbcacbaabcaabcccacbcabaabccacababaccccbccacaacaccaacaaaaaccaaccccccc"
                + "aacacaccacaaaaccccaacaaaaaacccacccca",
            counts: [0, 0, 1, 1, 7, 24, 15, 19, 14]
        ),
        AACSpectrumCode(
            dimension: 4,
            largest: 2,
            isSigned: false,
            letters: "aaaabaaaaaababaaaababbaaaabbabbaababbabaabbbbaabbbbabbbbbabbbbabcaaaaaacaabccbaabcbaaacbabcbbcaa"
                + "abbccbbaaacaacbaabcaacaaabaccababcbbacbbbbcabbcbbcabbacabacbacabcbbbbbbccbabbabcaaccabccccbabcca"
                + "baaccaabaccbccaabccbbbaccabbbbccccbbaccaacbcbaccccabcbcacccaaccccccbcbcbbcbcbcccacaccacabcaccacb"
                + "cbbccbacccccccbccbcccabccaacccaccacc",
            counts: [1, 0, 0, 4, 2, 6, 3, 5, 15, 15, 8, 9, 3, 3, 5, 2]
        ),
        AACSpectrumCode(
            dimension: 4,
            largest: 2,
            isSigned: false,
            letters: "bbbbabbbbbabbbbababbbaaabbaaaaaaaabbbababaababbaaaabababaabaabaacbbbbbcbbcbbbbbccbbacbabbcbacabb"
                + "abcbabbcbbcaacbbbabcbcabbbacbacbcbaacababcaacaababacacbaaabcabcaacabbaacaacbbacacaaaaaacacaaaaca"
                + "bccbccbbcbcbbbccbcbccbbcbccaccbacbcaaccbabccccabacbccacbbacccccbbcaccabccbacbccccbccccbcaccaccaa"
                + "aacccacaacaccaacccccaccccccaccaccacc",
            counts: [0, 0, 0, 10, 6, 0, 9, 21, 8, 14, 11, 2]
        ),
        AACSpectrumCode(
            dimension: 2,
            largest: 4,
            isSigned: true,
            letters: "eedefeefedfddfddffceeggeeccdgfdcfgcfgddgfcbeheebehbdfhhfdbbfhdfbdhcgggccgcbchcchgbhgghbgcbeaaeif"
                + "ieadeiiddafidiaffahbbbbhciaciggagihhagcaichaabahhibiihibbaiaaiiiaa",
            counts: [1, 0, 0, 4, 4, 0, 4, 12, 12, 12, 18, 10, 4]
        ),
        AACSpectrumCode(
            dimension: 2,
            largest: 4,
            isSigned: true,
            letters: "eefeedefdeffdffdddgdgfcfcdcedggefcfgecdceggccgccggbfhfhddhbdfhfbdbhebeebehhgbcchghhcgbcbbghhhbbb"
                + "bhfadaifafadfiiddieaagacgicaaeigicciiegaeibabihaibhiihahabiiaiaaia",
            counts: [0, 0, 0, 9, 0, 16, 13, 8, 23, 8, 4]
        ),
        AACSpectrumCode(
            dimension: 2,
            largest: 7,
            isSigned: false,
            letters: "aabaabbbcbbccaacdbbdccdaadcddcbeebbffbddceaeeaeccffcafgbfabgeddfdefdcggcbhdgaggaeehbefhcfegdchhd"
                + "geffegdhhaahgffgheehfhhfhgggghhh",
            counts: [1, 0, 2, 1, 0, 4, 5, 10, 14, 15, 8, 4]
        ),
        AACSpectrumCode(
            dimension: 2,
            largest: 7,
            isSigned: false,
            letters: "bbcbbabcabccaacaacdbbddccdddebbeeccedaadeddefcfbcfbffddfeefeaeefeacggcgbbgdggdfffageafeghbhcchgf"
                + "hdbhfgdhgghegaehaghfhgghfhhaahhh",
            counts: [0, 0, 1, 5, 7, 10, 14, 15, 8, 4]
        ),
        AACSpectrumCode(
            dimension: 2,
            largest: 12,
            isSigned: false,
            letters: "aabaabbbcbbccaacdbccbddaadcddcbeebcebfecddaeeafbcfbgdefcgbedafcgfabhdfbiibeefdgchbagiccidgchefjb"
                + "bjhcgafegdidahjcdiegdhaikbgecjffiahahdkcjdiebkhegffgeiehdjlbfijaifkdckajlcjeggmbejigbljfkefhhfcl"
                + "bmmclddkfjghihleakhgmdkakfekgicmjgjhellagjdlfkiihimfdmlfhhmelgkgemhjflalmggkmakhfmhkjiamlhijjjki"
                + "hlmhglillihmgmikkjimjkjljmklmjkkljmilkmkmlkmlllmmm",
            counts: [1, 0, 2, 1, 0, 4, 3, 8, 11, 20, 31, 38, 32, 14, 4]
        ),
        AACSpectrumCode(
            dimension: 2,
            largest: 12,
            isSigned: false,
            letters: "bbbccbccbaabbddcdbcdddcaacceecbeebaaeddedaadeecffcbffbfddffeefgccggdeagbaebgdgffgeeggfhcdhchfgic"
                + "hdfahbafibbhidheehcigghfbidiieeifhiffihgghjcgagijddjjbcjagigjeejkcbjhhihjfhikdfjkeckkbdkjggjiaek"
                + "halchjldkgbklbjhahiikfdlfkijlfaileclhkgkkhelblmcjimdlgflmelhmfdmgljakikambajemjjmgcmikjkbmlimhhl"
                + "fmgmkjilmiakhmlakkljlkallljlklmaimmjkmjmlmmlammkmm",
            counts: [0, 0, 0, 3, 8, 14, 17, 25, 31, 41, 22, 8]
        ),
        AACSpectrumCode(
            dimension: 2,
            largest: 16,
            isSigned: false,
            letters: "aabbqqbaabcbbcccbddbdccacdacddebbeecceeddedaadfbfccfeebffddffeefgccggbgddgbgeqdqqfqdqegeqgeaegae"
                + "cqfffqqhqcqichhcdhgffggqqkhdhbqjhqbqbhehqlheqmiqqbggjqcifhkqqnidicdifaqolqhfeighhgafieqpmqbiiboq"
                + "finqdjifhhcjigjcjdpqejgigajefjihhibjkdagkcjbjfekckjgdkgjkeiikfjhldbkhakghjdlfkkbellcncgkndclqafl"
                + "lflejihkijaqenahdnlgnbnemdcnnfikglkikhocmeblemlbdmbnmchldofmfnoeeolhodmfngmgialicmjjofgnkkpciljk"
                + "ogkjfoljobcogmbmniainhhmmhhnpdmbgocppfpebojlepohinnjimfpdpkllkmipgphiopbhojaajjnjmmjoiknojmkgphp"
                + "jopilllobpkmkonlnklnlmipolnmmnpjokkamljpakmmlamokpnnanompkpllponnaalnopmpnmpoaoonpmaopaoampopaap"
                + "pp",
            counts: [0, 0, 0, 2, 6, 7, 16, 59, 55, 95, 43, 6]
        ),
    ]
}
