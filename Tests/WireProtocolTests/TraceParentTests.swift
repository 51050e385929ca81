import Foundation
import Testing
import WireProtocol

/// W3C Trace Context §3.2.
@Suite struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test(arguments: [
        ("00-\(trace)-\(span)-01", true), ("00-\(trace)-\(span)-00", true), ("cc-\(trace)-\(span)-01-more", true),
        ("00-\(trace)-\(span)-01-more", false), ("ff-\(trace)-\(span)-01", false), ("00-\(trace)-\(span)", false),
        ("00-\(trace.uppercased())-\(span)-01", false), ("00-\(String(repeating: "0", count: 32))-\(span)-01", false),
        ("00-\(trace)-\(String(repeating: "0", count: 16))-01", false), ("00-\(trace.dropLast())-\(span)-01", false),
        ("", false), ("00-\(trace)-\(span)-1", false), ("0x-\(trace)-\(span)-01", false),
    ]) func whatIsRead(text: String, isRead: Bool) throws {
        let parent = TraceParent(text: text)
        #expect((parent != nil) == isRead, "\(text)")
        if let parent { #expect(parent.trace == Self.trace && parent.span == Self.span) }
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let drawn = TraceParent.random()
        #expect(drawn != .random() && drawn.isSampled && TraceParent(text: drawn.text) == drawn)
        let data = try WireJSON.encode([drawn])
        #expect(try WireJSON.decode([TraceParent].self, from: data) == [drawn])
        let passed = try #require(drawn.from(span: Self.span))
        #expect(passed.trace == drawn.trace && passed.span == Self.span)
        #expect(throws: DecodingError.self) { try WireJSON.decode([TraceParent].self, from: Data("[\"x\"]".utf8)) }
    }
}
