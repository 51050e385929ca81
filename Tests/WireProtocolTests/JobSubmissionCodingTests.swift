import Foundation
import Testing

@testable import CompositionModel
@testable import Planning
@testable import WireProtocol

/// The JSON of `POST /v1/jobs`, as earlier versions write it.
@Suite struct JobSubmissionCodingTests {
    private static let stills = #""stills":{"format":"png","frames":[0,24]}"#
    private static let measure = #""measure":{"what":{"loudness":{}}}"#

    private func json(_ members: String...) -> String {
        let common = #""assets":{},"editText":"{}","idempotencyKey":"k","output":1,"priority":-2,"title":"t""#
        return "{" + ([common] + members).joined(separator: ",") + "}"
    }

    private func read(_ text: String) throws -> JobSubmission {
        try JSONDecoder().decode(JobSubmission.self, from: Data(text.utf8))
    }

    /// Its members by name; members of objects in alphabetical order.
    private func members(_ submission: JobSubmission) throws -> Set<String> {
        let data = try JSONEncoder().encode(submission)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return Set(object.keys)
    }

    private static let always: Set = ["assets", "editText", "idempotencyKey", "output", "priority", "title"]

    @Test func withoutAWordOfItsProductItIsAMovie() throws {
        let movie = try read(json())
        #expect(movie.product == .movie && movie.output == 1 && movie.priority == -2 && movie.title == "t")
        #expect(try members(movie) == Self.always)
    }

    @Test func stillsAreAMemberOfTheirOwn() throws {
        let submission = try read(json(Self.stills))
        #expect(submission.product == .stills(StillsOrder(frames: [0, 24], format: .png, box: nil)))
        #expect(try members(submission) == Self.always.union(["stills"]))
        #expect(try read(String(decoding: JSONEncoder().encode(submission), as: UTF8.self)) == submission)
    }

    @Test func aMeasurementIsAMemberOfItsOwn() throws {
        let submission = try read(json(Self.measure))
        #expect(submission.product == .measurement(MeasureOrder(.loudness)))
        #expect(try members(submission) == Self.always.union(["measure"]))
        #expect(try read(String(decoding: JSONEncoder().encode(submission), as: UTF8.self)) == submission)
    }

    @Test func bothAreRefusedWithAWayOn() throws {
        let error = #expect(throws: DecodingError.self) { try read(json(Self.stills, Self.measure)) }
        #expect("\(try #require(error))".contains("send one of “stills” and “measure”"))
    }

    @Test func allOtherMembersAreKept() throws {
        let submission = try read(
            json(
                #""keyCoversContent":true"#,
                #""parameters":{"a":"1"},"preset":"h264","range":["1 s","2 s"],"segmentCount":3"#,
                #""nested":{"n":{"assets":{},"editText":"{}","file":"n.json"}}"#
            )
        )
        #expect(submission.nested?["n"]?.editText == "{}")
        #expect(submission.parameters == ["a": "1"] && submission.preset == "h264" && submission.segmentCount == 3)
        #expect(submission.range == ["1 s", "2 s"] && submission.keyCoversContent == true)
        #expect(try read(String(decoding: JSONEncoder().encode(submission), as: UTF8.self)) == submission)
    }
}
