import CompositionModel
import Foundation
import Testing

@testable import Planning

/// The JSON of a sound task is stored with jobs and digested into keys: tasks of the version before are read, and equal
/// tasks have equal bytes.
@Suite struct SoundTaskCodingTests {
    private static let rest = """
        "assets":[],"channels":2,"encoding":{"bitRate":192000,"codec":"aac"},"firstSample":96000,\
        "rendererVersion":5,"sampleCount":48000,"sampleRate":48000,"tracks":[]
        """
    private static let programme = SoundProgramme(
        key: ContentDigest(of: Data("mix".utf8)),
        firstSample: 0,
        sampleCount: 480_000
    )
    private static var programmeText: String {
        "\"programme\":{\"firstSample\":0,\"key\":\"\(programme.key)\",\"sampleCount\":480000}"
    }

    /// Members as they stood before a task said whether it is a piece, and what they mean.
    static let stored: [(members: [String], extent: SoundExtent)] = [
        ([], .whole),
        (["\"lead\":1443840", "\"tail\":2048"], .piece(SoundPiece(preRoll: 1_443_840, postRoll: 2048))),
        (["\"lead\":6144"], .piece(SoundPiece(preRoll: 6144))),
        (["\"tail\":1536", programmeText], .piece(SoundPiece(postRoll: 1536, programme: programme))),
        ([programmeText], .piece(SoundPiece(programme: programme))),
    ]

    @Test(arguments: stored.indices) func storedTasksKeepTheirBytes(index: Int) throws {
        let (members, extent) = Self.stored[index]
        let text = "{" + (members + [Self.rest]).joined(separator: ",") + "}"
        let task = try JSONDecoder().decode(SoundTask.self, from: Data(text.utf8))
        #expect(task.extent == extent)
        let written = try CanonicalJSON.data(task)
        let before = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
        let after = try #require(try JSONSerialization.jsonObject(with: written) as? NSDictionary)
        #expect(before == after)
        #expect(try JSONDecoder().decode(SoundTask.self, from: written) == task)
    }

    @Test func aPieceThatHearsNothingElseIsAWhole() {
        #expect(SoundExtent(SoundPiece()) == .whole)
        #expect(SoundExtent.whole.measured(as: nil) == .whole)
        #expect(SoundExtent.whole.measured(as: Self.programme).programme == Self.programme)
    }
}
