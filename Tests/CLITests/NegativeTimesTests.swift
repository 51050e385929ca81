import ArgumentParser
import Testing

@testable import CLI

/// A time below 0 is no option.
struct NegativeTimesTests {
    @Test func eachTimeIsRefusedByItself() throws {
        let passed = try NegativeTimes.passed(["still", "a.mp4", "--at", "1s", "-1s", "2s", "-o", "-", "--json"])
        #expect(passed == ["still", "a.mp4", "--at", "1s", "--at=-1s", "--at=2s", "-o", "-", "--json"])
        #expect(try NegativeTimes.passed(["still", "a", "--at", "-5f"]) == ["still", "a", "--at=-5f"])
        let command = try #require(try CutfarmCommand.parseAsRoot(passed) as? StillCommand)
        #expect(command.at == ["1s", "-1s", "2s"] && command.output == "-")
    }

    @Test(arguments: [
        ["--every", "-1s"], ["--every=-1s"], ["--tolerance", "-1s"], ["--range", "-1s", "2s"],
        ["--range", "1s", "-2s"],
    ]) func othersHaveASentence(words: [String]) throws {
        let failure = #expect(throws: CommandFailure.self) { try NegativeTimes.passed(["still", "a.mp4"] + words) }
        let text = failure?.lines.joined() ?? ""
        #expect(failure?.status == .usage && text.contains("below 0"), "\(text)")
    }

    @Test func theRestStays() throws {
        let words = ["submit", "a.json", "--priority", "-5", "-o", "-", "--param", "x=-1", "--", "--at", "-1s"]
        #expect(try NegativeTimes.passed(words) == words)
    }
}
