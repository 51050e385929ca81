import CompositionModel
import Planning
import Titles

/// Lays out the texts of a task's titles. Layouts are kept while their title is on screen, fonts until the task ends.
final class TextLayouts {
    private let sources: [RenderSource]
    private let digests: [ContentDigest]
    private var fonts: [Int: FontFile] = [:]
    private var blocks: [TitleText: TextBlock] = [:]

    /// - Parameter sources: the assets of the task, in the order of `task.assets`; fonts are among them.
    init(task: PictureTask, sources: [RenderSource]) {
        digests = task.assets
        self.sources = sources
    }

    /// Forgets the texts that no title of `titles` shows.
    func keep(_ titles: [SliceTitle]) {
        let texts = Set(titles.flatMap(\.layers).flatMap(\.texts))
        guard blocks.keys.contains(where: { !texts.contains($0) }) else { return }
        blocks = blocks.filter { texts.contains($0.key) }
    }

    /// `text`, laid out with its fonts.
    /// - Throws: ``RenderError`` `glyph_missing` for characters that none of its fonts has, `invalid_task` for a font
    ///   that is no asset; `TitleError` for a font that cannot be read.
    func block(_ text: TitleText) throws -> TextBlock {
        if let known = blocks[text] { return known }
        let faces = try text.faces.map { (file: try font($0.asset), index: $0.index) }
        let block = try TextBlock(text, faces: faces)
        guard block.unknownGlyphCount == 0 else {
            throw RenderError(
                "glyph_missing",
                "\(block.unknownGlyphCount) characters of “\(text.text.prefix(40))” are in none of its fonts.",
                isPermanent: true
            )
        }
        blocks[text] = block
        return block
    }

    private func font(_ asset: Int) throws -> FontFile {
        if let known = fonts[asset] { return known }
        guard sources.indices.contains(asset) else {
            throw RenderError("invalid_task", "There is no asset \(asset) for a font.", isPermanent: true)
        }
        let file = try FontSource.file(sources[asset].bytes, digest: digests[asset])
        fonts[asset] = file
        return file
    }
}
