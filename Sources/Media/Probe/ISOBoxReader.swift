/// Reads the boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2) where libavformat does not hand on what they say.
struct ISOBoxReader {
    struct Box {
        let type: String
        /// The bytes of its content in the file.
        let content: Range<Int64>
    }

    private let source: any ByteSource

    init(_ source: any ByteSource) { self.source = source }

    /// All boxes at `path`, from the file's outermost ones on.
    func boxes(at path: String...) throws(MediaError) -> [Box] {
        try boxes(at: path, in: Box(type: "", content: 0..<source.byteCount))
    }

    /// All boxes at `path` below `box`.
    func boxes(at path: [String], in box: Box) throws(MediaError) -> [Box] {
        var found = [box]
        for type in path {
            var inner: [Box] = []
            for box in found { inner += try boxes(in: box).filter { $0.type == type } }
            found = inner
        }
        return found
    }

    /// The boxes side by side in `box`, behind `header` bytes of it; a damaged one ends them.
    func boxes(in box: Box, after header: Int64 = 0) throws(MediaError) -> [Box] {
        let range = min(box.content.lowerBound + header, box.content.upperBound)..<box.content.upperBound
        var (boxes, offset): ([Box], Int64) = ([], range.lowerBound)
        while boxes.count < MediaLimits.boxes, range.upperBound - offset >= 8 {
            let head = try source.bytes(at: offset, count: Int(min(16, range.upperBound - offset)))
            guard head.count >= 8 else { break }
            var (size, length) = (Self.number(head[0..<4]), Int64(8))
            if size == 1, head.count == 16 { (size, length) = (Self.number(head[8..<16]), 16) }
            if size == 0 { size = UInt64(range.upperBound - offset) }
            guard size >= UInt64(length), size <= UInt64(range.upperBound - offset) else { break }
            let end = offset + Int64(size)
            let type = String(decoding: head[4..<8], as: UTF8.self)
            boxes.append(Box(type: type, content: offset + length..<end))
            offset = end
        }
        return boxes
    }

    /// The bytes of a box that the caller knows to be small.
    func content(of box: Box) throws(MediaError) -> [UInt8] {
        try source.bytes(at: box.content.lowerBound, count: Int(box.content.upperBound - box.content.lowerBound))
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
