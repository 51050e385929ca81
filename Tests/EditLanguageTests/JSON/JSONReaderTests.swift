import Foundation
import TestSupport
import Testing

@testable import CompositionModel
@testable import EditLanguage

@Suite struct JSONReaderTests {
    private func read(_ text: String, limits: JSONLimits = JSONLimits()) -> (root: JSONNode?, findings: [Finding]) {
        JSONReader.read(text, limits: limits)
    }

    static let valid: [(String, String)] = [
        ("null", "null"), (" [ true , false ] ", "[true,false]"), ("{}", "{}"), ("[]", "[]"),
        (#"{"a": {"b": [1, -2.50, 3e+4]}}"#, #"{"a":{"b":[1,-2.50,3e+4]}}"#),
        ("[1, 2,]", "[1,2]"), (#"{"a":1,}"#, #"{"a":1}"#), ("// x\n[1] // y", "[1]"), ("/* a\n * b **/[1/**/]", "[1]"),
        ("\u{FEFF}[1]", "[1]"), (#""// no comment""#, #""// no comment""#), ("\"ä🎬\"", "\"ä🎬\""),
        (#""\"\\\/\b\f\n\r\tä🎬""#, "\"\\\"\\\\/\\u0008\\u000c\\n\\r\\tä🎬\""),
        ("0.10000000000000000000000000001", "0.10000000000000000000000000001"),
    ]

    @Test(arguments: valid) func readsJSONWithCommentsAndTrailingCommas(text: String, compact: String) throws {
        let (root, findings) = read(text)
        #expect(findings.isEmpty)
        #expect(root.map(JSONText.compact) == compact)
        #expect(root.map { JSONReader.read(JSONText.indented($0)).root.map(JSONText.compact) } == compact)
    }

    /// text, line, column, part of the message, suggestion
    static let wrong: [(String, Int, Int, String, String?)] = [
        ("", 1, 1, "empty", nil), ("  // x", 1, 7, "empty", nil), ("[1] 2", 1, 5, "after the end", nil),
        ("[1 2]", 1, 4, "comma is missing", nil), ("[,1]", 1, 2, "nothing before", nil),
        ("[1,,2]", 1, 4, "nothing before", nil),
        (#"{"a" 1}"#, 1, 6, "colon is missing", nil), (#"{"a":}"#, 1, 6, "value is missing", nil),
        ("{a: 1}", 1, 2, "keys stand in double quotes", "\"a\""), ("{'a': 1}", 1, 2, "keys stand", "\"a\""),
        ("['a']", 1, 2, "double quotes", "\"a\""), ("[abc]", 1, 2, "no value of JSON", "\"abc\""),
        ("[True]", 1, 2, "no value", "true"), ("[NaN]", 1, 2, "no value", "\"NaN\""), ("[01]", 1, 2, "no number", nil),
        ("[+1]", 1, 2, "no number", "1"), ("[.5]", 1, 2, "no number", "0.5"),
        ("[+3dB]", 1, 2, "no number", "\"3dB\""), ("[1.]", 1, 2, "no number", nil),
        ("[0x10]", 1, 2, "no number", nil), ("[-]", 1, 2, "no number", nil), ("[1e]", 1, 2, "no number", nil),
        ("[\n  \"abc\n]", 2, 3, "not closed on its line", nil),
        ("[\n1", 1, 1, "list that begins here is never closed", nil),
        ("{\"a\": [1}", 1, 9, "“]” is expected", nil), ("/* x", 1, 1, "never closed", nil),
        ("[\"\\x\"]", 1, 3, "no escape", nil),
        ("[\"\\ud83c\"]", 1, 3, "surrogates", nil), ("[\"\\u12\"]", 1, 3, "four hex", nil),
        ("[\"a\tb\"]", 1, 4, "control character is written as \\t in", nil),
        ("[\"\u{1F}\"]", 1, 3, "control character is written as \\u001f in", nil),
        (#"{"é": "ü", "b": x}"#, 1, 17, "no value", "\"x\""), (#"["\n", "aé", x]"#, 1, 14, "no value", "\"x\""),
        ("{\"é\": 1,\r\n \"🎬\": x}", 2, 7, "no value", "\"x\""), ("{1: 2}", 1, 2, "keys stand", "\"1\""),
        ("{[1]: 2}", 1, 2, "key in double quotes", nil), ("# x\n{}", 1, 1, "no value", "\"#\""),
    ]

    @Test(arguments: wrong) func saysWhatIsNoJSON(
        text: String,
        line: Int,
        column: Int,
        message: String,
        suggestion: String?
    ) throws {
        let finding = try #require(read(text).findings.first)
        #expect(finding.rule == FindingRule.json.rawValue)
        #expect((finding.line, finding.column) == (line, column), "\(finding)")
        #expect(finding.message.contains(message), "\(finding)")
        #expect(finding.suggestion == suggestion)
    }

    @Test func readsOnAfterMistakes() throws {
        let text = """
            { "a": 01, b: 2,
              "c" 3 "d": ['x'],
              "a": 4, }
            """
        let (root, findings) = read(text)
        #expect(findings.map(\.line) == [1, 1, 2, 2, 2, 3])
        #expect(findings.last?.rule == FindingRule.duplicateKey.rawValue)
        #expect(findings.last?.message.contains("line 1") == true)
        let node = try #require(root)
        #expect(node["a"]?.value == .invalid)
        #expect(node["b"]?.value == .number("2"))
        #expect(node["c"]?.value == .number("3"))
    }

    /// Few keys are looked through, many are found in a table: both find one that stands twice, wherever it does.
    @Test(arguments: [2, 11, 12, 13, 14, 40]) func findsKeysThatStandTwice(count: Int) throws {
        for twice in [0, count / 2, count - 1] {
            let lines = (0..<count).map { "\"k\($0)\": \($0)," } + ["\"k\(twice)\": 99, \"last\": 1"]
            let (root, findings) = read("{" + lines.joined(separator: "\n") + "}")
            #expect(findings.map(\.rule) == [FindingRule.duplicateKey.rawValue])
            #expect(findings.first?.message.contains("already on line \(twice + 1)") == true)
            #expect(root?["k\(twice)"]?.value == .number("\(twice)"))
            #expect(root?["last"]?.value == .number("1"))
        }
    }

    @Test func marksEveryValue() throws {
        let root = try #require(read("{\n\t\"a/b\": [0,\r\n {\"~\": 1}]}").root)
        let deepest = root.nearest(to: "/a~1b/1/~0")
        #expect(deepest.mark == SourceMark(pointer: "/a~1b/1/~0", line: 3, column: 8))
        #expect(root.nearest(to: "/a~1b/7/x").mark == SourceMark(pointer: "/a~1b", line: 2, column: 9))
        #expect(root.nearest(to: "").mark == SourceMark(pointer: "", line: 1, column: 1))
    }

    /// A pointer has the bytes of the text's keys, also where two keys are equal as text.
    @Test func aPointerNamesWhatIsWritten() throws {
        let root = try #require(read("{\"a\": {\"\u{E9}\": 1}, \"b\": {\"e\u{301}\": 2}}").root)
        let marks = ["a", "b"].compactMap { root[$0]?["\u{E9}"]?.mark.pointer.utf8 }.map(Array.init)
        #expect(marks == [Array("/a/\u{E9}".utf8), Array("/b/e\u{301}".utf8)])
    }

    @Test func hasLimits() {
        let deep = String(repeating: "[", count: 100_000)
        let strange = String(repeating: "{", count: 100_000)
        let limits = JSONLimits(byteCount: 1 << 20, depth: 20, valueCount: 100, findingCount: 5)
        #expect(read(deep, limits: limits).findings.last?.rule == FindingRule.limit.rawValue)
        #expect(read(strange, limits: limits).root == nil)
        let many = "[" + String(repeating: "1,", count: 200) + "]"
        #expect(read(many, limits: limits).findings.last?.rule == FindingRule.limit.rawValue)
        let large = "\"" + String(repeating: "a", count: 1 << 20) + "\""
        #expect(read(large, limits: limits).findings.last?.rule == FindingRule.limit.rawValue)
        let wrong = "[" + String(repeating: "a,", count: 50) + "]"
        let mistakes = read(wrong, limits: limits).findings
        #expect(mistakes.map(\.rule) == Array(repeating: "json", count: 5) + ["limit"])
        #expect(mistakes.last?.message == "reading ends here, after 5 mistakes; mend these first")
        #expect(read(deep).findings.last?.rule == FindingRule.limit.rawValue)
    }

    /// Whatever Foundation reads, this reads as the same value; what Foundation refuses may only be one of our two
    /// additions.
    @Test(arguments: 1...4) func agreesWithFoundation(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        for _ in 0..<150 {
            let text = JSONFuzz.document(&random)
            let theirs = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            let (root, findings) = read(text)
            guard let theirs else { continue }
            #expect(findings.allSatisfy { $0.rule == FindingRule.duplicateKey.rawValue }, "\(text)")
            guard let root, findings.isEmpty else { continue }
            let ours = try JSONSerialization.jsonObject(
                with: Data(JSONText.compact(root).utf8),
                options: .fragmentsAllowed
            )
            #expect((ours as? NSObject) == (theirs as? NSObject), "\(text)")
        }
    }

    /// A broken edit gives findings, or is still an edit; never a crash and never a hang.
    @Test(arguments: 1...4) func anEditSurvivesAnything(seed: Int) {
        var random = SplitMix(seed: UInt64(seed) + 200)
        for _ in 0..<100 {
            let text = JSONFuzz.broken(SampleEdits.complete, &random)
            let result = EditReader.read(text)
            let hasError = result.findings.contains { $0.severity == .error }
            #expect((result.document == nil) == hasError, "\(text)")
            if let document = result.document { _ = EditTextCheck.findings(document) }
        }
    }

    /// Broken documents give findings, never a crash and never a hang.
    @Test(arguments: 1...4) func survivesAnything(seed: Int) {
        var random = SplitMix(seed: UInt64(seed) + 100)
        for _ in 0..<400 {
            let text = JSONFuzz.broken(JSONFuzz.document(&random), &random)
            let (root, findings) = read(text)
            #expect(root != nil || !findings.isEmpty, "\(text)")
            _ = EditReader.read(text)
        }
    }
}
