// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import CompositionModel
package import EditLanguage
import Foundation
package import Planning
import TestSupport
import Timing
import WireProtocol

/// A submission of at most 1 KiB that is made to cost its planner as much as it can: counts, lengths, rates and depths at
/// their limits, and words that multiply each other. One seed gives one submission, everywhere.
package struct HostileEdit: Sendable {
    /// The most bytes that the texts of a submission have together.
    package static let mostBytes = 1024

    /// The text of the edit.
    package let text: String
    /// The texts of the edits that it uses as assets, from the inside out: each uses the one before it.
    package let nested: [String]
    package let options: CompileOptions
    /// The number of equal parts that it asks for, as `--segments` does; nil for the grid.
    package let segmentCount: Int?
    /// What it asks to be measured; nil for a movie.
    package let order: MeasureOrder?

    /// - Parameter seed: chooses the submission.
    package init(seed: UInt64) {
        var draw = HostileWords(seed: seed)
        let depth = draw.chance(3) ? draw.below(Limits.nesting + 1) : 0
        let share = HostileEdit.mostBytes / (depth + 1)
        var nested: [String] = []
        for _ in 0..<depth { nested.append(draw.edit(bytes: share, usesEdit: !nested.isEmpty)) }
        self.nested = nested
        text = draw.edit(bytes: share, usesEdit: depth > 0)
        let range = draw.chance(8) ? [draw.time(), draw.time()] : nil
        let preset = draw.chance(3) ? draw.pick(["h264", "lossless", "wav-float", "aac", "match"]) : nil
        options = CompileOptions(preset: preset, range: range, copies: draw.chance(2))
        segmentCount = draw.chance(8) ? draw.pick([1, 2, 999, Limits.mostForcedSegments]) : nil
        order = draw.chance(8) ? MeasureOrder(.loudness) : nil
    }

    /// Makes what all submissions share: the facts of their assets.
    package static func prepare() { _ = facts.count }

    /// What was read of a submission's texts.
    package struct Read: Sendable {
        let document: EditDocument
        let nested: [String: NestedEdit]
    }

    /// Reads the texts of the submission.
    /// - Returns: nil when the edit's own text is refused.
    package func read() -> Read? {
        var inner: NestedEdit?
        for text in nested {
            inner = NestedEdit("inner.json", text, HostileEdit.assets, nested: inner.map { ["edit": $0] } ?? [:])
        }
        return EditReader.read(text).document.map { Read(document: $0, nested: inner.map { ["edit": $0] } ?? [:]) }
    }

    /// Compiles, plans and encodes the submission, as a coordinator does.
    /// - Returns: the number of bytes of what would be stored; 0 for a submission that is refused.
    package func plan(_ read: Read) -> Int {
        let (document, edits) = (read.document, read.nested)
        let result = EditCompiler.compile(document, assets: HostileEdit.assets, nested: edits, options: options)
        guard let composition = result.composition else { return 0 }
        let plan = try? Planner.plan(
            composition,
            output: 0,
            facts: HostileEdit.facts,
            segmentCount: order == nil ? segmentCount : 1
        )
        guard let plan else { return 0 }
        var bytes = ((try? CanonicalJSON.data(composition)) ?? Data()).count + ((try? plan.document()) ?? Data()).count
        if let order {
            let pieces = try? Planner.measures(
                composition,
                output: 0,
                facts: HostileEdit.facts,
                order: order,
                segmentCount: segmentCount
            )
            bytes += (pieces ?? []).reduce(0) { $0 + encoded($1.task) }
        } else {
            bytes +=
                plan.segments.reduce(0) { $0 + encoded($1.task) } + plan.soundPieces.reduce(0) { $0 + encoded($1.task) }
        }
        return bytes
    }

    private func encoded(_ value: some Encodable) -> Int { ((try? CanonicalJSON.foundation(value)) ?? Data()).count }

    /// What is known of the assets that such edits use: a minute that can be copied, a file of variable rate, ten hours
    /// of nothing but keyframes, and sound.
    private static let assets: [String: CompilerAsset] = [
        "a": SampleAsset.copyable("a"),
        "v": SampleAsset.asset("v", [SampleAsset.variable(ticks: [33, 17, 50], count: 3000, gop: 1)]),
        "k": SampleAsset.asset(
            "k",
            [SampleAsset.video(rate: try! FrameRate(60), seconds: 36_000, gop: 1)],
            [SampleAsset.audio(seconds: 36_000)]
        ),
        "f": SampleAsset.font("f", SampleAsset.face("Sans")),
        "s": SampleAsset.asset("s", [], [SampleAsset.audio(sampleRate: 192_000, seconds: 3_600, streamIndex: 0)]),
    ]
    private static let facts = Dictionary(
        assets.values.map { ($0.digest, $0.facts) },
        uniquingKeysWith: { first, _ in first }
    )
}

