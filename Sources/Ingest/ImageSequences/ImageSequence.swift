import CompositionModel
import Foundation
package import Timing

/// Numbered picture files of one size that are a movie's frames, such as `frame_%04d.png`.
package struct ImageSequence: Sendable {
    /// The absolute paths, in ascending order of the numbers, which have no gap.
    let files: [String]
    /// The number of pictures per second.
    let frameRate: FrameRate
    /// The file format that all pictures share.
    let format: PictureFileHeader.Format
    /// The size that all pictures share.
    let size: PictureSize

    /// Finds the files that match a pattern and reads the header of each.
    /// - Parameters:
    ///   - pattern: an absolute path with `%d` or `%04d` in its last component.
    ///   - frameRate: the number of pictures per second.
    /// - Throws: ``MediaRefusal`` when no file matches, a number is missing, a file is neither PNG nor JPEG, or the
    ///   pictures differ in format or size.
    package init(pattern: String, frameRate: FrameRate) throws(MediaRefusal) {
        files = try ImageSequence.files(pattern)
        self.frameRate = frameRate
        let first = try ImageSequence.header(files[0])
        for file in files.dropFirst() {
            let header = try ImageSequence.header(file)
            guard header == first else {
                let numbers = "\(header.size.width)x\(header.size.height), the first is "
                throw MediaRefusal(
                    "\(file) is \(header.format) of \(numbers)\(first.format) of "
                        + "\(first.size.width)x\(first.size.height); a sequence has one size"
                )
            }
        }
        (format, size) = (first.format, first.size)
    }

    private static func header(_ file: String) throws(MediaRefusal) -> PictureFileHeader {
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw MediaRefusal("\(file) cannot be read")
        }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: 1 << 18), let header = PictureFileHeader(data) else {
            throw MediaRefusal("\(file) is neither PNG nor JPEG, or damaged")
        }
        return header
    }

    /// The files that match `pattern`, in ascending order of their numbers.
    private static func files(_ pattern: String) throws(MediaRefusal) -> [String] {
        let folder = (pattern as NSString).deletingLastPathComponent
        let name = (pattern as NSString).lastPathComponent
        guard let match = try? #/%(0([1-9]))?d/#.firstMatch(in: name) else {
            throw MediaRefusal("\(name) has no number in it; write it as %04d")
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

    private static func ordered(_ numbers: [Int: String], _ name: String) throws(MediaRefusal) -> [String] {
        let order = numbers.keys.sorted()
        guard let first = order.first, let last = order.last else {
            throw MediaRefusal("there is no file \(name)")
        }
        if let hole = zip(order, order.dropFirst()).first(where: { $0 + 1 != $1 }) {
            throw MediaRefusal("of \(name) number \(hole.0 + 1) is missing, between \(first) and \(last)")
        }
        return order.compactMap { numbers[$0] }
    }
}
