import EditSamples
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning

/// What a plan has that an earlier one has not, in words.
@Suite struct PlanComparisonTests {
    private func asset(_ digest: String) -> CompilerAsset {
        var stream = SampleAsset.audio(seconds: 600, streamIndex: 0)
        stream.cells = SoundCells(preRoll: 0, origin: 0, isByPosition: nil)
        return SampleAsset.asset(digest, [], [stream])
    }

    /// Five minutes of sound from two files, measured in pieces.
    private func plan(
        _ assets: [String: String] = ["s": "s", "t": "t"],
        last: String = "t",
        volume: String = "0dB",
        target: String? = "-16LUFS"
    ) throws -> (plan: RenderPlan, names: [ContentDigest: String]) {
        let master = target.map { "\"master\": { \"loudness\": { \"target\": \"\($0)\" } }," } ?? ""
        let known = assets.mapValues(asset)
        let declared = assets.keys.sorted().map { "\"\($0)\": \"\($0).wav\"" }.joined(separator: ", ")
        let text = """
            { "schema": "edit/1", "assets": { \(declared) }, \(master)
              "format": { "size": [1280, 720], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "tracks": [ { "kind": "audio", "segments": [
                { "asset": "s", "duration": "150s" },
                { "asset": "\(last)", "in": "20s", "duration": "150s", "volume": "\(volume)" } ] } ],
              "outputs": [{ "preset": "wav" }] }
            """
        let names = known.map { ($0.value.digest, $0.key) }
        return (try Compiled(text, known).plan(), Dictionary(uniqueKeysWithValues: names))
    }

    private func lines(
        _ plan: (plan: RenderPlan, names: [ContentDigest: String]),
        against earlier: (plan: RenderPlan, names: [ContentDigest: String]),
        knowsNames: Bool = true
    ) -> [String] {
        PlanComparison(
            plan.plan,
            against: earlier.plan,
            names: plan.names,
            earlierNames: knowsNames ? earlier.names : [:]
        ).lines(against: "v1", rate: plan.plan.frameRate)
    }

    /// A louder clip at the end: the measurements that hear it, every later round, and every piece of sound.
    @Test func whatIsMeasuredAgainIsNamed() throws {
        let (first, second) = (try plan(), try plan(volume: "3dB"))
        let measured = try #require(second.plan.soundRounds?.first)
        let before = Set(try #require(first.plan.soundRounds?.first).map(\.key))
        let again = measured.indices.filter { !before.contains(measured[$0].key) }
        #expect(again.count > 0 && again.count < measured.count, "\(again) of \(measured.count)")
        let pieces = second.plan.soundPieces.count
        let lines = lines(second, against: first)
        #expect(
            lines[0] == "\(again.count) of \(measured.count) measurements of loudness and \(pieces) of \(pieces) pieces"
                + " of sound differ from v1:"
        )
        #expect(lines.count == 1 + again.count + 1 + pieces)
        for (line, place) in zip(lines.dropFirst(), again) {
            #expect(line.hasPrefix("  measurement \(place + 1): ") && line.contains("volume"), "\(line)")
        }
        let mix = "the whole mix, whose loudness sets the gain, differs"
        #expect(lines[1 + again.count] == "  measurements with the gain, as many as it needs: \(mix)")
        #expect(lines[2 + again.count] == "  sound piece 1: \(mix)")
    }

    /// Another target needs no other measurement of the mix as it is.
    @Test func anotherTargetIsMeasuredWithItsGain() throws {
        let (first, second) = (try plan(), try plan(target: "-20LUFS"))
        let lines = lines(second, against: first)
        let count = try #require(second.plan.soundRounds?.first).count
        #expect(count > 1 && lines[0].hasPrefix("0 of \(count) measurements of loudness and "), "\(lines[0])")
        #expect(lines[1].hasPrefix("  measurements with the gain, as many as it needs: "), "\(lines[1])")
        let same = self.lines(try plan(), against: try plan())
        #expect(same.count == 1 && same[0].hasPrefix("Every part is as in v1: "))
        let plain = self.lines(try plan(target: nil), against: try plan())
        #expect(!plain.joined().contains("measurement"), "\(plain)")
    }

    @Test func assetsAreCalledByTheirNames() throws {
        let first = try plan(target: nil)
        let (replaced, other) = (
            try plan(["s": "s", "t": "another t"], target: nil),
            try plan(["s": "s", "t": "t", "u": "u"], last: "u", target: nil)
        )
        let content = lines(replaced, against: first)
        #expect(content.last?.hasSuffix(": the content of asset “t” differs") == true, "\(content)")
        let named = lines(other, against: first)
        #expect(named.last?.hasSuffix(": asset 1 is “u” and not “t”") == true, "\(named)")
        // A job tells digests alone, of which the edit may know the names.
        let known = lines(other, against: first, knowsNames: false)
        #expect(known.last?.hasSuffix(": asset 1 is “u” and not “t”") == true, "\(known)")
        let digits = asset("t").digest.hex.prefix(8)
        let unknown = lines(replaced, against: first, knowsNames: false)
        #expect(unknown.last?.hasSuffix(": asset 1 is “t” and not \(digits)") == true, "\(unknown)")
    }
}