/// Draws the words of hostile edits.
private struct HostileWords {
    private var random: SplitMix
    /// The seconds of the longest timeline that the track has left, and the runs that the edit has left.
    private var left = 360_000.0
    private var runsLeft = Limits.loopRuns

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func below(_ limit: Int) -> Int { random.below(limit) }
    mutating func chance(_ odds: Int) -> Bool { below(odds) == 0 }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    /// Lengths and positions, and the seconds that they have at 25 frames per second.
    private let lengths: [(text: String, seconds: Double)] = [
        ("1f", 0.04), ("2f", 0.08), ("3f", 0.12), ("25f", 1), ("0.04s", 0.04), ("0.5s", 0.5), ("1s", 1), ("10s", 10),
        ("59s", 59), ("60s", 60), ("600s", 600), ("3600s", 3600), ("36000s", 36_000), ("179999s", 179_999),
        ("360000s", 360_000),
    ]

    mutating func time() -> String { pick(lengths).text }

    /// An edit of at most `bytes` bytes.
    mutating func edit(bytes: Int, usesEdit: Bool) -> String {
        let rate = pick(["1", "25", "30000/1001", "1000", "1000"])
        let size = pick(["[2,2]", "[1280,720]", "[16384,16384]"])
        let channels = pick([1, 2, 2])
        let sampleRate = pick([8_000, 48_000, 48_000])
        var names = ["a", "v", "k"]
        if usesEdit { names += ["edit", "edit", "edit"] }
        let own = usesEdit ? #","edit":{"edit":"i"}"# : ""
        let assets = #""a":"a","v":"v","k":"k","s":"s","f":"f""# + own
        let sound = #""sampleRate":\#(sampleRate),"channels":\#(channels)"#
        let format = #""format":{"size":\#(size),"frameRate":"\#(rate)",\#(sound)}"#
        let head = #"{"schema":"edit/1","snap":"nearest",\#(format),"assets":{\#(assets)},"tracks":["#
        let tail = "]" + master() + "}"
        var tracks: [String] = []
        var used = head.utf8.count + tail.utf8.count
        while used < bytes {
            let track = track(bytes: bytes - used, names, number: tracks.count)
            guard let track, used + track.utf8.count < bytes else { break }
            tracks.append(track)
            used += track.utf8.count + 1
        }
        return head + tracks.joined(separator: ",") + tail
    }

    private mutating func master() -> String {
        guard chance(4) else { return "" }
        return pick([
            #","master":{"loudness":{"target":"-16LUFS"}}"#, #","master":{"limiter":{}}"#,
            #","master":{"processors":[{"processor":"reverb"}]}"#,
        ])
    }

