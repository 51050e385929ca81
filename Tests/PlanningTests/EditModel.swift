// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import EditSamples
import TestSupport

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

/// A random edit and, worked out frame by frame without any of the code under test, what it shows.
struct EditModel {
    /// What one layer shows at one frame.
    struct Layer: Hashable {
        var sides: [Side?]
        /// Of a dissolve: which step, and of how many.
        var step: Int64?
        var steps: Int64?
    }

    struct Side: Hashable {
        var asset: String
        var time: RationalTime
        var fit: Fit
    }

    struct Clip {
        var asset: String
        var sourceStart: RationalTime
        var fit: Fit
        var start: Int64
        var end: Int64
        /// Frames of the transitions at its ends; the neighbour in it, if any.
        var fadeIn: Int64 = 0
        var fadeOut: Int64 = 0
        var sharesIn = false
        var sharesOut = false
    }

    let assets: [String: CompilerAsset]
    let rate: FrameRate
    var tracks: [[Clip]] = []
    var texts: [String] = []

    static let rates = ["25", "24", "30000/1001", "60"]

    static func sampleAssets() -> [String: CompilerAsset] {
        [
            "a": SampleAsset.minute("a"),
            "b": SampleAsset.minute("b", gop: 250),
            "c": SampleAsset.asset("c", [SampleAsset.video(rate: try! FrameRate(30_000, 1001), seconds: 90, gop: 48)]),
            "d": SampleAsset.asset("d", [SampleAsset.variable(ticks: [33, 41, 25, 100], count: 1200, gop: 70)]),
            "e": SampleAsset.asset("e", [SampleAsset.video(rate: try! FrameRate(60), seconds: 100, gop: 121)]),
        ]
    }

    /// Clips of a track.
    private let clipCounts: ClosedRange<Int>
    /// Of the longest clip, in seconds.
    private let lengths: ClosedRange<Int64>

    /// - Parameter isShort: some seconds, of which many make one segment.
    init(seed: UInt64, isShort: Bool = false) {
        var numbers = SplitMix(seed: seed)
        clipCounts = isShort ? 1...2 : 2...9
        lengths = isShort ? 3...12 : 3...30
        assets = EditModel.sampleAssets()
        let name = EditModel.rates[Int(seed) % EditModel.rates.count]
        let parts = name.split(separator: "/").map { Int64($0)! }
        rate = try! FrameRate(parts[0], parts.count > 1 ? parts[1] : 1)
        for _ in 0..<Int.random(in: 1...2, using: &numbers) { addTrack(&numbers) }
        if frameCount == 0 { addTrack(&numbers) }
        self.name = name
    }

    private(set) var name = ""

    var frameCount: Int64 { tracks.compactMap(\.last?.end).max() ?? 0 }

    var text: String {
        let named = assets.keys.sorted().map { "\"\($0)\": \"\($0).mp4\"" }.joined(separator: ", ")
        let tracks = texts.map { "{ \"kind\": \"video\", \"segments\": [ \($0) ] }" }.joined(separator: ", ")
        return """
            { "schema": "edit/1", "format": { "size": [1280, 720], "frameRate": "\(name)" }, "assets": { \(named) },
              "tracks": [ \(tracks) ], "outputs": [ { "preset": "h264" }, { "preset": "lossless" } ] }
            """
    }

    /// A track of clips with and without transitions and gaps, built beside its text.
    private mutating func addTrack(_ numbers: inout SplitMix) {
        var clips: [Clip] = []
        var items: [String] = []
        var cursor: Int64 = 0
        for index in 0..<Int.random(in: clipCounts, using: &numbers) {
            let isFirst = index == 0
            let fade = Int.random(in: 0..<3, using: &numbers) == 0 ? Int64.random(in: 1...30, using: &numbers) : 0
            let gap =
                !isFirst && Int.random(in: 0..<6, using: &numbers) == 0
                ? Int64.random(in: 1...200, using: &numbers) : 0
            if gap > 0 {
                items.append("{ \"gap\": \"\(gap)f\" }")
                cursor += gap
            }
            if fade > 0 { items.append("{ \"transition\": \"dissolve\", \"duration\": \"\(fade)f\" }") }
            var clip = randomClip(&numbers)
            let isShared = fade > 0 && gap == 0 && !isFirst
            let count = clip.end
            clip.start = isShared ? cursor - fade : cursor
            clip.end = clip.start + count
            (clip.fadeIn, clip.sharesIn) = (fade, isShared)
            if isShared { (clips[clips.count - 1].fadeOut, clips[clips.count - 1].sharesOut) = (fade, true) }
            let start = "\(clip.sourceStart.numerator)/\(clip.sourceStart.denominator)"
            items.append(
                "{ \"asset\": \"\(clip.asset)\", \"in\": \"\(start)\", \"duration\": \"\(count)f\", \"fit\": \"\(clip.fit)\" }"
            )
            clips.append(clip)
            cursor = clip.end
        }
        tracks.append(clips)
        texts.append(items.joined(separator: ", "))
    }

