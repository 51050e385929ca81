import CompositionModel
import Foundation
import Media
import TestSupport
import Testing
import Timing

/// Files of one picture.
@Suite struct StillTests {
    private func still(_ name: String, _ arguments: [String], in folder: TemporaryFolder) async throws -> String {
        let path = folder.path(name)
        let input = ["-f", "lavfi", "-i", "testsrc2=size=96x64", "-frames:v", "1"]
        try await Shell.ffmpeg(input + arguments + [path])
        return path
    }

    @Test(arguments: [
        ("a.png", ["-pix_fmt", "rgb24"]), ("a.png", ["-pix_fmt", "rgba"]), ("a.png", ["-pix_fmt", "rgb48be"]),
        ("a.png", ["-pix_fmt", "pal8"]), ("a.png", ["-pix_fmt", "gray"]), ("a.jpg", ["-pix_fmt", "yuvj420p"]),
        ("a.jpg", ["-pix_fmt", "yuvj444p"]), ("a.webp", []), ("a.webp", ["-pix_fmt", "bgra", "-lossless", "1"]),
    ])
    func isOnePicture(name: String, arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let source = try FileByteSource(path: try await still(name, arguments, in: folder))
        let (facts, indexes) = try AssetProbe.probe(source)
        let stream = try #require(facts.defaultVideo)
        #expect(stream.isStill && stream.displaySize == PictureSize(width: 96, height: 64))
        let reader = try PictureReader(source: source, stream: stream, index: indexes[0], threads: 1)
        let picture = try reader.picture(at: .zero)
        #expect(picture.size == PictureSize(width: 96, height: 64))
        let shown = try PictureConverter().convert(picture, toWidth: 96, height: 64, color: .bt709)
        #expect(shown.pixelFormat == .yuv420p)
    }

    /// A PNG's colours come out as BT.709's code values, alpha as it was.
    @Test(arguments: [
        ("red", [63, 102, 240]), ("lime", [173, 42, 26]), ("blue", [32, 240, 118]), ("white", [235, 128, 128]),
        ("black", [16, 128, 128]), ("0x808080", [126, 128, 128]),
    ])
    func coloursAreTheEdits(color: String, values: [Int]) async throws {
        let folder = try TemporaryFolder()
        for format in ["rgb24", "rgba", "rgb48be"] {
            let path = folder.path("\(format).png")
            let input = ["-f", "lavfi", "-i", "color=\(color)@0.6:size=64x32,format=rgba", "-frames:v", "1"]
            try await Shell.ffmpeg(input + ["-pix_fmt", format, path])
            let source = try FileByteSource(path: path)
            let (facts, indexes) = try AssetProbe.probe(source)
            let reader = try PictureReader(source: source, stream: facts.video[0], index: indexes[0], threads: 1)
            let picture = try reader.picture(at: .zero)
            let converter = PictureConverter()
            let opaque = try converter.convert(picture, toWidth: 64, height: 32, color: .bt709)
            check(opaque, values, "\(color) \(format)")
            let seen = try converter.keepingAlpha(picture, color: .bt709)
            #expect((seen != nil) == (format == "rgba"))
            if let seen {
                check(seen, values + [153], "\(color) \(format) with alpha")
            }
        }
    }

    private func check(_ picture: Picture, _ values: [Int], _ what: String) {
        for (plane, value) in values.enumerated() {
            let found = picture.withPlane(plane) { Int($0.row($0.height / 2)[$0.width / 2]) }
            #expect(abs(found - value) <= 1, "\(what), plane \(plane): \(found), not \(value)")
        }
    }

    /// EXIF's eight orientations.
    @Test(arguments: 1...8) func aPhotographIsTurned(tag: Int) async throws {
        let folder = try TemporaryFolder()
        let plain = try await still("a.jpg", [], in: folder)
        var data = try Data(contentsOf: URL(fileURLWithPath: plain))
        // A TIFF header, big-endian, with one entry: tag 0x112, a short.
        let tiff: [UInt8] =
            [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(tag), 0, 0, 0, 0, 0, 0]
        let segment = Array("Exif".utf8) + [0, 0] + tiff
        data.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment, at: 2)
        let stream = try AssetProbe.probe(DataSource(data)).facts.video[0]
        // EXIF 2.32, 4.6.4: which corner row 0 and column 0 are; mirrored first, then turned clockwise.
        let expected = [
            (0, false), (0, true), (180, false), (180, true), (270, true), (90, false), (90, true), (270, false),
        ].map { Orientation(degrees: $0.0, isMirrored: $0.1) }
        #expect(stream.orientation == expected[tag - 1])
        #expect(stream.displaySize.width == (tag > 4 ? 64 : 96))
    }
}

private final class DataSource: ByteSource {
    private let data: Data

    init(_ data: Data) { self.data = data }

    var byteCount: Int64 { Int64(data.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        let count = max(0, min(buffer.count, data.count - Int(offset)))
        if count > 0 { data.copyBytes(to: buffer, from: Int(offset)..<Int(offset) + count) }
        return count
    }
}
