import EditLanguage
import EditSamples
import Foundation
import TestSupport
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing

/// Which packets of an output's sound are copied, and how the others are made.
@Suite struct SoundCopiesTests {
    /// A minute of picture and of AAC whose first packet is priming.
    private static func asset(
        _ name: String,
        start: Int64 = -1024,
        seconds: Int64 = 60,
        change: (inout AudioStreamFacts) -> Void = { _ in }
    ) throws -> CompilerAsset {
        var sound = SampleAsset.audio(seconds: seconds)
        let packets = (sound.sampleCount - start + 1023) / 1024
        sound.copy = SoundCopyFacts(stretches: [SoundCopyStretch(packets: 0..<packets, start: start)])
        sound.cells = SoundCells(preRoll: 4, origin: 0, isByPosition: nil)
        change(&sound)
        return SampleAsset.asset(name, [SampleAsset.video(rate: try FrameRate(25), seconds: seconds)], [sound])
    }

    private func plan(
        _ clips: [String],
        _ assets: [CompilerAsset]? = nil,
        tracks: String = "",
        master: String = "",
        range: [String]? = nil
    ) throws -> RenderPlan {
        let assets = try assets ?? [Self.asset("a"), Self.asset("b")]
        let names = ["a", "b"].prefix(assets.count)
        let text = """
            { "schema": "edit/1",
              "format": { "size": [1280, 720], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { \(names.map { "\"\($0)\": \"\($0).mp4\"" }.joined(separator: ", ")) }, \(master)
              "tracks": [ { "kind": "video", "segments": [ \(clips.joined(separator: ", ")) ] } \(tracks) ],
              "outputs": [{ "preset": "h264" }] }
            """
        let known = Dictionary(uniqueKeysWithValues: zip(names, assets).map { (String($0), $1) })
        return try Compiled(text, known, CompileOptions(range: range, copies: true)).plan()
    }

    private func clip(_ asset: String, _ start: Int, _ count: Int, _ more: String = "") -> String {
        "{ \"asset\": \"\(asset)\", \"in\": \"\(start)f\", \"duration\": \"\(count)f\"\(more) }"
    }

    /// The runs of all pieces, joined, as words with the output's numbers: `c` copied, `b` bridged, `e` encoded.
    private func runs(_ plan: RenderPlan) throws -> [String] {
        var ways: [String] = []
        for piece in plan.soundPieces {
            let packets = try #require(piece.task.packets)
            for (range, run) in packets.ranges {
                for number in range.clamped(to: 0..<packets.count) {
                    let source = run.copy.map { "c\($0.asset) \($0.packet + number - range.lowerBound)" }
                    ways.append(source ?? (run.isBridge == true ? "b" : "e"))
                }
            }
        }
        return ways
    }

    @Test func aWholeFileIsCopied() throws {
        let plan = try plan([clip("a", 0, 1500)])
        #expect(try runs(plan) == (0..<2814).map { "c0 \($0)" })
        #expect(plan.encodedSound == [] && plan.soundPieces[0].task.packets?.priming == 1024)
        #expect(plan.soundPieces[0].task.tracks.isEmpty && plan.soundPieces[0].task.mixed.count == 1500 * 1920)
    }

    /// Of a source without priming the packet before the first is not there: what is heard of the first is not all that
    /// it holds.
    @Test func withoutPrimingTheFirstPacketIsMade() throws {
        let plan = try plan([clip("a", 0, 1500)], [Self.asset("a", start: 0)])
        let ways = try runs(plan)
        #expect(Array(ways.prefix(4)) == ["b", "b", "c0 1", "c0 2"])
    }

    /// The grid begins with the packet before the one that holds the first sample.
    @Test func aTrimHasAnotherPriming() throws {
        let plan = try plan([clip("a", 3, 500)])
        let task = try #require(plan.soundPieces.first?.task)
        // 3 · 1920 = 5 · 1024 + 640
        #expect(task.packets?.priming == 1024 + 640)
        #expect(try runs(plan).first == "c0 5")
        #expect(plan.encodedSound == [])
    }

    @Test func mostOfTheSoundDecides() throws {
        let clips = [clip("a", 1, 200), clip("a", 402, 100), clip("a", 702, 100)]
        // The second and the third are as they would be behind frame 202 of the source: two frames later.
        #expect(try plan(clips).encodedSound?.first?.reason == .grid)
        #expect(try plan(clips).soundPieces[0].task.packets?.priming == 1024 + 1920 % 1024)
        #expect(try plan([clip("a", 1, 150)] + clips.dropFirst()).soundPieces[0].task.packets?.priming != 1024 + 896)
    }

    @Test func equalSharesGoToTheFirst() throws {
        let first = try plan([clip("a", 8, 200), clip("b", 201, 200)])
        let other = try plan([clip("a", 9, 200), clip("b", 200, 200)])
        #expect(first.soundPieces[0].task.packets?.priming == 1024)
        #expect(other.soundPieces[0].task.packets?.priming == 1024 + 896)
    }

