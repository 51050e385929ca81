import Foundation
import Testing
import WireProtocol

@testable import Farm

@Suite struct StoredLogTests {
    private let noon = Date(timeIntervalSince1970: 1_000_000)

    private func line(_ text: String) -> LogLine { LogLine(at: noon, text: text) }

    @Test func theLastLinesAreKeptAndCountedOn() {
        var log = StoredLog()
        log.append((0..<150).map { line("\($0)") })
        log.append((150..<250).map { line("\($0)") })
        #expect(log.lines.count == 200 && log.lines.first?.text == "50" && log.next == 250)
        #expect(log.after(248).lines.map(\.text) == ["248", "249"])
        #expect(log.after(0).lines.count == 200)
        #expect(log.after(1000) == AttemptLog(lines: [], next: 250))
    }

    @Test func bytesAreBounded() {
        var log = StoredLog()
        for number in 0..<100 { log.append([line("\(number) " + String(repeating: "é", count: 2000))]) }
        #expect(log.byteCount <= StoredLog.mostBytes && log.next == 100)
        #expect(log.lines.allSatisfy { $0.text.utf8.count <= StoredLog.longestLine && $0.text.hasSuffix("…") })
        #expect(log.lines.last?.text.hasPrefix("99 é") == true)
    }

    @Test func nothingThatATerminalObeysIsKept() {
        var log = StoredLog()
        log.append([line("a\u{1b}]0;x\u{07}b\u{0}\r\n\u{9b}2J\u{202e}c\td")])
        #expect(log.lines.map(\.text) == ["a␛]0;x␇b␀␍␊\u{fffd}2J\u{fffd}c d"])
    }
}
