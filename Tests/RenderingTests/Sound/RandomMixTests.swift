import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Rendering

/// Seeded random edits of sound against numpy, which reads the edits themselves: volumes with every ease, in numbers
/// and in dB, pan, balance, fades and crossfades, gaps, mute and solo. 20; 200 with `CUTFARM_THOROUGH=1`,
/// `CUTFARM_SEED=17` that one alone, `101-200` those.
@Suite(.enabled("python3 with numpy and scipy is needed", MixOracle.isInstalled))
struct RandomMixTests {
    private static let seeds = TestSeeds.asked(usual: 20, thorough: 200)

    private static func media(in folder: TemporaryFolder) async throws -> [String: TestMovie] {
        var media: [String: TestMovie] = [:]
        for (name, rate, channels) in [("stereo", 48_000, 2), ("mono", 48_000, 1), ("other", 44_100, 2)] {
            // All of FFmpeg's random numbers begin alike.
            let sound = (1...channels).map { "0.25*(mod(\($0 * $0)*random(0),1)-0.5)" }.joined(separator: "|")
            media[name] = try await TestMovie.make(
                "\(name).wav",
                in: folder,
                ["-f", "lavfi", "-i", "aevalsrc='\(sound)':s=\(rate):d=2", "-c:a", "pcm_s24le"]
            )
        }
        return media
    }

    @Test func theMixIsWhatTheEditSays() async throws {
        let folder = try TemporaryFolder()
        let media = try await Self.media(in: folder)
        var used: [String: Int] = [:]
        for seed in Self.seeds {
            let mix = RandomMix(seed: seed)
            for word in mix.words { used[word, default: 0] += 1 }
            try Data(mix.text.utf8).write(to: folder.url.appendingPathComponent("\(seed).json"))
            let steps = try PlannedEdit(mix.text, media.filter { mix.words.contains($0.key) }).sound(in: folder)
            let bytes = steps.flatMap { step in (0..<3).map { UInt8(truncatingIfNeeded: step >> (8 * $0)) } }
            try Data(bytes).write(to: folder.url.appendingPathComponent("\(seed).s24"))
            await Task.yield()
        }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Oracles/mix_edit_oracle.py").path
        let outcome = try await Shell.run("python3", [script, folder.url.path])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let verdicts = try JSONDecoder().decode([String: [Int]].self, from: outcome.output)
        #expect(verdicts.count == Self.seeds.count)
        for (seed, verdict) in verdicts.sorted(by: { $0.key < $1.key }) {
            #expect(verdict[0] == verdict[1] && (0...1).contains(verdict[2]), "seed \(seed): \(verdict)")
        }
        guard Self.seeds.count >= 20 else { return }
        for word in RandomMix.all { #expect((used[word] ?? 0) >= 2, "\(word) is in \(used[word] ?? 0) edits") }
    }
}

/// An edit of sound tracks, from a seed.
struct RandomMix {
    static let all =
        ["stereo", "mono", "other", "mute", "solo", "pan", "balance", "dB", "key", "gap", "fade", "crossfade"]
        + Crossfade.Shape.allCases.map(\.rawValue)

    private var random: SplitMix
    /// What is in it.
    private(set) var words: Set<String> = []
    private(set) var text = ""

    init(seed: Int) {
        random = SplitMix(state: UInt64(seed))
        let tracks = (0...random.below(3)).map { track(isFirst: $0 == 0) }
        let assets = ["stereo", "mono", "other"].filter(words.contains).map { "\"\($0)\": \"\($0).wav\"" }
        text = """
            { "schema": "edit/1",
              "format": { "size": [64, 48], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { \(assets.joined(separator: ", ")) },
              "tracks": [
            \(tracks.joined(separator: ",\n"))
            ] }
            """
    }

    private mutating func chance(_ one: Int) -> Bool { random.below(one) == 0 }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    private mutating func use(_ word: String) -> String {
        words.insert(word)
        return word
    }

    /// - Parameter isFirst: so that something is heard.
    private mutating func track(isFirst: Bool) -> String {
        var items: [String] = []
        var isBehindClip = false
        for clip in 0...random.below(4) {
            if clip > 0, chance(4) {
                if chance(2) { items.append(transition("fade")) }
                items.append("{ \"\(use("gap"))\": \"\(1 + random.below(9000))@48000\" }")
                isBehindClip = false
            }
            if isBehindClip ? chance(2) : chance(3) { items.append(transition(isBehindClip ? "crossfade" : "fade")) }
            items.append(segment())
            isBehindClip = true
        }
        if chance(3) { items.append(transition("fade")) }
        var fields = ["\"kind\": \"audio\"", "\"segments\": [ \(items.joined(separator: ", ")) ]"]
        if !isFirst, chance(4) {
            fields.append("\"\(use("mute"))\": true")
        } else if chance(6) {
            fields.append("\"\(use("solo"))\": true")
        }
        return "{ " + (fields + sound(40_000)).joined(separator: ", ") + " }"
    }

    private mutating func transition(_ kind: String) -> String {
        _ = use(kind)
        let shape = use(pick(Crossfade.Shape.allCases).rawValue)
        let duration = "\(1 + random.below(1300))@48000"
        return "{ \"transition\": \"dissolve\", \"duration\": \"\(duration)\", \"audio\": \"\(shape)\" }"
    }

    private mutating func segment() -> String {
        let asset = use(pick(["stereo", "mono", "other"]))
        let rate = asset == "other" ? 44_100 : 48_000
        let count = 4000 + random.below(16_000)
        let fields = [
            "\"asset\": \"\(asset)\"", "\"in\": \"\(random.below(rate))@\(rate)\"", "\"duration\": \"\(count)@48000\"",
        ]
        return "{ " + (fields + sound(count)).joined(separator: ", ") + " }"
    }

    /// Volume, pan and balance of something of `count` samples.
    private mutating func sound(_ count: Int) -> [String] {
        var fields: [String] = []
        if chance(2) { fields.append("\"volume\": " + property(count) { $0.volume() }) }
        if chance(3) { fields.append("\"\(use("pan"))\": " + property(count) { $0.position() }) }
        if chance(4) { fields.append("\"\(use("balance"))\": " + property(count) { $0.position() }) }
        return fields
    }

    private mutating func volume() -> String {
        guard chance(2) else { return "0.\(100 + random.below(900))" }
        return "\"-\(random.below(40)).\(random.below(10))\(use("dB"))\""
    }

    private mutating func position() -> String { pick(["-1", "-0.5", "0", "0.3", "0.75", "1"]) }

    private mutating func property(_ count: Int, _ value: (inout RandomMix) -> String) -> String {
        guard chance(2) else { return value(&self) }
        _ = use("key")
        var at = 0
        let keys = (0...1 + random.below(3)).map { _ in
            at += random.below(count / 2)
            let ease = pick(Easing.named).name
            return "{ \"at\": \"\(at)@48000\", \"value\": \(value(&self)), \"ease\": \"\(ease)\" }"
        }
        return "[ \(keys.joined(separator: ", ")) ]"
    }
}
