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

    private func answer(to descriptor: FontDescriptor, in folders: [String]) -> FontAnswer? {
        memory.answers(to: [descriptor], in: folders)[0]
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
        #expect(answer(to: descriptor("abc"), in: folders) == nil)
        let found = FontAnswer(paths: ["/fonts/serif.ttf"], face: face)
        memory.note([(descriptor("abc"), found)], in: FontFolders(folders))
        #expect(answer(to: descriptor("x y z"), in: folders)?.paths == found.paths)
        #expect(answer(to: descriptor("é"), in: folders) == nil)
        #expect(answer(to: descriptor("abc", weight: 700), in: folders) == nil)
        #expect(answer(to: descriptor("abc"), in: [folder.url.path]) == nil, "other folders")
        // A second font is remembered beside it; what was not found is not.
        let bold = FontAnswer(paths: ["/fonts/bold.ttf"], face: face)
        memory.note(
            [(descriptor("abc", weight: 700), bold), (descriptor("abc", weight: 100), FontAnswer(paths: []))],
            in: FontFolders(folders)
        )
        #expect(answer(to: descriptor("d", weight: 700), in: folders)?.paths == bold.paths)
        #expect(answer(to: descriptor("d"), in: folders)?.paths == found.paths)
        #expect(answer(to: descriptor("d", weight: 100), in: folders) == nil)
    }

    /// A text that needs other fonts too is known when it is asked for again, as before it is sent; another text is not.
    @Test func aTextOfSeveralFontsIsKnownAgain() throws {
        let folder = try TemporaryFolder()
        let paths = [folder.path("serif.ttf"), folder.path("emoji.ttf")]
        for path in paths { try Data().write(to: URL(fileURLWithPath: path)) }
        let folders = [folder.url.path]
        let found = FontAnswer(paths: paths, face: face)
        memory.note([(descriptor("a😀"), found)], in: FontFolders(folders))
        #expect(answer(to: descriptor("a😀"), in: folders)?.paths == paths)
        #expect(answer(to: descriptor("b😀"), in: folders) == nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[1]))
        try file.write(contentsOf: Data("more".utf8))
        try file.close()
        #expect(answer(to: descriptor("a😀"), in: folders) == nil)
    }

    /// Fonts that come and go are seen, in folders below and in folders that were not there.
    @Test(arguments: ["a.ttf", "inner/a.ttf", "late/a.ttf"])
    func whatChangesIsSearchedAgain(file: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("inner"), withIntermediateDirectories: true)
        let folders = [folder.path("inner"), folder.path("late")]
        let roots = file == "a.ttf" ? [folder.url.path] : folders
        memory.note([(descriptor("a"), FontAnswer(paths: ["/a.ttf"], face: face))], in: FontFolders(roots))
        #expect(answer(to: descriptor("a"), in: roots) != nil)
        let place = URL(fileURLWithPath: folder.path(file))
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        // The times of some file systems stand still for some milliseconds.
        try await waitUntil {
            try? FileManager.default.removeItem(at: place)
            try Data().write(to: place)
            return answer(to: descriptor("a"), in: roots) == nil
        }
    }

    /// The folders of whoever runs the program, as the environment says it.
    @Test func theUsersFoldersAreThoseOfTheEnvironment() {
        let home = ["HOME": "/home/mia"]
        #expect(FontFinder.all(home).suffix(2) == ["/home/mia/.local/share/fonts", "/home/mia/.fonts"])
        let moved = home.merging(["XDG_DATA_HOME": "/data/mia"]) { $1 }
        #expect(FontFinder.all(moved).suffix(2) == ["/data/mia/fonts", "/home/mia/.fonts"])
        let relative = home.merging(["XDG_DATA_HOME": "data"]) { $1 }
        #expect(FontFinder.all(relative) == FontFinder.all(home))
        #expect(FontFinder.all([:]).allSatisfy { $0.hasPrefix("/") })
    }

    /// A font that is written over in place is looked at again.
    @Test func aFileThatIsWrittenOverIsSearchedAgain() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.ttf")
        try Data().write(to: URL(fileURLWithPath: path))
        let roots = [folder.url.path]
        memory.note([(descriptor("a"), FontAnswer(paths: [path], face: face))], in: FontFolders(roots))
        #expect(answer(to: descriptor("a"), in: roots) != nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data("more".utf8))
        try file.close()
        #expect(answer(to: descriptor("a"), in: roots) == nil)
    }
}
