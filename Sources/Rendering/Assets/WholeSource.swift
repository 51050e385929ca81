import Media

/// Small assets that are read at once.
enum WholeSource {
    /// - Returns: nil when `source` ends before its end.
    static func bytes(_ source: any ByteSource) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(source.byteCount))
        let isWhole = try bytes.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = try source.read(into: rest, at: Int64(done))
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        return isWhole ? bytes : nil
    }
}
