import Testing

@testable import Shared

@Suite struct SpellingTests {
    static let distances: [(String, String, Int)] = [
        ("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ba", 1),
        ("duration", "duratoin", 1),
        ("same", "same", 0), ("ca", "abc", 3),
    ]

    @Test(arguments: distances) func counts(first: String, second: String, distance: Int) {
        #expect(Spelling.distance(Array(first), Array(second)) == distance)
        #expect(Spelling.distance(Array(second), Array(first)) == distance)
    }

    @Test func findsTheNearestNameOrNone() {
        let known = ["asset", "in", "duration", "range", "at"]
        #expect(Spelling.nearest(to: "asett", in: known) == "asset")
        #expect(Spelling.nearest(to: "Duration", in: known) == "duration")
        #expect(Spelling.nearest(to: "en", in: known) == "in")
        #expect(Spelling.nearest(to: "colour", in: known) == nil)
        #expect(Spelling.nearest(to: "x", in: []) == nil)
    }
}
