import Testing
import Titles

@testable import CompositionModel

/// A text that the check lets pass is one that can be drawn.
@Suite(.enabled(if: Fonts.areInstalled))
struct TextExtentTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let size: Int64
        let change: @Sendable (inout TitleText) -> Void

        init(_ name: String, size: Int64, _ change: @escaping @Sendable (inout TitleText) -> Void = { _ in }) {
            (testDescription, self.size, self.change) = (name, size, change)
        }
    }

    static let forms = [
        Form("plain", size: 65), Form("large", size: 900),
        Form("soft shadow", size: 60) {
            $0.shadow = TitleShadow(x: 9_000_000, y: 0, blur: 120_000_000, color: "#000000ff")
        },
        Form("far shadow", size: 60) { $0.shadow = TitleShadow(x: 0, y: -999_000_000, blur: 0, color: "#000000ff") },
        Form("outline", size: 60) { $0.outline = TitleOutline(width: 400_000_000, color: "#000000ff") },
        Form("padding", size: 60) {
            $0.box.background = TitleBackground(color: "#000000ff", paddingX: 0, paddingY: 900_000_000)
        },
        Form("broken lines", size: 80) { $0.box.width = 1_500_000_000 },
    ]

    @Test(arguments: forms) func `the longest text that is good can be drawn`(form: Form) throws {
        func text(_ words: Int) -> TitleText {
            let letters = String(repeating: "Crawling news ", count: words)
            var text = TitleText(text: letters, faces: [FontFace(asset: 0, index: 0)], size: form.size * 1_000_000)
            form.change(&text)
            return text
        }
        var (good, bad) = (1, 4000)
        #expect(text(good).sizeProblem() == nil && text(bad).sizeProblem() != nil)
        while bad - good > 1 {
            let middle = (good + bad) / 2
            if text(middle).sizeProblem() == nil { good = middle } else { bad = middle }
        }
        let block = try Fonts.block(text(good).text, [Fonts.latin], size: form.size) { form.change(&$0) }
        #expect(block.isDrawable(scale: (1, 1)), "\(good) times")
    }
}
