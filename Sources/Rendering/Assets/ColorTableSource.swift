package import CompositionModel
package import Media

/// Colour tables as assets: read as media are, block by block.
package enum ColorTableSource {
    /// Enough to find the first line that says anything.
    private static let headLength = 65536

    /// What a `.cube` file says of itself.
    /// - Returns: nil for what is no colour table.
    /// - Throws: ``RenderError`` `lut_unreadable` with the line of a table that cannot be read; what `source` throws.
    package static func facts(of source: any ByteSource) throws -> AssetFacts? {
        guard ColorTable.isTable(try bytes(of: source, count: headLength)) else { return nil }
        let table = try table(of: source)
        return AssetFacts(container: "cube", byteCount: source.byteCount, video: [], audio: [], lut: table.facts)
    }

    /// The table of a `.cube` file.
    /// - Throws: ``RenderError`` `lut_unreadable` for one that is too large or cannot be read; what `source` throws.
    static func table(of source: any ByteSource) throws -> ColorTable {
        guard source.byteCount <= ColorTable.longestFile else {
            let limit = "the limit is \(ColorTable.longestFile)"
            throw unreadable("A LUT of \(source.byteCount) bytes is too large; \(limit).")
        }
        let bytes = try bytes(of: source, count: Int(source.byteCount))
        do throws(ColorTable.Unreadable) { return try ColorTable(bytes: bytes) } catch {
            throw unreadable("The LUT cannot be read: line \(error.line): \(error.message).")
        }
    }

    private static func unreadable(_ message: String) -> RenderError {
        RenderError("lut_unreadable", message, isPermanent: true)
    }

    /// The first `count` bytes, or all where there are fewer.
    private static func bytes(of source: any ByteSource, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(count, Int(clamping: source.byteCount)))
        var done = 0
        while done < bytes.count {
            let count = try bytes.withUnsafeMutableBytes { buffer in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), at: Int64(done))
            }
            guard count > 0 else { throw unreadable("The LUT ends before its end; copy it again.") }
            done += count
        }
        return bytes
    }
}
