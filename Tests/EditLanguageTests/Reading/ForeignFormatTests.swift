import CompositionModel
import Testing

@testable import EditLanguage

/// Files of other programs, given as an edit.
@Suite struct ForeignFormatTests {
    @Test(arguments: [
        ("<?xml version=\"1.0\"?>\n<mlt LC_NUMERIC=\"C\" version=\"7\">\n</mlt>", "MLT XML"),
        ("\u{FEFF}<?xml version=\"1.0\"?>\n<!DOCTYPE fcpxml>\n<fcpxml version=\"1.10\"/>", "FCPXML"),
        ("<?xml version=\"1.0\"?><!DOCTYPE xmeml><xmeml version=\"4\"/>", "Final Cut Pro 7 XML"),
        ("<svg/>", "this is XML"), ("\n  TITLE: REEL 1\nFCM: NON-DROP FRAME\n", "EDL"),
        ("001  AX       V     C        00:00:00:00 00:00:05:00 01:00:00:00 01:00:05:00\n", "EDL"),
        ("# mpv EDL v0\na.mp4,0,5\n", "mpv"), ("ffconcat version 1.0\nfile 'a.mp4'\n", "concat"),
        ("file 'a.mp4'\nfile 'b.mp4'\n", "concat"),
        (#"{ "OTIO_SCHEMA": "Timeline.1", "metadata": {}, "tracks": {} }"#, "OpenTimelineIO"),
    ])
    func isCalledByItsName(text: String, name: String) {
        let result = EditReader.read(utf8: Array(text.utf8))
        #expect(result.document == nil && result.findings.map(\.rule) == ["foreign-format"], "\(result.findings)")
        #expect(result.findings.first?.message.contains(name) == true, "\(result.findings)")
        #expect(result.findings.first?.message.contains("\"edit/1\"") == true)
    }

    @Test(
        arguments: [
            ([0, 0, 0, 32] + Array("ftypisom".utf8), "MP4"), ([0x1A, 0x45, 0xDF, 0xA3, 0xA3], "Matroska"),
            (Array("PK\u{3}\u{4}".utf8) + [0xff], "ZIP"), ([0x1F, 0x8B, 8], "gzip"),
            (Array("wvpk".utf8) + [0xff], "WavPack"), (Array("caff".utf8) + [0xff], "CAF"),
            (Array("FORM".utf8) + [0xff], "AIFF"), (Array("riff".utf8) + [0xff], "Wave64"),
            ([0x0B, 0x77, 0xff], "AC-3"),
            ([0xFF, 0xF1, 0x50, 0x80], "AAC"), ([0xFF, 0xFB, 0x90, 0x44], "MP3"), ([0xFF, 0xF3, 0x40, 0xC0], "MP3"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG"), ([0, 0, 1, 0xBA, 0xff], "MPEG-PS"),
            (Array(repeating: [0x47] + Array(repeating: UInt8(0xff), count: 187), count: 3).flatMap { $0 }, "MPEG-TS"),
        ] as [([UInt8], String)]
    )
    func mediaIsNoEdit(bytes: [UInt8], name: String) {
        let result = EditReader.read(utf8: bytes)
        #expect(result.findings.map(\.rule) == ["foreign-format"], "\(result.findings)")
        #expect(result.findings.first?.message.contains(name) == true, "\(result.findings)")
    }

    /// What is proposed is an edit, and names the file.
    @Test(
        arguments: [
            ([0, 0, 0, 32] + Array("ftypisom".utf8), "video"), ([0, 0, 0, 32] + Array("ftypM4A ".utf8), "audio"),
            (Array("RIFF....WAVE".utf8), "audio"), (Array("RIFF....AVI ".utf8), "video"),
            ([0x89, 0x50, 0x4E, 0x47], "video"),
        ] as [([UInt8], String)]
    )
    func mediaComesWithAnEditThatPlaysIt(bytes: [UInt8], kind: String) throws {
        let finding = try #require(EditReader.read(utf8: bytes, fileName: "my \"clip\".mov").findings.first)
        let text = try #require(finding.suggestion)
        guard case .edit(let edit) = EditReader.read(text).document else {
            Issue.record("\(EditReader.read(text).findings)")
            return
        }
        #expect(edit.assets.keys.sorted() == ["a"] && text.contains(#"my \"clip\".mov"#))
        #expect(edit.tracks.map(\.kind.rawValue) == [kind])
    }

    @Test(arguments: ["TITLE: REEL 1\n", "<fcpxml version=\"1.10\"/>", #"{ "OTIO_SCHEMA": "Timeline.1" }"#])
    func aProjectComesWithAFirstEdit(text: String) throws {
        let finding = try #require(EditReader.read(text, fileName: "reel.edl").findings.first)
        let proposal = try #require(finding.suggestion)
        #expect(EditReader.read(proposal).document != nil && !proposal.contains("reel.edl"))
    }

    /// Bytes that are no text and no media that is known by its beginning.
    @Test(arguments: [
        [0xFF, 0xFE, 0x7B, 0x00], [0xFF, 0xEA, 0x90, 0x44], [0xFF, 0xFB, 0xF0, 0x44], [0x80], [0xFF, 0xFF],
    ])
    func otherBytesAreNoText(bytes: [UInt8]) {
        let result = EditReader.read(utf8: bytes)
        #expect(result.findings.map(\.rule) == ["encoding"], "\(result.findings)")
    }

    @Test(arguments: ["", " ", "{", "[]", "3", "// file 'a'\n{}", "123 4", "TITEL"])
    func otherTextIsReadAsJSON(text: String) {
        #expect(!EditReader.read(text).findings.contains { $0.rule == "foreign-format" })
    }
}
