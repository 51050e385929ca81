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

    /// However many copies stand between what is encoded, nothing is encoded twice in a piece: its encoder goes on, or
    /// begins anew a pre-roll before what it makes.
    @Test(arguments: [64, 240, 1000])
    func aPieceIsEncodedOnceAtMost(copied: Int) throws {
        let assets = try [Self.asset("a", seconds: 400), Self.asset("b", seconds: 400)]
        let clips = (0..<9600 / (copied + 8)).map { number in
            let touched = clip("b", 8 * number, 8, #", "volume": 0.5"#)
            return clip("a", number * copied, copied) + ", " + touched
        }
        let plan = try plan(clips, assets)
        #expect(plan.soundPieces.count == 2 && (plan.copiedSound?.copiedCount ?? 0) > plan.sampleCount * 4 / 5)
        let (preRoll, postRoll): (Int64, Int64) = (1410 * 1024, 5 * 1024)
        for piece in plan.soundPieces {
            let packets = try #require(piece.task.packets)
            let encoded = piece.task.mixedParts(packets, in: piece.task.mixed).filter { $0.firstPacket != nil }
            let heard = encoded.reduce(0) { $0 + Int64($1.samples.count) }
            #expect(!encoded.isEmpty && heard <= piece.task.sampleCount + preRoll + postRoll, "\(heard)")
        }
    }

    /// A nested edit that is heard as it is counts as what it plays, one in it too; with another rate it is mixed.
    @Test func whatIsHeardThroughNestedEditsIsCopied() throws {
        let assets = ["a": try Self.asset("a"), "b": try Self.asset("b")]
        func text(_ clips: String, rate: Int = 48_000, assets: String) -> String {
            """
            { "schema": "edit/1",
              "format": { "size": [1280, 720], "frameRate": "25", "sampleRate": \(rate), "channels": 2 },
              "assets": { \(assets) }, "outputs": [{ "preset": "h264" }],
              "tracks": [ { "kind": "video", "segments": [ \(clips) ] } ] }
            """
        }
        func plan(_ clips: [String], rate: Int = 48_000) throws -> RenderPlan {
            let deep = text(
                [clip("a", 40, 300), clip("b", 0, 100, #", "volume": 0.5"#)].joined(separator: ", "),
                rate: rate,
                assets: #""a": "a.mp4", "b": "b.mp4""#
            )
            let middle = text(clip("deep", 8, 392), assets: #""deep": "deep.json""#)
            let nested = NestedEdit(
                "middle.json",
                middle,
                [:],
                nested: ["deep": NestedEdit("deep.json", deep, assets)]
            )
            let whole = text(
                clips.joined(separator: ", "),
                assets: #""middle": "middle.json", "a": "a.mp4", "b": "b.mp4""#
            )
            return try Compiled(whole, assets, CompileOptions(copies: true), nested: ["middle": nested]).plan()
        }
        let plain = try plan([clip("b", 0, 40), clip("middle", 8, 384)])
        // Frame 40 of the output is frame 16 of the innermost edit, which is frame 56 of its source.
        let ways = try runs(plain)
        let place = try #require(ways.firstIndex { $0.hasPrefix("c1") })
        let priming = try #require(plain.soundPieces[0].task.packets?.priming)
        let sample = Int64(place) * 1024 - Int64(priming) - 40 * 1920 + 56 * 1920
        #expect(ways[place] == "c1 \((sample + 1024) / 1024)" && (sample + 1024) % 1024 == 0)
        #expect(plain.encodedSound?.map(\.reason) == [.level, .border])
        #expect(plain.encodedSound?.first?.samples == 192_000)
        let louder = try plan([clip("middle", 8, 384, #", "volume": 0.5"#)])
        #expect(louder.encodedSound?.map(\.reason) == [.level] && louder.soundPieces[0].task.packets == nil)
        #expect(try plan([clip("middle", 8, 384)], rate: 44_100).encodedSound?.map(\.reason) == [.nested])
    }

    /// A short run between encoded sound is copied whole: without the packets that the encoder would make of it, too few
    /// would be left.
    @Test func aShortRunIsCopiedWhole() throws {
        let louder = #", "volume": 0.5"#
        func copied(_ count: Int) throws -> Int {
            let clips = [clip("b", 0, 100, louder), clip("a", 40, count), clip("b", 100, 100, louder)]
            let plan = try plan(clips)
            return plan.soundPieces[0].task.packets == nil ? 0 : try runs(plan).count { $0.hasPrefix("c") }
        }
        // Of 40 frames, 75 packets, four are made at each end, and those that the cuts lie in.
        let counts = try [40, 10, 6].map(copied)
        #expect(counts == [66, 17, 0])
    }

    /// In Matroska all sound is PCM, and none is copied packet by packet.
    @Test func matroskaSaysWhyNothingIsCopied() throws {
        let text = editText([clip("a", 0, 500)], assets: ["a"], outputs: #"[{ "preset": "match" }]"#)
        var asset = try Self.asset("a")
        asset.facts.container = "matroska,webm"
        asset.facts.video = SampleAsset.copyable("a").facts.video
        let plan = try Compiled(text, ["a": asset]).plan()
        #expect(plan.output.container == .matroska && plan.encodedSound?.map(\.reason) == [.matroska])
        #expect(PlanPrinter.text(plan).contains("20.0 s of sound encoded: Matroska does not state"))
    }

    /// Clips that play nested edits have a million parts in all. Beyond these their sound is encoded: five levels of 20
    /// clips have 3.2 million.
    @Test func nestedPartsAreBounded() throws {
        func text(_ clips: [String], _ names: [String]) -> String {
            let list = names.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
            return """
                { "schema": "edit/1", "assets": { \(list) },
                  "format": { "frameRate": "25", "sampleRate": 48000, "channels": 2 },
                  "outputs": [{ "preset": "aac" }],
                  "tracks": [ { "kind": "audio", "segments": [ \(clips.joined(separator: ", ")) ] } ] }
                """
        }
        let assets = ["a": try Self.asset("a"), "b": try Self.asset("b")]
        func parts(levels: Int) throws -> [UntouchedSound.Part] {
            var length = 20
            var inner = NestedEdit(
                "1",
                text((0..<20).map { clip($0 % 2 == 0 ? "a" : "b", 3 * $0, 1) }, ["a", "b"]),
                assets
            )
            for _ in 2..<levels {
                let clips = [String](repeating: clip("n", 0, length), count: 20)
                inner = NestedEdit("2", text(clips, ["n"]), [:], nested: ["n": inner])
                length *= 20
            }
            let clips = [String](repeating: clip("n", 0, length), count: 20)
            let compiled = try Compiled(text(clips, ["n"]), [:], nested: ["n": inner])
            let composition = try #require(compiled.composition, "\(compiled.findings)")
            let table = try AssetTable(composition, facts: compiled.facts, size: composition.format.size)
            return try UntouchedSound(composition: composition, assets: table).parts(of: 0..<composition.sampleCount())
        }
        func refused(_ parts: [UntouchedSound.Part]) -> Int {
            parts.count { if case .failure(let touch) = $0.content { touch.reason == .nested } else { false } }
        }
        let (few, many) = (try parts(levels: 4), try parts(levels: 5))
        #expect(few.count == 160_000 && refused(few) == 0)
        #expect(many.count < 1_000_000 && refused(many) > 0)
    }

    /// A job says of the sound what a plan prints.
    @Test func theShareOfSoundIsSaid() throws {
        let plan = try plan([clip("a", 0, 500), clip("a", 500, 100, #", "volume": 0.5"#)])
        let sound = try #require(plan.copying?.sound)
        #expect(sound.sampleCount == 600 * 1920 && sound.sampleRate == 48_000)
        #expect(sound.copiedCount + sound.encoded.reduce(0) { $0 + $1.sampleCount } == sound.sampleCount)
        #expect(sound.lines.first == "sound copied: 19.9 s of 24.0 s, 82 %")
        #expect(sound.lines.dropFirst().first == "  4.0 s of sound encoded: \(SoundEncodingReason.level.words)")
        let text = PlanPrinter.text(plan)
        #expect(sound.lines.allSatisfy { text.contains($0) })
    }

    /// A share of less than all never reads as all.
    @Test func aLittleIsNotNothing() {
        func lines(_ rest: Int64) -> [String] {
            let encoded = CopiedSoundShare.Rest(sampleCount: rest, reason: "it is so")
            return CopiedSoundShare(
                copiedCount: 345_600 - rest,
                sampleCount: 345_600,
                sampleRate: 48_000,
                encoded: rest > 0 ? [encoded] : []
            ).lines
        }
        #expect(lines(0) == ["sound copied: 7.2 s of 7.2 s, 100 %"])
        #expect(lines(960) == ["sound copied: 7.18 s of 7.2 s, 99 %", "  0.02 s of sound encoded: it is so"])
        #expect(
            lines(2) == [
                "sound copied: 345598 samples of 345600 samples, 99 %", "  2 samples of sound encoded: it is so",
            ]
        )
        #expect(lines(48_000)[0] == "sound copied: 6.2 s of 7.2 s, 86 %")
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