    /// With its length in `end`: long enough for two transitions of 30 frames, short enough for its source.
    private func randomClip(_ numbers: inout SplitMix) -> Clip {
        let asset = ["a", "b", "c", "d", "e"].randomElement(using: &numbers)!
        let start = try! RationalTime(Int64.random(in: 0...15_000, using: &numbers), 1000)
        let most = try! rate.frame(at: RationalTime(whole: Int64.random(in: lengths, using: &numbers))).value
        let count = Int64.random(in: 61...max(62, most), using: &numbers)
        let fit: Fit = Bool.random(using: &numbers) ? .contain : .cover
        return Clip(asset: asset, sourceStart: start, fit: fit, start: 0, end: count)
    }
}

// What is seen.
extension EditModel {
    /// The layers of frame `frame` from the bottom up, without those that are covered.
    func layers(at frame: Int64) -> [Layer] {
        var layers: [Layer] = []
        for clips in tracks {
            guard let layer = layer(of: clips, at: frame) else { continue }
            if covers(layer) { layers = [] }
            layers.append(layer)
        }
        return layers
    }

    private func layer(of clips: [Clip], at frame: Int64) -> Layer? {
        let here = clips.filter { frame >= $0.start && frame < $0.end }
        if here.count == 2 {
            let steps = here[1].fadeIn
            return Layer(sides: here.map { side($0, frame) }, step: frame - here[1].start, steps: steps)
        }
        guard let clip = here.first else { return nil }
        if clip.fadeIn > 0, !clip.sharesIn, frame < clip.start + clip.fadeIn {
            return Layer(sides: [nil, side(clip, frame)], step: frame - clip.start, steps: clip.fadeIn)
        }
        return Layer(sides: [side(clip, frame)])
    }

    private func side(_ clip: Clip, _ frame: Int64) -> Side {
        let way = try! RationalTime(frame - clip.start, of: rate.frameDuration)
        return Side(asset: clip.asset, time: try! clip.sourceStart.adding(way), fit: clip.fit)
    }

    /// All sources but "d" have the frame's shape.
    private func covers(_ layer: Layer) -> Bool {
        layer.sides.allSatisfy { side in
            guard let side else { return false }
            return side.asset != "d" || side.fit == .cover
        }
    }

    /// What `layers` would be a frame later if nothing happened.
    func continued(_ layers: [Layer]) -> [Layer] {
        layers.map { layer in
            var next = layer
            next.sides = layer.sides.map { side in
                side.map { Side(asset: $0.asset, time: try! $0.time.adding(rate.frameDuration), fit: $0.fit) }
            }
            if let step = layer.step { next.step = step + 1 }
            return next
        }
    }

    /// The frames from `frame` on, up to `most` of them, before the edit ends or everything changes that is seen.
    func framesUpToACut(from frame: Int64, most: Int64) -> Int64 {
        var count: Int64 = 0
        while count < most, frame + count < frameCount {
            let before = continued(layers(at: frame + count - 1)).flatMap(\.sides).compactMap(\.self)
            let here = layers(at: frame + count).flatMap(\.sides).compactMap(\.self)
            let isShared = here.contains { side in before.contains { $0.asset == side.asset && $0.time == side.time } }
            if !isShared, !(here.isEmpty && before.isEmpty) { break }
            count += 1
        }
        return count
    }

    /// The number of the source's frame that is on screen.
    func shownFrame(_ side: Side) -> Int64 {
        let stream = assets[side.asset]!.facts.video[0]
        if let times = stream.frameTimes {
            // Less than a tick early: its frames are far apart.
            return Int64(times.lastIndex { (try! RationalTime($0 - 1, 1000)) < side.time }!)
        }
        return Int64(
            Int128(side.time.numerator) * Int128(stream.frameRate.numerator)
                / (Int128(side.time.denominator) * Int128(stream.frameRate.denominator))
        )
    }
}
