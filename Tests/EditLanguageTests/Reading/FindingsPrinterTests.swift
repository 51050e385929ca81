import Testing

@testable import CompositionModel
@testable import EditLanguage

@Suite struct FindingsPrinterTests {
    @Test func printsAsCompilersDo() {
        let findings = EditReader.read(SampleEdits.video(#"{ "asset": "a", "in": 2.5 }"#)).findings
        let expected = """
            my.json:2:71: error: a time is never a number: its unit must be written, as in "2.5s" or "15f" \
            (write "2.5s") [time-is-number] at /tracks/0/segments/0/in

            """
        #expect(FindingsPrinter.text(findings, file: "my.json") == expected)
    }

    @Test func leavesOutWhatIsNotThere() {
        let finding = Finding(
            severity: .note,
            rule: .impliedFormat,
            pointer: "",
            line: 0,
            column: 0,
            message: "so it is"
        )
        #expect(FindingsPrinter.line(finding, file: "a.json") == "a.json: note: so it is [implied-format]")
    }

    @Test func keepsTerminalsSafe() {
        let finding = Finding(rule: .json, pointer: "/a", line: 1, column: 2, message: "bad \u{1B}[31m\nname\u{202E}")
        #expect(FindingsPrinter.line(finding, file: "f") == "f:1:2: error: bad �[31m�name� [json] at /a")
    }
}
