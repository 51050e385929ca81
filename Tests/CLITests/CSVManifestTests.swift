import Foundation
import TestSupport
import Testing

@testable import CLI

/// Manifests that are tables.
@Suite struct CSVManifestTests {
    private func rows(_ text: String) -> [String] {
        CSVTable(text).rows.map { row in
            switch row.fields {
            case .success(let fields): "\(row.line): \(fields.joined(separator: "|"))"
            case .failure(let error): "\(row.line)! \(error.reason.prefix(20))"
            }
        }
    }

    @Test func fieldsAreThoseOfTheStandard() {
        #expect(rows("a,b\r\nc,d\r\n") == ["1: a|b", "2: c|d"])
        #expect(rows("\u{feff}a,b\nc,\n") == ["1: a|b", "2: c|"], "a mark at the beginning, an empty last field")
        #expect(
            rows("\"a,1\",\"b \"\"c\"\"\"\r\n\"two\r\nlines\",x\ny,z") == [
                "1: a,1|b \"c\"", "2: two\r\nlines|x", "4: y|z",
            ]
        )
        #expect(rows("\n\r\na\n\n,\n") == ["3: a", "5: |"], "empty lines are none")
        #expect(rows("\"\",\"\"") == ["1: |"])
        #expect(rows("") == [])
        #expect(rows("ä,„x“\n") == ["1: ä|„x“"])
    }

    @Test func aRowThatIsMalformedEndsWithItsLine() {
        #expect(rows("a\n\"b\"c,d\ne") == ["1: a", "2! text follows a closi", "3: e"])
        #expect(rows("a\nb\"c,d\ne") == ["1: a", "2! a quote stands in a ", "3: e"])
        #expect(rows("a\nb\n\"c,d\ne\n") == ["1: a", "2: b", "3! a quote that opens o"])
    }

    private func manifest(_ text: String, _ name: String = "jobs.csv") throws -> [String] {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        return try Manifest.read(folder.path(name)).map { line in
            switch line {
            case .bad(let sentence): return sentence.replacing(folder.url.path + "/", with: "")
            case .entry(let entry, let place):
                var words = [place, entry.edit, entry.output, entry.to, entry.preset, entry.title, entry.match]
                words.append(entry.priority.map { "\($0)" })
                words += [entry.smart, entry.replace].map { value in value.map { "\($0)" } }
                words += [entry.terms.after, entry.terms.timeZone, entry.terms.afterJobs?.joined(separator: "+")]
                words.append(
                    entry.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
                )
                return words.map { $0 ?? "-" }.joined(separator: " ").replacing(folder.url.path + "/", with: "")
            }
        }
    }

    @Test func everyColumnSaysWhatTheKeySays() throws {
        let text = """
            edit,output,to,preset,title,match,priority,smart,replace,after,until,days,time_zone,after_job,deadline,param.name,param.no
            a.json,,,,,,,,,,,,,,,,
            b.json,b.mp4,x/b.mp4,h264,"B, b",,-5,yes,false,22:00,06:00,mon-fri,UTC,job_1 job_2,2026-12-01T06:00,Ada,7
            /c.json,/c.mp4,,,,camera,,0,TRUE,,,,,,,,
            """
        #expect(
            try manifest(text) == [
                "jobs.csv:2 a.json - - - - - - - - - - - ",
                "jobs.csv:3 b.json b.mp4 x/b.mp4 h264 B, b - -5 true false 22:00 UTC job_1+job_2 name=Ada&no=7",
                "jobs.csv:4 /c.json /c.mp4 - - - camera - false true - - - ",
            ]
        )
        #expect(
            try manifest("edit,afterJobs,timeZone\na,job_1;job_2,UTC\n").first?.hasSuffix("UTC job_1+job_2 ") == true
        )
    }

    /// Of JSON lines too, however their lines end, and whatever the type of a parameter.
    @Test(arguments: ["\n", "\r\n"]) func linesOfJSONSayWhatTheirKeysSay(end: String) throws {
        let lines = [
            #"{ "edit": "a.json", "title": "a\#u{2028}b", "params": { "n": 25.10, "i": -3, "big": 12345678901234567890 } }"#,
            "",
            #"{ "edit": "b.json", "params": { "t": true, "f": false, "s": "true" } }"#, "nonsense",
            #"{ "edit": "c.json", "params": { "x": null } }"#, #"{ "edit": "d.json", "params": { "x": [1] } }"#,
        ]
        let found = try manifest("\u{feff}" + lines.joined(separator: end) + end, "jobs.jsonl")
        #expect(
            found.prefix(3) == [
                "jobs.jsonl:1 a.json - - - a\u{2028}b - - - - - - - big=12345678901234567890&i=-3&n=25.1",
                "jobs.jsonl:3 b.json - - - - - - - - - - - f=false&s=true&t=true",
                "jobs.jsonl:4: this is no JSON object on one line.",
            ]
        )
        #expect(
            found.count == 5 && found[3].hasPrefix("jobs.jsonl:5: “params.x” must be")
                && found[4].hasSuffix("and it is [1].")
        )
    }

    @Test func termsAreTheSameInBothForms() throws {
        let folder = try TemporaryFolder()
        func terms(_ name: String, _ text: String) throws -> JobTerms? {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
            guard case .entry(let entry, _) = try Manifest.read(folder.path(name)).first else { return nil }
            return entry.terms
        }
        let table = try terms("a.csv", "edit,audit,require,webhook\na.json,2%,tag=a memory=8GB,https://a.test/\n")
        #expect(
            table?.audit == "2%" && table?.require == ["tag=a", "memory=8GB"] && table?.webhook == "https://a.test/"
        )
        let line =
            #"{ "edit": "a.json", "audit": "2%", "require": ["tag=a", "memory=8GB"], "webhook": "https://a.test/" }"#
        #expect(try terms("a.jsonl", line) == table)
    }

    @Test func aBadRowIsOneSentenceWithItsPlace() throws {
        let text =
            "edit,priority,smart,preset,match\na.json,ten,,,\nb.json,1\n,1,,,\nc.json,,maybe,,\n\"d\"x,,,,\nd.json,,,h264,camera\n"
        #expect(
            try manifest(text) == [
                "jobs.csv:2, column “priority”: “ten” is no whole number from -2147483648 to 2147483647.",
                "jobs.csv:3: it has 2 fields, and the first row names 5 columns.",
                "jobs.csv:4, column “edit”: it is empty; it says which edit to submit.",
                "jobs.csv:5, column “smart”: “maybe” is neither true nor false.",
                "jobs.csv:6: text follows a closing quote; double the quotes that belong to a field.",
                "jobs.csv:7: “match” goes with the preset match, not with “h264”; leave one of them out.",
            ]
        )
    }

    @Test(
        arguments: [
            ("edit,colour\n", "jobs.csv:1, column “colour”: there is no such column; there are edit, output"),
            ("edit,edit\n", "jobs.csv:1, column “edit”: it is there twice."),
            ("edit,after_job,afterJobs\n", "jobs.csv:1, column “afterJobs”: it is there twice."),
            ("output\na.mp4\n", "jobs.csv:1: the column “edit” is missing"),
            ("edit;output\n", "jobs.csv:1, column “edit;output”: there is no such column"),
            ("", "The manifest jobs.csv has no lines."),
            ("edit,\"output\n", "jobs.csv:1: a quote that opens on line 1 is not closed."),
            ("edit\n", "The manifest jobs.csv has no lines."),
        ]
    )
    func aHeadThatCannotBeStopsEverything(text: String, sentence: String) throws {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("jobs.csv")))
        let failure = #expect(throws: CommandFailure.self) { try Manifest.read(folder.path("jobs.csv")) }
        #expect(failure?.status == .usage)
        let said = failure?.lines.first?.replacing(folder.url.path + "/", with: "") ?? ""
        #expect(said.hasPrefix(sentence), "\(said)")
    }
}
