import Testing

@testable import CompositionModel

/// Where the first run of too many combining marks begins.
@Suite struct StreamSafeTextTests {
    private func place(_ bytes: [UInt8]) -> Int? { bytes.withUnsafeBytes(StreamSafeText.firstLongRun(inJSON:)) }
    private func placeInText(_ bytes: [UInt8]) -> Int? { bytes.withUnsafeBytes(StreamSafeText.firstLongRun(inText:)) }

    /// A mark as it stands, of two and of four bytes, as an escape, as two escapes of surrogates, and a sign that comes to
    /// two marks.
    @Test(arguments: [
        ("\u{301}", 30), ("\u{1D165}", 30), (#"\u0301"#, 30), (#"\uD834\uDD65"#, 30), ("\u{F73}", 15),
    ])
    func thirtyMarksAreEnough(mark: String, most: Int) {
        func text(_ count: Int) -> [UInt8] { Array(("ab" + String(repeating: mark, count: count) + "c").utf8) }
        #expect(place(text(most)) == nil)
        #expect(place(text(most + 1)) == 2)
        #expect(place(text(most) + text(most)) == nil)
        // Escapes are marks in JSON alone.
        let isEscape = mark.utf8.first == UInt8(ascii: "\\")
        #expect(placeInText(text(most)) == nil)
        #expect(placeInText(text(most + 1)) == (isEscape ? nil : 2))
        #expect(StreamSafeText.lineOfLongRun(inJSON: "a\n\n" + String(repeating: mark, count: 31)) == 3)
    }

    /// A reverse solidus that is escaped itself, escapes of letters, and letters that have marks of their own.
    @Test(arguments: [#"\\u0301"#, #"\u0061"#, #"\n"#, "é", "e\u{301}", "한", "👩‍👩‍👧"])
    func othersAreNone(text: String) {
        #expect(place(Array(String(repeating: text, count: 100).utf8)) == nil)
    }

    /// A reverse solidus hides no mark behind it, whether it begins an escape or cannot.
    @Test func aReverseSolidusHidesNoMark() {
        let marks = String(repeating: "\u{301}", count: 31)
        #expect(place(Array((#"a\"# + marks).utf8)) == 2)
        #expect(place(Array((#"a\n"# + marks).utf8)) == 3)
        #expect(placeInText(Array((#"a\"# + marks).utf8)) == 2)
        #expect(placeInText(Array((#"a\u0301"# + marks).utf8)) == 7)
    }

    /// Bytes that are no text, and texts that end in the middle, are read to their end and not beyond.
    @Test(arguments: [[0xE0], [0xCC], [0xF0, 0x9D], [0x5C], [0x5C, 0x75], [0x5C, 0x75, 0x30, 0x33], [0x80], [0xFF]])
    func whatIsCutOffIsReadToItsEnd(bytes: [UInt8]) {
        #expect(place(bytes) == nil)
        #expect(place(Array("a".utf8) + bytes) == nil)
        #expect(placeInText(bytes) == nil)
    }
}
