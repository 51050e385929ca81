import EditSamples
import Testing

@testable import CompositionModel
@testable import EditLanguage

/// Of too many findings those are listed that say why something is refused.
@Suite struct FindingShortlistTests {
    private let mark = SourceMark(pointer: "/x", line: 3, column: 1)

    /// Warnings of many rules, none too often.
    private func warnings(_ count: Int) -> [Finding] {
        (0..<count).map { mark.finding(.warning, rule: FindingRule.allCases[$0 / 10], "warning \($0)") }
    }

    @Test func anErrorTakesTheLastWarningsPlace() {
        let log = FindingLog()
        for warning in warnings(150) { log.add(warning) }
        log.error(mark, .contradiction, "it is")
        let found = log.inOrder
        #expect(found.count == FindingShortlist.most + 1)
        #expect(found.filter { $0.severity == .error }.map(\.rule) == ["contradiction"])
        #expect(found.first?.message == "warning 0" && !found.contains { $0.message == "warning 99" })
        // What is left out are warnings.
        #expect(found.last?.message.contains("51 more") == true && found.last?.severity == .note)
    }

    @Test func whenAllAreErrorsTheRestIsOne() {
        var list = FindingShortlist()
        for number in 0..<102 { list.add(mark.finding(rule: .contradiction, "\(number)")) }
        list.add(mark.finding(.warning, rule: .unusedAsset, "x"))
        #expect(list.findings.count == FindingShortlist.most && list.rest == 3)
        #expect(list.summary.map(\.severity) == [.error])
    }

    @Test func whatIsNotListedIsCounted() {
        var list = FindingShortlist()
        for number in 0..<20 { list.add(mark.finding(.warning, rule: .unusedAsset, "\(number)")) }
        #expect(list.lists(.error, .contradiction) && list.lists(.warning, .neverSeen))
        #expect(!list.lists(.warning, .unusedAsset))
        list.leaveOut(.warning)
        for number in 0..<100 {
            // An error takes a warning's place.
            #expect(list.lists(.error, .contradiction))
            list.add(mark.finding(rule: .contradiction, "\(number)"))
        }
        #expect(!list.lists(.error, .contradiction) && !list.lists(.warning, .neverSeen))
        #expect(list.rest == 21 && list.summary.map(\.severity) == [.note])
        list.leaveOut(.error)
        #expect(list.rest == 22 && list.summary.map(\.severity) == [.error])
    }

    @Test func ofOneRuleTwentyWarningsAreEnough() {
        let log = FindingLog()
        for number in 0..<30 { log.warning(mark, .neverSeen, "\(number)") }
        log.note(mark, .impliedOutput, "x")
        #expect(log.inOrder.map(\.rule) == Array(repeating: "never-seen", count: 20) + ["implied-output", "limit"])
        #expect(!log.hasErrors)
    }

    /// A hundred findings that follow from something else do not take the place of the true one.
    @Test func whatDoesNotHoldTakesNoPlace() {
        let log = FindingLog()
        log.holds = { !$0.breaks(.sampleRate) }
        for number in 0..<150 { log.error(mark, .sampleRate, "\(number)") }
        #expect(log.hasErrors)
        log.error(mark, .speed, "x")
        log.judge()
        #expect(log.inOrder.map(\.rule) == ["speed"] && log.hasErrors)
        log.error(mark, .sampleRate, "now it holds")
        #expect(log.inOrder.count == 2)
    }

    @Test func whatAnotherLogLeftOutIsCounted() {
        let (log, inside) = (FindingLog(), FindingLog())
        for warning in warnings(130) { inside.add(warning) }
        log.error(mark, .contradiction, "x")
        log.add(inside.list)
        #expect(log.inOrder.last?.message.contains("31 more") == true)
        #expect(log.inOrder.contains { $0.breaks(.contradiction) })
    }

    /// A template whose clips are all invisible and whose file is missing, or whose range ends too late.
    @Test func aHundredWarningsDoNotHideTheOnlyError() throws {
        let items = (0..<120).map { _ in #"{ "asset": "a", "duration": "1s", "opacity": 0 }"# }
        let assets = ["a": SampleAsset.minute("a"), "b": SampleAsset.minute("b")]
        let late = try Compiled(editText(items, assets: ["a"]), assets, CompileOptions(range: ["0s", "9999s"]))
        #expect(late.errors.map(\.rule) == ["range-past-end"] && late.composition == nil, "\(late.findings.count)")
        let other = #"{ "asset": "b", "duration": "1s" }"#
        let missing = try Compiled(
            editText(items + [other], assets: ["a", "b"]),
            ["a": SampleAsset.minute("a")],
            unusable: ["b": UnusableAsset(.missing, "no such file")]
        )
        #expect(missing.errors.map(\.rule) == ["asset-missing"])
    }
}
