import CompositionModel
import Foundation

/// The format and the size of a picture file, read from its first bytes.
struct PictureFileHeader: Hashable {
    enum Format: String, Hashable, CustomStringConvertible {
        case png = "PNG"
        case jpeg = "JPEG"

        var description: String { rawValue }
        /// The QuickTime codec identifier: four characters.
        var fourCC: String { self == .png ? "png " : "jpeg" }
    }

    let format: Format
    let size: PictureSize

    /// - Parameter data: the beginning of the file; 256 KiB hold the header of any ordinary picture.
    /// - Returns: nil for another format, a truncated header, or a side outside `1...Limits.longestSide`.
    init?(_ data: Data) {
        let bytes = [UInt8](data)
        func number(_ at: Int, _ count: Int) -> Int { bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) } }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]), bytes.count >= 24 {
            // PNG, 11.2.2: IHDR comes first.
            format = .png
            size = PictureSize(width: number(16, 4), height: number(20, 4))
        } else if bytes.starts(with: [0xFF, 0xD8]) {
            // ISO/IEC 10918-1, B.1.1.3: SOF0 … SOF15 without DHT, JPG and DAC hold the size.
            var place = 2
            while place + 9 < bytes.count, bytes[place] == 0xFF, !PictureFileHeader.isFrame(bytes[place + 1]) {
                place += bytes[place + 1] == 0xFF ? 1 : 2 + number(place + 2, 2)
            }
            guard place + 9 < bytes.count, bytes[place] == 0xFF else { return nil }
            format = .jpeg
            size = PictureSize(width: number(place + 7, 2), height: number(place + 5, 2))
        } else {
            return nil
        }
        guard (1...Limits.longestSide).contains(size.width), (1...Limits.longestSide).contains(size.height) else {
            return nil
        }
    }

    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
}
