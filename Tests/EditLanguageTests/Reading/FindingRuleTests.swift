import Foundation
import Testing

@testable import CompositionModel
@testable import Timing

/// Rules of findings have one list, and the documents explain it.
@Suite struct FindingRuleTests {
    /// Every rule that a finding may carry has its row in a table of rules.
    @Test func theDocumentsNameEveryRule() throws {
        let documented = try DocumentedRules.ofTables()
        for rule in FindingRule.allCases { #expect(documented.contains(rule.rawValue), "\(rule.rawValue)") }
    }

    /// A rule that is written as text beside the list would not be renamed with it.
    @Test func noRuleStandsBesideTheList() throws {
        let sources = ExamplesTests.root.appending(path: "Sources")
        let rules = FindingRule.allCases.map(\.rawValue).filter { $0.contains("-") }
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path())
        for name in names where name.hasSuffix(".swift") && !name.hasSuffix("/FindingRule.swift") {
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            for rule in rules where text.contains("\"\(rule)\"") { Issue.record("\(name) has \"\(rule)\"") }
        }
    }

    /// A finding of a newer coordinator has a rule that this version does not know.
    @Test func readsARuleOfALaterVersion() throws {
        let text = #"{"severity":"error","rule":"new-rule","pointer":"","line":0,"column":0,"message":"x"}"#
        let finding = try JSONDecoder().decode(Finding.self, from: Data(text.utf8))
        #expect(finding.rule == "new-rule" && !FindingRule.allCases.contains(where: finding.breaks))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let mark = SourceMark(pointer: "/a", line: 1, column: 2)
        let encoded = String(decoding: try encoder.encode(mark.finding(rule: .wrongType, "x")), as: UTF8.self)
        #expect(
            encoded
                == #"{"column":2,"line":1,"message":"x","pointer":"\/a","rule":"wrong-type","severity":"error"}"#
        )
    }

    @Test func everyTimeErrorHasItsRule() {
        let rules = TimeTextError.Rule.allCases.map { FindingRule($0).rawValue }
        #expect(rules == ["time-syntax", "time-overflow", "timecode", "frame-number"])
    }
}

/// The rules that the documents name in backticks.
enum DocumentedRules {
    /// The rules in the first columns of all tables whose first column is headed `rule`.
    static func ofTables() throws -> Set<String> {
        let rows = try documents().flatMap { text in
            text.components(separatedBy: "| rule | found when |").dropFirst().flatMap { table in
                table.split(separator: "\n").prefix { $0.hasPrefix("|") }
            }
        }
        return Set(rows.flatMap { words($0.split(separator: "|")[0]) })
    }

    /// The rules in the first column of the table of rules that reading a text finds.
    static func ofTheText() throws -> Set<String> {
        let rows = try documents().flatMap { text in
            text.split(separator: "\n").drop { !$0.contains("Rules of the text") }.dropFirst()
                .prefix { $0.hasPrefix("|") }
        }
        return Set(rows.flatMap { words($0.split(separator: "|")[0]) })
    }

    private static func documents() throws -> [String] {
        let folder = ExamplesTests.root.appending(path: "docs")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        return try names.filter { $0.hasSuffix(".md") }.map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
    }

    private static func words(_ text: some StringProtocol) -> [String] {
        String(text).matches(of: /`([a-z]+(?:-[a-z]+)*)`/).map { String($0.1) }
    }
}
