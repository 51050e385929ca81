import CompositionModel
import Foundation
import TestSupport
import Testing

@testable import Ingest

/// What a process remembers of the machine's fonts.
@Suite struct FontMemoryTests {
    private let memory = FontMemory()

    private func descriptor(_ text: String, weight: Int = 400) -> FontDescriptor {
        FontDescriptor(families: ["Serif"], weight: weight, isItalic: false, language: nil, text: text)
    }

    /// A face with the letters a to z.
    private let face = FontFaceFacts(
        index: 0,
        families: ["Serif"],
        style: "Regular",
        weight: 400,
        isItalic: false,
        width: 100,
        isMonospaced: false,
        isColor: false,
        coverage: [0x61, 26]
    )

    /// Other words in the same font need no search; another font, or a character that the face does not have, does.
    @Test func aFaceIsKnownForOtherWords() throws {
        let folder = try TemporaryFolder()
        let folders = [folder.url.path, folder.path("not-there")]
        #expect(memory.answer(to: descriptor("abc"), in: folders) == nil)
        let found = FontAnswer(paths: ["/fonts/serif.ttf"], face: face)
        memory.note([(descriptor("abc"), found)], in: FontFolders(folders))
        #expect(memory.answer(to: descriptor("x y z"), in: folders) == found)
        #expect(memory.answer(to: descriptor("é"), in: folders) == nil)
        #expect(memory.answer(to: descriptor("abc", weight: 700), in: folders) == nil)
        #expect(memory.answer(to: descriptor("abc"), in: [folder.url.path]) == nil, "other folders")
        // A second font is remembered beside it; what was not found is not.
        let bold = FontAnswer(paths: ["/fonts/bold.ttf"], face: face)
        memory.note(
            [(descriptor("abc", weight: 700), bold), (descriptor("abc", weight: 100), FontAnswer(paths: []))],
            in: FontFolders(folders)
        )
        #expect(memory.answer(to: descriptor("d", weight: 700), in: folders) == bold)
        #expect(memory.answer(to: descriptor("d"), in: folders) == found)
        #expect(memory.answer(to: descriptor("d", weight: 100), in: folders) == nil)
    }

    /// Fonts that come and go are seen, in folders below and in folders that were not there.
    @Test(arguments: ["a.ttf", "inner/a.ttf", "late/a.ttf"])
    func whatChangesIsSearchedAgain(file: String) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("inner"), withIntermediateDirectories: true)
        let folders = [folder.path("inner"), folder.path("late")]
        let roots = file == "a.ttf" ? [folder.url.path] : folders
        memory.note([(descriptor("a"), FontAnswer(paths: ["/a.ttf"], face: face))], in: FontFolders(roots))
        #expect(memory.answer(to: descriptor("a"), in: roots) != nil)
        let place = URL(fileURLWithPath: folder.path(file))
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data().write(to: place)
        #expect(memory.answer(to: descriptor("a"), in: roots) == nil)
    }
}
