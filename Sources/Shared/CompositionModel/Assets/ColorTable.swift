/// The facts that probing a colour table finds.
package struct ColorTableFacts: Sendable, Hashable, Codable {
    /// The number of dimensions: 1 for curves, 3 for a lattice.
    package var dimensions: Int
    /// The number of points along each axis.
    package var size: Int
    /// The title in the file; nil without one.
    package var title: String?

    package init(dimensions: Int, size: Int, title: String?) {
        (self.dimensions, self.size, self.title) = (dimensions, size, title)
    }

    /// The size for messages, such as `"33 × 33 × 33 points"`.
    package var words: String {
        Array(repeating: "\(size)", count: dimensions).joined(separator: " × ") + " points"
    }
}

/// A colour table in the form of Adobe's Cube LUT Specification 1.0 (`.cube`).
package struct ColorTable: Sendable, Hashable {
    /// The title in the file; nil without one.
    package var title: String?
    /// The number of dimensions: 1 for a curve for each channel, 3 for a lattice of colours.
    package var dimensions: Int
    /// The number of points along each axis.
    package var size: Int
    /// The input of red, green and blue at the first point.
    package var domainMin: [Double]
    /// The input of red, green and blue at the last point.
    package var domainMax: [Double]
    /// The red, green and blue of each point in turn; in three dimensions the index of red changes fastest, then that
    /// of green.
    package var values: [Float]

    /// The numbers of points along each axis that a lattice may have.
    package static let cubeSizes = 2...129
    /// The numbers of points that a curve may have.
    package static let curveSizes = 2...65536
    /// The largest file that is read, in bytes.
    package static let longestFile: Int64 = 256 << 20

    /// The facts of the table without its values.
    package var facts: ColorTableFacts { ColorTableFacts(dimensions: dimensions, size: size, title: title) }

    /// The reason why a table cannot be read.
    package struct Unreadable: Error, Sendable, Hashable {
        /// The number of the line at fault, from 1.
        package var line: Int
        /// The problem at that line, as one sentence without a full stop.
        package var message: String
    }

    /// Reads a `.cube` file.
    /// - Throws: ``Unreadable`` when the file is no complete table.
    package init(bytes: [UInt8]) throws(Unreadable) {
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

    /// Whether a file that begins with `bytes` is meant as a table: its first line that is neither empty nor a comment
    /// is a keyword of the format, or three numbers.
    package static func isTable(_ bytes: [UInt8]) -> Bool {
        var reader = ColorTableReader(bytes)
        guard !bytes.contains(0), let words = reader.nextWords(), let first = words.first else { return false }
        let name = String(decoding: first, as: UTF8.self)
        if ["TITLE", "DOMAIN_MIN", "DOMAIN_MAX"].contains(name) || name.hasPrefix("LUT_") { return true }
        return words.count == 3 && words.allSatisfy { ColorTableReader.number($0) != nil }
    }
}
