import CompositionModel
import Foundation
import Titles

/// Fonts of Debian's fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji and fonts-dejavu-core.
enum Fonts {
    static let latin = "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"
    static let bold = "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf"
    static let arabic = "/usr/share/fonts/truetype/noto/NotoNaskhArabic-Regular.ttf"
    static let hindi = "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf"
    static let thai = "/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf"
    static let cjk = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
    static let emoji = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"
    static let all = [latin, arabic, hindi, thai, cjk, emoji]

    /// Whether the machine has them, and `hb-shape` beside them.
    static let areInstalled = (all + [bold, "/usr/bin/hb-shape"]).allSatisfy(FileManager.default.fileExists)

    static func file(_ path: String) throws -> FontFile {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        return try FontFile(bytes, digest: ContentDigest(of: bytes))
    }

    /// A block of `text` in the faces 0 of `paths`, in their order.
    static func block(
        _ text: String,
        _ paths: [String] = all,
        size: Int64 = 1000,
        _ change: (inout TitleText) -> Void = { _ in }
    ) throws -> TextBlock {
        let faces = try paths.map { (file: try file($0), index: 0) }
        let numbers = paths.indices.map { FontFace(asset: $0, index: 0) }
        var title = TitleText(text: text, faces: numbers, size: size * 1_000_000)
        change(&title)
        return try TextBlock(title, faces: faces)
    }
}
