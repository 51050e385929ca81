import CompositionModel
import EditSamples
import Foundation
import Planning
import Testing
import WireProtocol

/// A plan that is encoded task by task is what one encoder makes of it.
@Suite struct PlanDocumentTests {
    @Test(
        arguments: [
            ("", "h264"), ("", "wav"), (#", "master": { "loudness": { "target": "-16LUFS" } }"#, "h264"),
            (#", "master": { "loudness": { "target": "-16LUFS" } }"#, "wav"),
        ]
    )
    func itIsTheJSONOfThePlan(master: String, preset: String) throws {
        let items = (0..<40).map { #"{ "asset": "a", "in": "\#($0)s", "duration": "15s" }"# }.joined(separator: ",")
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mp4" },
              "tracks": [ { "kind": "video", "segments": [ \(items) ] } ]\(master),
              "outputs": [ { "preset": "\(preset)" } ] }
            """
        let plan = try Compiled(text, ["a": SampleAsset.minute("a")]).plan()
        #expect(plan.soundPieces.count > 1)
        #expect((plan.soundRounds != nil) == !master.isEmpty)
        #expect(plan.segments.isEmpty == (preset == "wav"))
        #expect(try plan.document() == WireJSON.encode(plan))
    }

    /// A submitter chooses how long each task is: room for as many of the longest is in no machine.
    @Test func oneLongTaskReservesNoRoomForOthers() throws {
        let items = (0..<3).map { #"{ "asset": "a", "in": "\#($0)s", "duration": "15s" }"# }
        var plan = try Compiled(editText(items, assets: ["a"]), ["a": SampleAsset.minute("a")]).plan()
        let short = plan.segments[0]
        var long = short
        long.task.instructions = Array(repeating: short.task.instructions[0], count: 40_000)
        plan.segments = [short, long] + Array(repeating: short, count: 20_000)
        let document = try plan.document()
        #expect(document.count > 20_000 * 500)
    }

    @Test func silentPicturesAreEncodedToo() throws {
        let text = editText([#"{ "asset": "a", "duration": "30s", "sound": false }"#], assets: ["a"])
        let plan = try Compiled(text, ["a": SampleAsset.minute("a")]).plan()
        #expect(try plan.document() == WireJSON.encode(plan))
    }
}
