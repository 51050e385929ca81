import Testing

@testable import Sandbox

@Suite struct ChildLinesTests {
    @Test func linesAreTakenWhereverTheBytesWereCut() {
        var lines = ChildLines()
        #expect(lines.take("one\ntw".utf8) == ["one"])
        #expect(lines.take("o\n\nthree".utf8) == ["two"])
        #expect(lines.finish() == "three")
        #expect(lines.finish() == nil && lines.last == "three")
    }

    @Test func aLineWithoutAnEndIsCut() {
        var lines = ChildLines()
        #expect(lines.take(String(repeating: "x", count: 5000).utf8).isEmpty)
        #expect(lines.take("\ny\n".utf8).map(\.utf8.count) == [ChildLines.longest, 1])
    }

    /// They decide how a failure is told, however much was said after them.
    @Test func refusedCallsAreKept() {
        var lines = ChildLines()
        _ = lines.take("the sandbox has no system call 57\n".utf8)
        for _ in 0..<10_000 { _ = lines.take("noise\n".utf8) }
        #expect(RefusedCall.calls(in: lines.refusals).map(\.number) == [57] && lines.last == "noise")
    }
}
