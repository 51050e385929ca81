extension IntraPictureHeader {
    /// Reads the markers before the scan of a JPEG picture (ITU-T T.81, B.2): its frame header, whether an `AVI1` segment
    /// says that it is a field, and how an `Adobe` segment says that its components are to be understood.
    /// - Parameter picture: a packet.
    /// - Throws: for bytes that are no JPEG picture.
    package init(jpeg picture: ArraySlice<UInt8>) throws(BitstreamError) {
        var (place, frame): (Int, JPEGFrame?) = (picture.startIndex, nil)
        var (isField, transform) = (false, -1)
        func fail(_ reason: BitstreamError.Reason, _ element: String) -> BitstreamError {
            BitstreamError(reason, element: element, bit: (place - picture.startIndex) * 8)
        }
        guard picture.starts(with: [0xFF, 0xD8]) else { throw fail(.badEnd, "SOI") }
        place += 2
        while true {
            guard place + 4 <= picture.endIndex, picture[place] == 0xFF else { throw fail(.truncated, "marker") }
            let marker = picture[place + 1]
            // Any number of FF may stand before a marker.
            if marker == 0xFF {
                place += 1
                continue
            }
            let length = Int(picture[place + 2]) << 8 | Int(picture[place + 3])
            guard length >= 2, place + 2 + length <= picture.endIndex else { throw fail(.truncated, "segment") }
            let segment = picture[place + 4..<place + 2 + length]
            switch marker {
            case 0xDA:
                guard let frame else { throw fail(.missing(id: 0), "SOF") }
                self = frame.header(isField: isField, transform: transform)
                return
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard frame == nil else { throw fail(.badEnd, "SOF") }
                guard let found = JPEGFrame(marker, segment) else { throw fail(.truncated, "SOF") }
                frame = found
            case 0xE0 where segment.starts(with: "AVI1".utf8):
                isField = segment.dropFirst(4).first.map { $0 != 0 } ?? false
            case 0xEE where segment.starts(with: "Adobe".utf8):
                transform = segment.dropFirst(11).first.map(Int.init) ?? -1
            default: break
            }
            place += 2 + length
        }
    }
}

/// The frame header of a JPEG picture (ITU-T T.81, B.2.2).
private struct JPEGFrame {
    /// The low half of the marker: 0 baseline, 1 extended, 2 progressive, 3 lossless, …
    let process: Int
    let bits: Int
    let width: Int
    let height: Int
    /// The id of each component, and its samples across and down in a unit, 4 bits each.
    let components: [Int]

    init?(_ marker: UInt8, _ segment: ArraySlice<UInt8>) {
        let bytes = segment.map(Int.init)
        guard bytes.count >= 6, bytes.count >= 6 + bytes[5] * 3, bytes[5] > 0 else { return nil }
        process = Int(marker & 15)
        bits = bytes[0]
        (height, width) = (bytes[1] << 8 | bytes[2], bytes[3] << 8 | bytes[4])
        guard width > 0, height > 0 else { return nil }
        var found: [Int] = []
        for number in 0..<bytes[5] { found += bytes[6 + number * 3..<8 + number * 3] }
        components = found
    }

    func header(isField: Bool, transform: Int) -> IntraPictureHeader {
        IntraPictureHeader(
            width: width,
            height: height,
            chromaFormat: chromaFormat,
            bits: bits,
            isInterlaced: isField,
            hasAlpha: components.count == 8,
            traits: [process, transform] + components
        )
    }

    private var chromaFormat: Int {
        guard components.count > 2 else { return 0 }
        // Samples of luma for one of chroma, across and down.
        let (luma, chroma) = (components[1], components[3])
        switch ((luma >> 4) - 2 * (chroma >> 4), (luma & 15) - 2 * (chroma & 15)) {
        case (0, 0): return 1
        case (0, -(chroma & 15)): return 2
        default: return 3
        }
    }
}