    private mutating func track(bytes: Int, _ names: [String], number: Int) -> String? {
        let kind = pick(["video", "video", "video", "audio", "audio", "title"])
        var head = #"{"kind":"\#(kind)","id":"t\#(number)","#
        if kind != "title", chance(4) {
            head += #""processors":[{"processor":"\#(pick(["reverb", "compressor", "delay"]))"}],"#
        }
        if kind != "title", number > 0, chance(4) { head += #""duck":{"under":"t\#(below(number))","by":"-12dB"},"# }
        if kind == "video", chance(5) { head += #""opacity":\#(keys()),"# }
        head += #""segments":["#
        var items: [String] = []
        left = 350_000
        var used = head.utf8.count + 2
        let most = 1 + below(24)
        while items.count < most {
            var item = kind == "title" ? title() : segment(kind, names)
            if kind != "title", !items.isEmpty, chance(8) {
                let name = kind == "audio" ? "dissolve" : pick(["dissolve", "push", "wipe"])
                item = #"{"transition":"\#(name)","duration":"\#(pick(["1f", "1s"]))"},"# + item
            }
            guard used + item.utf8.count + 1 < bytes else { break }
            items.append(item)
            used += item.utf8.count + 1
        }
        return items.isEmpty ? nil : head + items.joined(separator: ",") + "]}"
    }

    private mutating func segment(_ kind: String, _ names: [String]) -> String {
        let name = pick(kind == "audio" ? ["a", "s", "k"] : names)
        // The seconds that the source has; a word in ten wants more than there is.
        let most = chance(100) ? 1_000_000 : ["a": 60, "v": 100, "s": 3_600, "k": 36_000][name] ?? 1
        let length = lengths.filter { $0.seconds <= Double(most) }.map(\.text)
        var text = #"{"asset":"\#(name)","duration":"\#(pick(length))""#
        let isLooped = chance(2)
        if isLooped {
            text += #","loop":\#(loops(of: lengths.first { text.contains("\"\($0.text)\"") }?.seconds ?? 1))"#
        }
        switch below(8) {
        case 0: text += #","speed":\#(pick(chance(12) ? ["20", #""30000/1001""#] : ["0.05", #""1001/30000""#, "0.5"]))"#
        case 1 where kind == "video" || !isLooped:
            text += #","speed":[{"at":"0s","value":0.05,"ease":"inOutSine"},{"at":"\#(time())","value":1}]"#
        case 2 where kind == "video" && !isLooped: text += #","freeze":"1s""#
        case 3 where chance(6): text += #","in":"\#(pick(["1f", "0.04s"]))""#
        case 4 where kind == "audio" && chance(4): text += #","until":"picture""#
        case 5 where kind == "audio" && !isLooped && chance(4): text += #","loop":"picture""#
        default: break
        }
        if kind == "video", chance(5) { text += #","blending":"frames""# }
        if kind == "video", chance(5) { text += #","opacity":\#(keys())"# }
        if chance(6) { text += #","volume":\#(keys())"# }
        if chance(8) { text += #","pitch":"keep""# }
        if kind == "video", chance(6) { text += #","effects":[\#(effects())]"# }
        return text + "}"
    }

    /// One animated effect, or as many as an edit may have.
    private mutating func effects() -> String {
        guard chance(3) else { return #"{"effect":"blur","radius":\#(keys(of: "9"))}"# }
        return Array(repeating: #"{"effect":"blur"}"#, count: pick([2, 24, Limits.effects])).joined(separator: ",")
    }

    /// A number of runs: mostly one with which what is left of the longest timeline is filled.
    private mutating func loops(of seconds: Double) -> Int {
        if chance(40) { return pick([Limits.loopRuns + 1, 1_000_000]) }
        let runs = min(Int(left / max(seconds, 0.001)), runsLeft, pick([2, 100, 3_000, 6_000, Limits.loopRuns]))
        left -= Double(runs) * seconds
        runsLeft -= max(0, runs)
        return max(runs, 1)
    }

    private mutating func title() -> String {
        var text =
            #"{"font":{"asset":"f"},"text":"\#(pick(["A", String(repeating: "w", count: 1 + below(60))]))","duration":"\#(time())""#
        if chance(3) { text += #","enter":{"move":"type","duration":"1f"}"# }
        if chance(3) { text += #","at":"\#(time())""# }
        return text + "}"
    }

    private mutating func keys(of value: String = "1") -> String {
        let count = chance(8) ? 20 : 1 + below(5)
        let step = pick([1, 60, 3_600])
        return "[" + (0..<count).map { #"{"at":"\#($0 * step)s","value":\#(value)}"# }.joined(separator: ",") + "]"
    }
}
