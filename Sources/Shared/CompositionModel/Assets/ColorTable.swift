/// What probing a colour table finds.
public struct ColorTableFacts: Sendable, Hashable, Codable {
    /// 1 or 3.
    public var dimensions: Int
    /// Points along each axis.
    public var size: Int
    public var title: String?

    public init(dimensions: Int, size: Int, title: String?) {
        (self.dimensions, self.size, self.title) = (dimensions, size, title)
    }

    /// `"33 × 33 × 33 points"`.
    public var words: String {
        Array(repeating: "\(size)", count: dimensions).joined(separator: " × ") + " points"
    }
}

/// A table of colours, as a file of Adobe's Cube LUT Specification 1.0 (`.cube`) holds it.
public struct ColorTable: Sendable, Hashable {
    public var title: String?
    /// 1: a curve for each channel; 3: a lattice of colours.
    public var dimensions: Int
    /// Points along each axis.
    public var size: Int
    /// Of red, green and blue: the input at the first point and at the last.
    public var domainMin: [Double]
    public var domainMax: [Double]
    /// Red, green and blue of each point; in three dimensions red's index changes first, then green's.
    public var values: [Float]

    /// Points along each axis of a lattice.
    public static let cubeSizes = 2...129
    /// Points of a curve.
    public static let curveSizes = 2...65536
    /// No file is longer.
    public static let longestFile: Int64 = 256 << 20

    public var facts: ColorTableFacts { ColorTableFacts(dimensions: dimensions, size: size, title: title) }

    /// Why a table cannot be read: the line, from 1, and what was expected there.
    public struct Unreadable: Error, Sendable, Hashable {
        public var line: Int
        public var message: String
    }

    /// - Throws: ``Unreadable`` for what is no whole table.
    public init(bytes: [UInt8]) throws(Unreadable) {
        var reader = ColorTableReader(bytes)
        self = try reader.table()
    }

    init(
        title: String?,
        dimensions: Int,
        size: Int,
        domainMin: [Double],
        domainMax: [Double],
        values: [Float]
    ) {
        (self.title, self.dimensions, self.size) = (title, dimensions, size)
        (self.domainMin, self.domainMax, self.values) = (domainMin, domainMax, values)
    }

    /// Whether a file that begins with `bytes` means to be a table: its first line that says anything is a keyword of
    /// one, or three numbers.
    public static func isTable(_ bytes: [UInt8]) -> Bool {
        var reader = ColorTableReader(bytes)
        guard !bytes.contains(0), let words = reader.nextWords(), let first = words.first else { return false }
        let name = String(decoding: first, as: UTF8.self)
        if ["TITLE", "DOMAIN_MIN", "DOMAIN_MAX"].contains(name) || name.hasPrefix("LUT_") { return true }
        return words.count == 3 && words.allSatisfy { ColorTableReader.number($0) != nil }
    }
}
