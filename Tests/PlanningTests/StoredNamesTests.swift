import CompositionModel
import Foundation
import Testing

@testable import Planning

/// Names in JSON that differ from those in the code: they stand in the database, in asset facts and in compositions that
/// people keep, so they stay.
@Suite struct StoredNamesTests {
    /// Reads `text` and expects the same members when it is written.
    private func check<Value: Codable & Equatable>(_ text: String, is expected: Value) throws {
        let value = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        #expect(value == expected)
        let before = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
        let after = try JSONSerialization.jsonObject(with: CanonicalJSON.data(value)) as? NSDictionary
        #expect(before != nil && before == after)
    }

    @Test func curvesHaveWays() throws {
        try check(#"{"frames":[0,10],"ways":[0,20]}"#, is: RetimeCurve(frames: [0, 10], progress: [0, 20]))
        try check(
            #"{"holds":true,"samples":[0,9],"speeds":[1,2],"ways":[0,18]}"#,
            is: SoundCurve(samples: [0, 9], positions: [0, 18], speeds: [1, 2], holds: true)
        )
    }

    @Test func cellsHaveALead() throws {
        var cells = SoundCells(preRoll: 3, origin: -1024, isByPosition: nil)
        (cells.starts, cells.entryTimes, cells.entryPositions) = ([480_000], [470_000], [-1])
        let text = #"{"entryPositions":[-1],"entryTimes":[470000],"lead":3,"origin":-1024,"starts":[480000]}"#
        try check(text, is: cells)
    }

    @Test func measuresHaveAProgramme() throws {
        let sound = """
            {"assets":[],"channels":2,"encoding":{"codec":"pcm24"},"firstSample":0,"rendererVersion":5,\
            "sampleCount":48000,"sampleRate":48000,"tracks":[]}
            """
        let task = try JSONDecoder().decode(SoundTask.self, from: Data(sound.utf8))
        try check(
            #"{"programme":96000,"rendererVersion":5,"sound":\#(sound),"start":48000,"what":{"loudness":{}}}"#,
            is: MeasureTask(sound: task, what: .loudness, start: 48_000, wholeSampleCount: 96_000)
        )
    }
}
