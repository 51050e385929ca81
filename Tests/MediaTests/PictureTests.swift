import CompositionModel
import Foundation
import Media
import Testing

struct PictureTests {
    @Test func digestSeesVisibleBytesOnly() throws {
        let size = PictureSize(width: 33, height: 17)
        let picture = try TestPictures.numbered(7, size: size)
        var bytes = Data()
        for plane in 0..<3 {
            picture.withPlane(plane) { view in
                #expect(view.width == (plane == 0 ? 33 : 17))
                #expect(view.height == (plane == 0 ? 17 : 9))
                #expect(view.stride >= view.width)
                for y in 0..<view.height { bytes.append(contentsOf: view.row(y)) }
            }
        }
        #expect(picture.digest() == ContentDigest(of: bytes))
        #expect(try picture.digest() != TestPictures.numbered(8, size: size).digest())
    }

    @Test(arguments: [(0, 10), (10, 0), (1 << 28, 2), (Int.max, 2), (10, -1)])
    func impossibleSize(width: Int, height: Int) {
        #expect(throws: MediaError.self) {
            try MutablePicture(width: width, height: height, pixelFormat: .yuv420p, color: .bt709)
        }
    }

    @Test func unknownFormatIsNil() {
        #expect(PixelFormat(name: "yuv421q") == nil)
        #expect(PixelFormat(name: "yuv422p10le")?.chromaShift.x == 1)
        #expect(PixelFormat(name: "nv12")?.planeCount == 2)
    }
}

struct PictureConverterTests {
    private let smpte = ColorDescription(
        matrix: "smpte170m",
        isFullRange: false,
        primaries: "smpte170m",
        transfer: "smpte170m"
    )

    private func flat(_ values: [UInt8], color: ColorDescription, format: String = "yuv420p") throws -> Picture {
        let format = try #require(PixelFormat(name: format))
        let picture = try MutablePicture(width: 64, height: 48, pixelFormat: format, color: color)
        for plane in 0..<format.planeCount {
            picture.withMutablePlane(plane) { view in
                for y in 0..<view.height { view.row(y).initializeMemory(as: UInt8.self, repeating: values[plane]) }
            }
        }
        return try picture.freeze()
    }

    private func middle(_ picture: Picture) -> [Int] {
        (0..<3).map { plane in picture.withPlane(plane) { Int($0.row($0.height / 2)[$0.width / 2]) } }
    }

    @Test func nothingToDoIsTheSamePicture() throws {
        let picture = try TestPictures.numbered(1)
        let size = TestPictures.size
        let same = try PictureConverter().convert(picture, toWidth: size.width, height: size.height, color: .bt709)
        #expect(same === picture)
    }

    /// Pure red of BT.601 is (81, 90, 240), of BT.709 (63, 102, 240), in limited range.
    @Test func matrixIsConverted() throws {
        let red = try flat([81, 90, 240], color: smpte)
        let converted = try PictureConverter().convert(red, toWidth: 64, height: 48, color: .bt709)
        for (value, wanted) in zip(middle(converted), [63, 102, 240]) { #expect(abs(value - wanted) <= 1) }
    }

    @Test func rangeIsConverted() throws {
        var full = ColorDescription.bt709
        full.isFullRange = true
        let white = try flat([255, 128, 128], color: full)
        let converted = try PictureConverter().convert(white, toWidth: 64, height: 48, color: .bt709)
        #expect(middle(converted) == [235, 128, 128])
    }

    @Test func otherLayoutsAreRead() throws {
        let picture = try flat([100, 90, 200], color: .bt709, format: "yuv444p")
        let converted = try PictureConverter().convert(picture, toWidth: 32, height: 24, color: .bt709)
        #expect(converted.pixelFormat == .yuv420p)
        #expect(converted.size == PictureSize(width: 32, height: 24))
        #expect(middle(converted) == [100, 90, 200])
    }

    @Test func scalingIsRepeatable() throws {
        let picture = try TestPictures.numbered(77)
        let first = try PictureConverter().convert(picture, toWidth: 200, height: 150, color: .bt709)
        let converter = PictureConverter()
        _ = try converter.convert(TestPictures.numbered(5), toWidth: 200, height: 150, color: .bt709)
        let second = try converter.convert(picture, toWidth: 200, height: 150, color: .bt709)
        #expect(first.digest() == second.digest())
        #expect(TestPictures.number(of: first) == 77)
    }
}
