import CompositionModel
import Planning
import Testing

@testable import Rendering

@Suite struct BackgroundColorTests {
    private static func values(_ text: String, matrix: String, isFull: Bool) throws -> [UInt8] {
        let color = ColorDescription(matrix: matrix, isFullRange: isFull, primaries: "bt709", transfer: "bt709")
        let background = try BackgroundColor(text, in: color)
        return (0..<3).map(background.value)
    }

    /// From the formulas of BT.709-6 and BT.601-7, worked out by hand.
    @Test(
        arguments: [
            ("#000000", "bt709", false, [16, 128, 128]), ("#ffffff", "bt709", false, [235, 128, 128]),
            ("#ff0000", "bt709", false, [63, 102, 240]), ("#00ff00", "bt709", false, [173, 42, 26]),
            ("#0000ff", "bt709", false, [32, 240, 118]), ("#808080", "bt709", false, [126, 128, 128]),
            ("#ff0000", "smpte170m", false, [81, 90, 240]), ("#00FF00", "smpte170m", false, [145, 54, 34]),
            ("#0000ff", "bt470bg", true, [29, 255, 107]), ("#ffffff", "bt2020nc", true, [255, 128, 128]),
        ] as [(String, String, Bool, [UInt8])]
    )
    func codeValuesAreThoseOfTheStandard(text: String, matrix: String, isFull: Bool, expected: [UInt8]) throws {
        #expect(try BackgroundColorTests.values(text, matrix: matrix, isFull: isFull) == expected)
    }

    /// A float reference over a grid of colours: the nearest code value, give or take nothing.
    @Test func everyColourIsTheNearestCodeValue() throws {
        for red in stride(from: 0, through: 255, by: 51) {
            for green in stride(from: 0, through: 255, by: 17) {
                let blue = (red * 7 + green * 3) % 256
                let luma = (0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)) / 255
                let exact = [
                    16 + 219 * luma, 128 + 224 * (Double(blue) / 255 - luma) / 1.8556,
                    128 + 224 * (Double(red) / 255 - luma) / 1.5748,
                ]
                let text = "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                let found = try BackgroundColorTests.values(text, matrix: "bt709", isFull: false)
                for (found, exact) in zip(found, exact) { #expect(abs(Double(found) - exact) <= 0.5 + 1e-9, "\(text)") }
            }
        }
    }

    @Test(arguments: ["black", "#fff", "#12345g", "#-12345", "112233", "#1122334"])
    func whatIsNoColourIsRefused(text: String) {
        #expect { try BackgroundColor(text, in: .bt709) } throws: {
            ($0 as? RenderError)?.failure.code == "invalid_color"
        }
    }
}
