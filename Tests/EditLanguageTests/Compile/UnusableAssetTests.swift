import CompositionModel
import EditSamples
import Testing

@testable import EditLanguage

/// What is found wrong with an edit while nothing can be known of some of its assets.
@Suite struct UnusableAssetTests {
    private static let unusable = [
        "gone": UnusableAsset(.missing, "the file gone.mp4 does not exist; correct the path"),
        "text": UnusableAsset(.unreadable, "This is no movie."),
    ]
    private static let formats = [#""format": { "frameRate": "25" }, "#, ""]

    private func rules(_ items: [String], format: String = formats[0], outputs: String = "[]") throws -> [String] {
        let text = """
            { "schema": "edit/1", \(format)"assets": { "gone": "gone.mp4", "text": "text.mp4", "a": "a.mp4" },
              "tracks": [ { "kind": "video", "segments": [
                { "asset": "gone", "duration": "1s" }, { "asset": "text", "duration": "1s" }, { "asset": "a" },
                \(items.joined(separator: ",\n")) ] } ], "outputs": \(outputs) }
            """
        let compiled = try Compiled(text, ["a": SampleAsset.minute("a")], unusable: Self.unusable)
        #expect(compiled.composition == nil)
        return compiled.errors.map(\.rule)
    }

    @Test(arguments: formats)
    func eachIsOneFindingWhereItIsDeclared(format: String) throws {
        #expect(try rules([#"{ "asset": "gone" }"#], format: format) == ["asset-missing", "asset-unreadable"])
    }

    @Test func theLayoutIsJudgedToo() throws {
        let rules = try rules(
            [
                #"{ "asset": "gone", "at": "61s", "duration": "1s" }"#, #"{ "asset": "text", "duration": "1.01s" }"#,
                #"{ "asset": "a", "in": "61s" }"#,
            ],
            outputs: #"[{ "preset": "h246" }]"#
        )
        let assets = ["asset-missing", "asset-unreadable"]
        #expect(rules == assets + ["segments-overlap", "off-frame", "in-past-end", "unknown-preset"])
    }

    /// The first asset would have said the frame rate: 1.01 s may well be a frame.
    @Test func nothingIsJudgedByARateThatNobodyKnows() throws {
        let rules = try rules(
            [#"{ "asset": "a", "duration": "1.01s" }"#, #"{ "asset": "a", "track": "video/4", "duration": "1s" }"#],
            format: ""
        )
        #expect(rules == ["asset-missing", "asset-unreadable", "unknown-source-track"])
    }

    /// How long the edit is, only the asset knows; where all lengths are written, everybody does.
    @Test(arguments: [(#"{ "asset": "gone" }"#, []), (#"{ "asset": "gone", "duration": "1s" }"#, ["range-past-end"])])
    func anUnknownEndIsNotPassed(item: String, expected: [String]) throws {
        let outputs = #"[{ "preset": "h264", "range": ["70s", "1s"] }]"#
        #expect(try rules([item], outputs: outputs) == ["asset-missing", "asset-unreadable"] + expected)
    }
}
