/// Unicode's Stream-Safe Text Format (UAX #15, section 13): no more than 30 combining marks in a row, which is more than any
/// script needs.
///
/// Texts are compared and hashed in their canonical form, and to make that of a run of marks takes time with the square of
/// its length: half a megabyte of them would take minutes for each comparison. So what others send is checked before
/// anything is compared.
package enum StreamSafeText {
    /// The most combining marks in a row.
    package static let mostMarks = 30

    /// Looks for more combining marks in a row than ``mostMarks`` in a text.
    /// - Parameter bytes: UTF-8.
    /// - Returns: the offset of the first mark of the first such run, in bytes; nil when there is none.
    package static func firstLongRun(inText bytes: UnsafeRawBufferPointer) -> Int? {
        firstLongRun(in: bytes, hasEscapes: false)
    }

    /// Looks for more combining marks in a row than ``mostMarks`` in JSON, as they stand or as escapes (`\u0301`).
    /// - Parameter bytes: UTF-8.
    /// - Returns: the offset of the first mark of the first such run, in bytes; nil when there is none.
    package static func firstLongRun(inJSON bytes: UnsafeRawBufferPointer) -> Int? {
        firstLongRun(in: bytes, hasEscapes: true)
    }

    private static func firstLongRun(in bytes: UnsafeRawBufferPointer, hasEscapes: Bool) -> Int? {
        var (offset, count, start) = (0, 0, 0)
        while offset < bytes.count {
            let place = offset
            let isEscape = hasEscapes && bytes[offset] == UInt8(ascii: "\\")
            let marks = marks(of: isEscape ? escape(in: bytes, &offset) : next(in: bytes, &offset))
            if count == 0 { start = place }
            count = marks == 0 ? 0 : count + marks
            if count > mostMarks { return start }
        }
        return nil
    }

    /// Looks for more combining marks in a row than ``mostMarks`` in JSON, as they stand or as escapes.
    /// - Returns: the number of the line with the first such run, from 1; nil when there is none.
    package static func lineOfLongRun(inJSON text: String) -> Int? {
        var text = text
        return text.withUTF8 { bytes in
            firstLongRun(inJSON: UnsafeRawBufferPointer(bytes)).map { place in
                bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
            }
        }
    }

    /// The number of combining marks with which the canonical form of a scalar begins.
    private static func marks(of scalar: UInt32) -> Int {
        guard scalar >= 0x300 else { return 0 }
        // Tibetan vowel signs that are no marks themselves and come to two.
        if scalar == 0xF73 || scalar == 0xF75 || scalar == 0xF81 { return 2 }
        return Unicode.Scalar(scalar).map { $0.properties.canonicalCombiningClass != .notReordered ? 1 : 0 } ?? 0
    }

    /// Reads a scalar, and steps over it. What is no UTF-8 is whatever number its bits make.
    private static func next(in bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt32 {
        let first = bytes[offset]
        guard first >= 0x80 else {
            offset += 1
            return UInt32(first)
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        let end = min(offset + length, bytes.count)
        var scalar = UInt32(first) & (0xFF >> UInt32(length + 1))
        for place in offset + 1..<max(end, offset + 1) { scalar = scalar << 6 | UInt32(bytes[place] & 0x3F) }
        offset = max(end, offset + 1)
        return scalar
    }

    /// Reads an escape that begins with a reverse solidus; two of surrogates are one scalar. An escape of another kind is 0.
    /// So is a reverse solidus before a character that is not ASCII, which is no escape: that character is read next.
    private static func escape(in bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt32 {
        guard let unit = unit(in: bytes, at: offset) else {
            let isNonASCII = offset + 1 < bytes.count && bytes[offset + 1] >= 0x80
            offset += isNonASCII ? 1 : 2
            return 0
        }
        offset += 6
        guard unit & 0xFC00 == 0xD800, let low = self.unit(in: bytes, at: offset), low & 0xFC00 == 0xDC00 else {
            return unit
        }
        offset += 6
        return 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
    }

    /// The number of an escape `\uXXXX` at `offset`; nil where none stands.
    private static func unit(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32? {
        guard offset + 6 <= bytes.count, bytes[offset...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            return nil
        }
        var number: UInt32 = 0
        for place in offset + 2..<offset + 6 {
            guard let digit = Character(Unicode.Scalar(bytes[place])).hexDigitValue else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }
}
