/// Reads the lines of a `.cube` file.
struct ColorTableReader {
    private struct Size {
        var dimensions: Int
        var points: Int

        /// The number of lines of three numbers.
        var count: Int { dimensions == 1 ? points : points * points * points }
    }

    private let bytes: [UInt8]
    private var place = 0
    /// The number of the line that was read last, from 1.
    private var line = 0
    private var title: String?
    private var size: Size?
    private var domainMin: [Double] = [0, 0, 0]
    private var domainMax: [Double] = [1, 1, 1]
    private var values: [Float] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Skip a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    mutating func table() throws(ColorTable.Unreadable) -> ColorTable {
        while let words = nextWords() { try read(words) }
        line += 1
        guard let size else {
            throw wrong("the file ends without LUT_3D_SIZE or LUT_1D_SIZE, which says how many points it has")
        }
        guard values.count == 3 * size.count else {
            throw wrong("the file ends after \(values.count / 3) of \(size.count) lines of three numbers")
        }
        let isSound = zip(domainMin, domainMax).allSatisfy { abs($0) <= 65536 && abs($1) <= 65536 && $1 - $0 >= 1e-4 }
        guard isSound else {
            throw wrong("each number of DOMAIN_MAX must be above that of DOMAIN_MIN, both within ±65536")
        }
        return ColorTable(
            title: title,
            dimensions: size.dimensions,
            size: size.points,
            domainMin: domainMin,
            domainMax: domainMax,
            values: values
        )
    }

    /// The words of the next line that is neither empty nor a comment; nil at the end. Lines end with LF, CR LF or CR.
    mutating func nextWords() -> [ArraySlice<UInt8>]? {
        while place < bytes.count {
            var end = place
            while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
            let text = bytes[place..<end]
            place = end + 1
            if end + 1 < bytes.count, bytes[end] == 13, bytes[end + 1] == 10 { place = end + 2 }
            line += 1
            let words = text.split { $0 == 32 || $0 == 9 }
            if let first = words.first?.first, first != UInt8(ascii: "#") { return words }
        }
        return nil
    }

    private mutating func read(_ words: [ArraySlice<UInt8>]) throws(ColorTable.Unreadable) {
        if let first = words.first?.first, (65...90).contains(first) { return try readKeyword(words) }
        guard let size else {
            let found = ColorTableReader.quoted(words)
            throw wrong("LUT_3D_SIZE or LUT_1D_SIZE is expected before the numbers, found \(found)")
        }
        guard words.count == 3 else {
            throw wrong("three numbers are expected, found \(ColorTableReader.quoted(words))")
        }
        if values.isEmpty { values.reserveCapacity(3 * size.count) }
        guard values.count < 3 * size.count else {
            throw wrong("there are more than the \(size.count) lines of three numbers that the size asks for")
        }
        for word in words {
            guard let number = ColorTableReader.number(word), Float(number).isFinite else {
                throw wrong("three numbers are expected, found \(ColorTableReader.quoted(words))")
            }
            values.append(Float(number))
        }
    }

    private mutating func readKeyword(_ words: [ArraySlice<UInt8>]) throws(ColorTable.Unreadable) {
        let name = String(decoding: words[0], as: UTF8.self)
        switch name {
        case "TITLE": title = readTitle(words)
        case "LUT_1D_SIZE": try readSize(words, 1, ColorTable.curveSizes)
        case "LUT_3D_SIZE": try readSize(words, 3, ColorTable.cubeSizes)
        case "DOMAIN_MIN": domainMin = try numbers(words, 3)
        case "DOMAIN_MAX": domainMax = try numbers(words, 3)
        case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
            // DaVinci Resolve writes a domain in this form.
            let range = try numbers(words, 2)
            domainMin = Array(repeating: range[0], count: 3)
            domainMax = Array(repeating: range[1], count: 3)
        default:
            let known = "TITLE, LUT_1D_SIZE, LUT_3D_SIZE, DOMAIN_MIN or DOMAIN_MAX"
            throw wrong("\(known) is expected, found \(ColorTableReader.quoted(words))")
        }
    }

    private func readTitle(_ words: [ArraySlice<UInt8>]) -> String? {
        let text = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let bare = isQuoted ? text.dropFirst().dropLast() : text[...]
        return bare.isEmpty ? nil : String(bare.prefix(200))
    }

    private mutating func readSize(
        _ words: [ArraySlice<UInt8>],
        _ dimensions: Int,
        _ range: ClosedRange<Int>
    ) throws(ColorTable.Unreadable) {
        guard size == nil else { throw wrong("the size is said a second time") }
        let written = words.count == 2 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
        guard let written, range.contains(written) else {
            let what = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            let found = ColorTableReader.quoted(words.dropFirst())
            throw wrong("\(what) is expected after LUT_\(dimensions)D_SIZE, found \(found)")
        }
        size = Size(dimensions: dimensions, points: written)
    }

    private func numbers(_ words: [ArraySlice<UInt8>], _ count: Int) throws(ColorTable.Unreadable) -> [Double] {
        let numbers = words.dropFirst().compactMap(ColorTableReader.number)
        guard numbers.count == count, words.count == count + 1 else {
            let what = count == 3 ? "three numbers are" : "two numbers are"
            let name = String(decoding: words[0], as: UTF8.self)
            throw wrong("\(what) expected after \(name), found \(ColorTableReader.quoted(words.dropFirst()))")
        }
        return numbers
    }

    /// A decimal number, perhaps with an exponent; nil for any other word, such as `nan` or hexadecimal digits.
    static func number(_ word: ArraySlice<UInt8>) -> Double? {
        let number = word.allSatisfy(isOfNumber) ? Double(String(decoding: word, as: UTF8.self)) : nil
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || [43, 45, 46, 69, 101].contains(byte)
    }

    private static func quoted(_ words: some Collection<ArraySlice<UInt8>>) -> String {
        let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        return text.isEmpty ? "nothing" : "“\(text.prefix(40))”"
    }

    private func wrong(_ message: String) -> ColorTable.Unreadable {
        ColorTable.Unreadable(line: line, message: message)
    }
}
