import EditSamples
import Testing

@testable import CompositionModel
@testable import Planning

/// The sound of an output in pieces: where they lie, and what each names.
@Suite struct SoundPlanTests {
    /// Clips of 7.2 s, one behind the other, cut from ten minutes of 48 kHz.
    private func items(_ count: Int) -> [String] {
        (0..<count).map { #"{ "asset": "s", "in": "\#($0 * 37 % 590)s", "duration": "180f" }"# }
    }

    /// - Parameter words: of the track.
    private func plan(
        _ items: [String],
        preset: String = "h264",
        words: String = "",
        master: String = "",
        segmentCount: Int? = nil,
        hasCells: Bool = true
    ) throws -> RenderPlan {
        var stream = SampleAsset.audio(seconds: 600, streamIndex: 0)
        if hasCells { stream.cells = SoundCells(preRoll: 0, origin: 0, isByPosition: nil) }
        let assets = ["s": SampleAsset.asset("s", [], [stream])]
        let text = """
            { "schema": "edit/1",
              "format": { "size": [1280, 720], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "s": "s.wav" }, \(master)
              "tracks": [ { "kind": "audio", \(words) "segments": [ \(items.joined(separator: ",\n")) ] } ],
              "outputs": [{ "preset": "\(preset)" }] }
            """
        return try Compiled(text, assets).plan(segmentCount: segmentCount)
    }

    @Test func aShortOutputIsOnePiece() throws {
        let plan = try plan(items(18))
        #expect(plan.soundPieces.map(\.task) == [try #require(plan.sound)])
        #expect(plan.soundPieces[0].start == 0 && plan.stitchTask().soundPartCounts == nil)
        #expect(plan.sound?.extent == .whole)
    }

    /// Each piece would decode all before it.
    @Test func aSourceThatIsDecodedFromItsStartIsHeardByOneTask() throws {
        #expect(try plan(items(100)).soundPieces.count > 1)
        let plan = try plan(items(100), hasCells: false)
        #expect(plan.soundPieces.map(\.task) == [try #require(plan.sound)])
    }

    /// Ten hours of 5,000 cuts: every piece names what it hears, and no piece more than others.
    @Test func piecesOfALongOutputAreAlike() throws {
        let plan = try plan(items(5000))
        let pieces = plan.soundPieces
        #expect(pieces.count == Int((plan.sampleCount + SoundGrid.length) / (2 * SoundGrid.length)))
        #expect(pieces.map(\.task.sampleCount).reduce(0, +) == plan.sampleCount && plan.sampleCount == 36_000 * 48_000)
        var start: Int64 = 0
        for piece in pieces {
            #expect(piece.start == start && piece.task.firstSample == start)
            #expect(start.isMultiple(of: 184_320))
            start += piece.task.sampleCount
            let window = piece.task.mixed
            let clips = piece.task.tracks.flatMap(\.segments)
            #expect(clips.allSatisfy { $0.start < window.upperBound && $0.start + $0.count > window.lowerBound })
            #expect(clips.count == Int((window.upperBound - 1) / 345_600 - window.lowerBound / 345_600) + 1)
        }
        #expect(
            pieces.dropFirst().allSatisfy { $0.task.extent.preRoll == 1410 * 1024 }
                && pieces[0].task.extent.preRoll == 0
        )
        #expect(
            pieces.dropLast().allSatisfy { $0.task.extent.postRoll == 2048 } && pieces.last?.task.extent.postRoll == 0
        )
        #expect(Set(pieces.map(\.key)).count == pieces.count)
        #expect(plan.stitchTask().soundPartCounts == pieces.map(\.task.sampleCount))
    }

    @Test func aChangedClipLeavesOtherPiecesAlone() throws {
        let before = items(1000)
        var after = before
        // From 50 min on.
        after[416] = #"{ "asset": "s", "in": "5s", "duration": "180f", "volume": 0.5 }"#
        for words in ["", #""processors": [{ "processor": "compressor" }],"#] {
            let keys = try [before, after].map { try plan($0, words: words).soundPieces.map(\.key) }
            let changed = keys[0].indices.filter { keys[0][$0] != keys[1][$0] }
            #expect(keys[0].count == keys[1].count && !changed.isEmpty && changed.count <= 3)
            #expect(changed.allSatisfy { (15...19).contains($0) })
        }
    }

    /// What a compressor remembers is heard, and not what lies before.
    @Test func aPieceHearsWhatItsProcessorsRemember() throws {
        let words = #""processors": [{ "processor": "compressor", "attack": "0.5s", "release": "1s" }],"#
        for piece in try plan(items(1000), words: words).soundPieces.dropFirst(2) {
            let clips = piece.task.tracks[0].segments
            let first = try #require(clips.first)
            let before = piece.task.mixed.lowerBound - (first.start + first.count)
            // 16 × 1.5 s are remembered; cells are four times as long at most.
            #expect(before > -345_600 * 2 && clips.count < 60)
            #expect(first.start <= max(0, piece.task.mixed.lowerBound - 16 * 72_000))
        }
    }

    @Test func onlyKeysThatCountAreNamed() throws {
        let keys = (0..<1000).map { #"{ "at": "\#($0 * 7)s", "value": 0.\#(1 + $0 % 9) }"# }.joined(separator: ", ")
        for piece in try plan(items(1000), words: #""volume": [\#(keys)],"#).soundPieces {
            let named = piece.task.tracks[0].volume
            #expect(named.count <= 88 / 7 + 50)
            #expect(try #require(named.first).at <= piece.task.mixed.lowerBound)
            #expect(try #require(named.last).at >= min(piece.task.mixed.upperBound, 999 * 7 * 48_000))
        }
    }

    /// What remembers all, a loudness of the whole, and codecs that keep bits for later.
    @Test func whatCannotBeCutIsOneTask() throws {
        let echo = #"[{ "processor": "delay", "time": "5s", "feedback": 0.95 }]"#
        #expect(try plan(items(100), words: #""processors": \#(echo),"#).soundPieces.count == 1)
        #expect(try plan(items(100), master: #""master": { "processors": \#(echo) },"#).soundPieces.count == 1)
        #expect(try plan(items(100), preset: "mp3").soundPieces.count == 1)
        #expect(try plan(items(100), preset: "wav").soundPieces.count == 8)
        let stretched = #"{ "asset": "s", "range": ["0s", "300s"], "speed": 0.5, "pitch": "keep" }"#
        #expect(try plan([stretched]).soundPieces.count == 1)
        let short = #"{ "asset": "s", "range": ["0s", "60s"], "speed": 0.5, "pitch": "keep" }"#
        #expect(try plan(Array(repeating: short, count: 5)).soundPieces.count == 3)
    }

    private let loud = #""master": { "loudness": { "target": "-16LUFS" } },"#

    /// The sound as it is in pieces, then three times with what is asked for, then the pieces that are encoded.
    @Test func aLoudnessIsMeasuredBeforeInRounds() throws {
        let (plan, plain) = (try plan(items(100), master: loud), try plan(items(100)))
        let rounds = try #require(plan.soundRounds)
        #expect(plain.soundRounds == nil && rounds.map(\.count) == [8, 8, 8, 8])
        #expect(plan.soundPieces.map(\.task.sampleCount) == plain.soundPieces.map(\.task.sampleCount))
        let programme = try #require(plan.soundPieces[0].task.extent.programme)
        #expect(programme.firstSample == 0 && programme.sampleCount == plan.sampleCount)
        #expect(
            plan.soundPieces.allSatisfy { $0.task.extent.programme == programme && $0.task.master?.loudness != nil }
        )
        #expect(plan.sound?.extent.programme == nil)
        for (number, round) in rounds.enumerated() {
            var start: Int64 = 0
            for piece in round.map(\.task) {
                #expect(piece.start == start && piece.sound.firstSample == start && start % 480_000 == 0)
                #expect(piece.round == (number == 0 ? nil : number) && piece.wholeSampleCount == plan.sampleCount)
                #expect(piece.sound.extent.programme == (number == 0 ? nil : programme))
                #expect((piece.sound.master?.loudness == nil) == (number == 0))
                start += piece.sound.sampleCount
            }
            #expect(start == plan.sampleCount)
        }
        #expect(Set((rounds.joined().map(\.key) + plan.soundPieces.map(\.key))).count == 32 + plan.soundPieces.count)
    }

    /// What is far away changes how loud a piece is made: what was made of the other programme is not used for it.
    @Test func keysOfPiecesNameTheWholeThatTheyAreBroughtToTheLoudnessOf() throws {
        let before = items(1000)
        var after = before
        after[416] = #"{ "asset": "s", "in": "5s", "duration": "180f", "volume": 0.5 }"#
        let plans = try [before, after].map { try plan($0, master: loud) }
        for (one, other) in zip(plans[0].soundPieces, plans[1].soundPieces) { #expect(one.key != other.key) }
        let rounds = try plans.map { try #require($0.soundRounds) }
        for number in 0...3 {
            let same = zip(rounds[0][number], rounds[1][number]).filter { $0.key == $1.key }.count
            // How loud a piece is by itself depends on what is near alone.
            #expect(number == 0 ? same >= rounds[0][0].count - 2 && same < rounds[0][0].count : same == 0)
        }
        // How it is encoded makes no other programme, a target does.
        let programme = try plan(before, preset: "wav", master: loud).soundPieces[0].task.extent.programme
        #expect(programme == plans[0].soundPieces[0].task.extent.programme)
        let louder = loud.replacing("-16", with: "-14")
        #expect(try plan(before, master: louder).soundPieces[0].task.extent.programme?.key != programme?.key)
    }

    @Test func aLoudnessIsOneTaskWhereThereAreNoPieces() throws {
        let delay = #"{ "processor": "delay", "time": "5s", "feedback": 0.95 }"#
        let echo = #""master": { "loudness": { "target": "-16LUFS" }, "processors": [\#(delay)] },"#
        let plans = [
            try plan(items(10), master: loud), try plan(items(100), preset: "mp3", master: loud),
            try plan(items(100), master: echo), try plan(items(100), preset: "lossless", master: loud, segmentCount: 1),
        ]
        for plan in plans {
            #expect(plan.soundRounds == nil && plan.soundPieces.count == 1)
            #expect(plan.soundPieces.first?.task == plan.sound)
            #expect(plan.sound?.master?.loudness != nil && plan.sound?.extent.programme == nil)
        }
    }

    @Test(arguments: [(1, 1), (2, 2), (7, 7), (31, 31)]) func asManyPiecesAsAsked(asked: Int, made: Int) throws {
        let plan = try plan(items(3), preset: "lossless", segmentCount: asked)
        #expect(plan.soundPieces.count == made)
        #expect(plan.soundPieces.map(\.task.sampleCount).reduce(0, +) == plan.sampleCount)
        // Not where another grid would give other bytes.
        #expect(try self.plan(items(3), preset: "aac", segmentCount: asked).soundPieces.count == 1)
    }
}
