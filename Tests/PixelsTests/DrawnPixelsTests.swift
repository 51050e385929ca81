import Pixels
import Testing

@Suite struct DrawnPixelsTests {
    private static let drawn = DrawnPixels(red: 2126, blue: 722, isFullRange: false)

    /// A picture of one colour alone, from its first pixel on: red, green, blue, alpha and Y′, Cb, Cr (BT.709,
    /// limited).
    @Test(
        arguments: [
            ([255, 255, 255, 255], [235, 128, 128]), ([0, 0, 0, 255], [16, 128, 128]), ([0, 0, 0, 0], [16, 128, 128]),
            ([255, 0, 0, 255], [63, 102, 240]), ([128, 128, 128, 128], [235, 128, 128]),
        ] as [([UInt8], [UInt8])]
    )
    func oneColorIsThatColorEverywhere(color: [UInt8], expected: [UInt8]) {
        let (width, height) = (3, 2)
        let pixels = Array(repeating: color, count: width * height).flatMap(\.self)
        let empty = PlaneStore(width: width, height: height) { _, _ in 77 }
        var (one, two, three, four) = (empty, empty, empty, empty)
        one.write { luma in
            two.write { blue in
                three.write { red in
                    four.write { alpha in
                        Self.drawn.convert(
                            pixels,
                            luma: luma,
                            blueDifference: blue,
                            redDifference: red,
                            alpha: alpha
                        )
                    }
                }
            }
        }
        for (plane, value) in zip([one, two, three, four], expected + [color[3]]) {
            for y in 0..<height { for x in 0..<width { #expect(plane[x, y] == value) } }
        }
    }
}
