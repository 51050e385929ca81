import Pixels
import Testing

/// Colours laid over each other through masks.
@Suite struct CoverageTests {
    @Test func colorsLieOverEachOtherInOrder() {
        var canvas = CoverageCanvas(width: 3, height: 2)
        let mask: [UInt8] = [255, 128, 0, 99, 255, 255]
        let red = CoverageColor(red: 255, green: 0, blue: 0, alpha: 255)
        canvas.lay(bytes: mask, stride: 4, width: 2, height: 2, x: 1, y: 0, color: red)
        #expect(
            canvas.pixels() == [0, 0, 0, 0, 255, 0, 0, 255, 128, 0, 0, 128] + [
                0, 0, 0, 0, 255, 0, 0, 255, 255, 0, 0, 255,
            ]
        )
        let half = CoverageColor(red: 0, green: 200, blue: 0, alpha: 51)
        canvas.lay(bytes: [255], stride: 1, width: 1, height: 1, x: 1, y: 0, color: half)
        #expect(Array(canvas.pixels()[4..<8]) == [204, 40, 0, 255])
    }

    /// Against the formula in Double.
    @Test func manyLayersRoundOnce() {
        var canvas = CoverageCanvas(width: 1, height: 1)
        var exact = SIMD4<Double>(repeating: 0)
        for number in 0..<200 {
            let (coverage, alpha) = (UInt8(number * 37 % 256), UInt8(number * 91 % 256))
            let color = CoverageColor(red: UInt8(number), green: 255 - UInt8(number), blue: 77, alpha: alpha)
            canvas.lay(bytes: [coverage], stride: 1, width: 1, height: 1, x: 0, y: 0, color: color)
            let weight = Double(coverage) * Double(alpha) / 65025
            let full = SIMD4(Double(number) / 255, Double(255 - number) / 255, 77 / 255.0, 1)
            exact = exact * (1 - weight) + full * weight
            for (channel, byte) in canvas.pixels().enumerated() {
                #expect(abs(Double(byte) - 255 * exact[channel]) <= 0.51)
            }
        }
    }
}

extension CoverageCanvas {
    fileprivate mutating func lay(
        bytes: [UInt8],
        stride: Int,
        width: Int,
        height: Int,
        x: Int,
        y: Int,
        color: CoverageColor
    ) {
        bytes.withUnsafeBufferPointer {
            lay($0, stride: stride, width: width, height: height, x: x, y: y, color: color)
        }
    }
}
