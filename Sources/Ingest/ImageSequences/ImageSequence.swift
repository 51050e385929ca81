import Foundation
public import Shared

/// Numbered picture files of one size that are a movie's frames, such as `frame_%04d.png`.
public struct ImageSequence: Sendable {
    /// Why files are no sequence, as a sentence.
    public struct Refusal: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// In order of their numbers, which have no hole.
    let files: [String]
    let frameRate: FrameRate
    let format: PictureFileHead.Format
    let size: PictureSize

    /// Finds the files and looks at the head of each.
    /// - Parameter pattern: an absolute path with `%d` or `%04d` in its last part.
    public init(pattern: String, frameRate: FrameRate) throws(Refusal) {
        files = try ImageSequence.files(pattern)
        self.frameRate = frameRate
        let first = try ImageSequence.head(files[0])
        for file in files.dropFirst() {
            let head = try ImageSequence.head(file)
            guard head == first else {
                let numbers = "\(head.size.width)x\(head.size.height), the first is "
                throw Refusal(
                    description: "\(file) is \(head.format) of \(numbers)\(first.format) of "
                        + "\(first.size.width)x\(first.size.height); a sequence has one size"
                )
            }
        }
        (format, size) = (first.format, first.size)
    }

    private static func head(_ file: String) throws(Refusal) -> PictureFileHead {
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw Refusal(description: "\(file) cannot be read")
        }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: 1 << 18), let head = PictureFileHead(data) else {
            throw Refusal(description: "\(file) is neither PNG nor JPEG, or damaged")
        }
        return head
    }

    /// The files that match, by number.
    private static func files(_ pattern: String) throws(Refusal) -> [String] {
        let folder = (pattern as NSString).deletingLastPathComponent
        let name = (pattern as NSString).lastPathComponent
        guard let match = try? #/%(0([1-9]))?d/#.firstMatch(in: name) else {
            throw Refusal(description: "\(name) has no number in it; write it as %04d")
        }
        let (before, after) = (name[..<match.range.lowerBound], name[match.range.upperBound...])
        let width = match.2.flatMap { Int($0) } ?? 1
        var numbers: [Int: String] = [:]
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard file.hasPrefix(before), file.hasSuffix(after), file.count > before.count + after.count else {
                continue
            }
            let digits = file.dropFirst(before.count).dropLast(after.count)
            guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), digits.count >= width,
                digits.count == width || !digits.hasPrefix("0"), let number = Int(digits)
            else { continue }
            numbers[number] = folder + "/" + file
        }
        return try ordered(numbers, name)
    }

    private static func ordered(_ numbers: [Int: String], _ name: String) throws(Refusal) -> [String] {
        let order = numbers.keys.sorted()
        guard let first = order.first, let last = order.last else {
            throw Refusal(description: "there is no file \(name)")
        }
        if let hole = zip(order, order.dropFirst()).first(where: { $0 + 1 != $1 }) {
            throw Refusal(description: "of \(name) number \(hole.0 + 1) is missing, between \(first) and \(last)")
        }
        return order.compactMap { numbers[$0] }
    }
}

/// What the first bytes of a picture file tell.
struct PictureFileHead: Hashable {
    enum Format: String, Hashable, CustomStringConvertible {
        case png = "PNG"
        case jpeg = "JPEG"

        var description: String { rawValue }
        /// QuickTime's name of the codec.
        var fourCC: String { self == .png ? "png " : "jpeg" }
    }

    let format: Format
    let size: PictureSize

    /// - Returns: nil for another format, or a head that is cut off.
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
            while place + 9 < bytes.count, bytes[place] == 0xFF, !PictureFileHead.isFrame(bytes[place + 1]) {
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
