import CompositionModel
import Foundation
import Planning
import Testing
import WireProtocol

/// Keys of submissions are digests of their JSON, so that each version of the program must write the same bytes: those
/// of JSONEncoder, which wrote them first.
@Suite struct WireJSONTests {
    private func foundation(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let style = Date.ISO8601FormatStyle.iso8601.year().month().day().time(includingFractionalSeconds: true)
            .timeZone(separator: .omitted)
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(style))
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    /// A submission that says all it can, with text of every kind in it.
    private let submission = #"""
        { "idempotencyKey": "k/1", "title": "a \"title\" \u0001 with é, 😀 and \\", "output": 2, "priority": -3,
          "editText": "{ \"schema\":\t\"edit/1\" }\r\n",
          "assets": { "é": "sha256:\#(String(repeating: "0a", count: 32))",
            "z": "sha256:\#(String(repeating: "f1", count: 32))" },
          "preset": "match", "match": "clip", "copies": true, "range": ["1s", "2s"], "segmentCount": 7,
          "parameters": { "name": "O’Brien/2", "a": "" }, "deadline": "2026-03-29T01:59:59.999Z", "audit": "2.5%",
          "window": { "after": "22:00", "until": "06:00", "days": "mon-fri", "timeZone": "Europe/Berlin" },
          "afterJobs": ["\#(JobID(uuid: UUID()))", "\#(JobID(uuid: UUID()))"], "requirements": ["tag=gpu", "encoder=libx264"],
          "webhook": "https://example.org/a?b=c",
          "delivery": { "to": "exports/a/b.mp4", "replace": false },
          "traceparent": "00-\#(String(repeating: "ab", count: 16))-\#(String(repeating: "cd", count: 8))-01",
          "nested": {
            "inner": { "editText": "{}", "file": "i.json", "assets": {}, "nested": {}, "parameters": { "p": "1" } } } }
        """#

    @Test func aSubmissionHasTheBytesThatFoundationWrites() throws {
        let read = try WireJSON.decode(JobSubmission.self, from: Data(submission.utf8))
        #expect(read.nested?.count == 1 && read.deadline != nil && read.window != nil && read.afterJobs?.count == 2)
        #expect(try text(read) == foundation(read))
        #expect(try text(JobBatch(jobs: [read, read])) == foundation(JobBatch(jobs: [read, read])))
        #expect(try WireJSON.decode(JobSubmission.self, from: WireJSON.encode(read)) == read)
        for product in [
            .stills(StillsOrder(frames: [0, 24], format: .png, box: nil)), .measurement(MeasureOrder(.loudness)),
        ] as [JobProduct] {
            var other = read
            other.product = product
            #expect(try text(other) == foundation(other))
        }
    }

    @Test func instantsAreOfMilliseconds() throws {
        for seconds in [0, 0.0004, 0.0006, 1_774_745_999.9994, 1_774_745_999.9996, -1.5, 253_402_300_799] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(try text([date]) == foundation([date]), "\(seconds)")
            #expect(try text(["at": date]) == foundation(["at": date]), "\(seconds)")
            #expect(try text(date) == foundation(date), "\(seconds)")
        }
    }

    @Test func findingsAndFailuresHaveTheBytesThatFoundationWrites() throws {
        var problem = Problem(status: 422, code: "c", title: "The edit is not valid", detail: "Two/“three” things.")
        problem.missing = [ContentDigest(of: Data()), ContentDigest(of: Data([1]))]
        let answers = [JobBatchAnswer(problem: problem)]
        #expect(try text(answers) == foundation(answers))
        #expect(try text(StageCosts(measured: 0.1)) == foundation(StageCosts(measured: 0.1)))
    }

    /// Numbers with fractions, whole ones among them, in optionals, lists and dictionaries.
    private struct StageCosts: Encodable {
        var measured: Double
        var none: Double?
        var list: [Double?] = [1, nil, 1e21, -0.0, 2.5e-300]
        var shares: [String: Double] = ["a/b": 1.0 / 3, "": 100]
    }
}
