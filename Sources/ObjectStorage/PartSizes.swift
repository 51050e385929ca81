/// How a file is cut into the parts of an upload. It follows from the length alone, so that whoever goes on with an upload of
/// the same bytes cuts them as before.
package struct PartSizes: Sendable, Hashable {
    /// The number of bytes of the file.
    package let byteCount: Int64
    /// The number of bytes of every part but the last.
    package let partByteCount: Int64

    /// An upload has at most 10 000 parts, each of at least 5 MiB but the last.
    private static let mostParts: Int64 = 10_000

    /// - Parameter least: the bytes of a part, unless there would be more than 10 000 of them; then the next whole MiB
    ///   with which there are not.
    package init(byteCount: Int64, least: Int64 = 16 << 20) {
        self.byteCount = byteCount
        let needed = (byteCount + Self.mostParts - 1) / Self.mostParts
        let mebibyte: Int64 = 1 << 20
        partByteCount = needed <= least ? least : (needed + mebibyte - 1) / mebibyte * mebibyte
    }

    /// The bytes of each part; the first has the number 1. A file without bytes has one part without bytes.
    package var ranges: [Range<Int64>] {
        let count = max(1, (byteCount + partByteCount - 1) / partByteCount)
        return (0..<count).map { $0 * partByteCount..<min(byteCount, ($0 + 1) * partByteCount) }
    }
}