    /// Two packets at each side of what is encoded; a cut takes two or three, and none has two short slopes.
    @Test func joins() throws {
        let ways = try runs(try plan([clip("a", 0, 200), clip("a", 808, 200)]))
        let made = ways.indices.filter { !ways[$0].hasPrefix("c") }
        // Sample 384,000 of the output lies on the border of packets 375 and 376 (with the priming 376 begins there).
        #expect(made == [375, 376] && made.allSatisfy { ways[$0] == "b" })
        let far = try runs(try plan([clip("a", 0, 200), clip("b", 1, 100), clip("a", 812, 200)]))
        let text = far.map { String($0.prefix(1)) }.joined()
        #expect(text.contains("cbbe") && text.contains("ebbc") && text.contains("eeeeeeee"))
    }

    @Test(arguments: [
        (#", "volume": 0.5"#, "level"), (#", "speed": 2"#, "retimed"), (#", "pan": 0.3"#, "level"),
    ])
    func whatIsTouchedIsEncoded(words: String, reason: String) throws {
        let plan = try plan([clip("a", 0, 500, words)])
        #expect(plan.encodedSound?.map(\.reason.rawValue) == [reason])
        #expect(plan.soundPieces[0].task.packets == nil)
    }

    /// Only the part of a clip that is faded is touched.
    @Test func fadesAreEncoded() throws {
        let plan = try plan([#"{ "transition": "dissolve", "duration": "1s" }"#, clip("a", 0, 500)])
        #expect(plan.encodedSound?.map(\.reason.rawValue) == ["level", "border"])
        #expect(plan.encodedSound?.first?.samples == 48_000)
    }

    @Test func whatIsMixedOrSilentIsEncoded() throws {
        let second = #", { "kind": "audio", "segments": [ { "asset": "b", "at": "4s", "duration": "4s" } ] }"#
        let plan = try plan([clip("a", 0, 500)], tracks: second)
        #expect(plan.encodedSound?.map(\.reason.rawValue) == ["mixed", "border"])
        #expect(plan.encodedSound?.first == EncodedSoundShare(reason: .mixed, samples: 192_000))
        let louder = #", "volume": 0.5"#
        let gap = try self.plan([clip("a", 0, 500), #"{ "gap": "2s" }"#, clip("a", 0, 500, louder)])
        #expect(gap.encodedSound?.map(\.reason.rawValue) == ["level", "gap", "border"])
    }

    @Test func whatDoesNotFitTheOutputIsEncoded() throws {
        let changes: [(String, (inout AudioStreamFacts) -> Void)] = [
            ("rate", { $0.sampleRate = 44_100 }), ("layout", { $0.channelLayout = "downmix" }),
            ("layout", { ($0.channels, $0.channelLayout) = (1, "mono") }),
            ("source.codec", { $0.copy = nil }),
            ("source.profile", { $0.copy = SoundCopyFacts(obstacles: [.profile]) }),
        ]
        for (reason, change) in changes {
            let plan = try plan([clip("a", 0, 500)], [Self.asset("a", change: change)])
            #expect(plan.encodedSound?.map(\.reason.rawValue) == [reason], "\(reason)")
            #expect(plan.soundPieces[0].task.packets == nil, "\(reason)")
        }
    }

    /// Where the channels have windows of their own nothing is joined.
    @Test func aJoinMovesToWhereTheWindowsAreOne() throws {
        let asset = try Self.asset("a") { $0.copy?.apart = FrameSet(Array(900..<940)) }
        let ways = try runs(try plan([clip("a", 0, 200), clip("a", 480, 200)], [asset, Self.asset("b")]))
        // The second clip would begin with packet 903 of the source.
        let second = try #require(ways[376...].firstIndex { $0.hasPrefix("c") })
        #expect(ways[second] == "c0 941")
    }

    /// What the pieces say is what the whole is, and no join is on their border.
    @Test(arguments: TestSeeds.asked(usual: 30, thorough: 300))
    func piecesAreOneWhole(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let assets = try [Self.asset("a", seconds: 400), Self.asset("b", start: -2112, seconds: 400)]
        let clips = (0..<40).map { _ in
            let count = Int.random(in: 5...1000, using: &random)
            let start = Int.random(in: 0...(9999 - count), using: &random) / 4 * 4
            return clip(Bool.random(using: &random) ? "a" : "b", start, count)
        }
        let plan = try plan(clips, assets)
        let ways = try runs(plan)
        let priming = try #require(plan.soundPieces[0].task.packets?.priming)
        #expect(Int64(ways.count) == (plan.sampleCount + Int64(priming) + 1023) / 1024)
        #expect(ways.contains { $0.hasPrefix("c") })
        for piece in plan.soundPieces {
            let packets = try #require(piece.task.packets)
            #expect(packets.priming == priming)
            let parts = piece.task.mixedParts(packets, in: piece.task.mixed)
            #expect(parts.allSatisfy { piece.task.mixed.lowerBound <= $0.samples.lowerBound })
            #expect(parts.allSatisfy { piece.task.mixed.upperBound >= $0.samples.upperBound })
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.samples.upperBound < $1.samples.lowerBound })
        }
        for border in plan.soundPieces.dropFirst().map({ Int($0.start / 1024) }) {
            #expect(!(ways[border - 1] == "e" && ways[border] == "b"), "seed \(seed)")
            #expect(!(ways[border - 1] == "b" && ways[border] == "e"), "seed \(seed)")
        }
        // One bridge alone never stands between two copies.
        for place in ways.indices.dropFirst().dropLast() where ways[place] == "b" {
            #expect(ways[place - 1].first != "c" || ways[place + 1].first != "c", "seed \(seed)")
        }
    }
}
