/// A seeded edit of cuts over sources of one raster, with a dissolve, a title, another speed, a fade of opacity, a gap, a
/// second picture or sound between here and there.
///
/// ```
/// upper    gap      |== clip ==|
/// lower    |== clip ==||== clip ==\X/== clip ==| gap |== clip ==|
/// titles            |= box =|
/// sound         |== clip's sound ==|
/// ```
package struct CopyCutList: Sendable {
    package let raster: CopySource.Raster
    package let text: String

    /// Of ten seeds two are of portrait and two of anamorphic sources, and one of HEVC, which only the preset `match` copies.
    package init(seed: Int) {
        raster = Self.rasters[seed % 10]
        let sources = CopySource.all(of: raster)
        var scene = Scene(random: SplitMix(seed: UInt64(seed) &* 7919), sources: sources)
        // Without a copied picture the preset `match` has no source to follow.
        if raster != .square { scene.add(scene.sources[0], start: 0, count: 80) }
        for _ in 0..<scene.number(3...6) { scene.addItem() }
        if scene.items.last?.contains("gap") == true { scene.items.removeLast() }
        let tracks = [Self.track("video", scene.items)] + scene.more()
        let preset = raster == .square ? "h264" : "match"
        text = Self.text(tracks: tracks, sources.map { ($0.asset, $0.file) }, raster, preset: preset)
    }

    private static let rasters: [CopySource.Raster] = [
        .square, .square, .hevc, .portrait, .anamorphic, .square, .square, .square, .portrait, .anamorphic,
    ]

    package static func track(_ kind: String, _ items: [String]) -> String {
        "{ \"kind\": \"\(kind)\", \"segments\": [ \(items.joined(separator: ",\n")) ] }"
    }

    /// An edit of clips of one asset, whose file has the asset's name.
    package static func text(clips: [String], of asset: String) -> String {
        text(tracks: [track("video", clips)], [(asset, asset)])
    }

    /// - Parameters:
    ///   - tracks: the objects of tracks, the lowest first.
    ///   - assets: names and files.
    package static func text(
        tracks: [String],
        _ assets: [(name: String, file: String)],
        _ raster: CopySource.Raster = .square,
        preset: String = "h264"
    ) -> String {
        let assets = assets.map { "\"\($0.name)\": \"\($0.file)\"" }.joined(separator: ", ")
        let (width, height) = raster.shown
        return """
            { "schema": "edit/1",
              "format": { "size": [\(width), \(height)], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { \(assets) },
              "tracks": [ \(tracks.joined(separator: ",\n")) ],
              "outputs": [{ "preset": "\(preset)" }] }
            """
    }
}

/// What an edit is made of so far.
private struct Scene {
    var random: SplitMix
    let sources: [CopySource]
    var items: [String] = []
    /// The shortest that the picture may be, in frames.
    private var length = 0

    init(random: SplitMix, sources: [CopySource]) { (self.random, self.sources) = (random, sources) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func add(_ source: CopySource, start: Int, count: Int, _ more: String = "") {
        items.append("{ \"asset\": \"\(source.asset)\", \"in\": \"\(start)f\", \"duration\": \"\(count)f\"\(more) }")
        length += count
    }

    mutating func addItem() {
        let source = sources[number(0...sources.count - 1)]
        // A variable rate leaves some of its frames out.
        let whole = source.frames * 2 / 3
        let count = number(20...min(160, whole))
        let start = number(0...whole - count)
        let more = ["", "", "", "", ", \"speed\": 2", ", \"opacity\": 0.5"][number(0...5)]
        add(source, start: start, count: more.contains("speed") ? count / 4 * 2 : count, more)
        if number(0...5) == 0 {
            items.append(#"{ "gap": "5f" }"#)
        } else if items.count > 1, !items[items.count - 2].contains("gap"), number(0...3) == 0, count >= 60 {
            items.insert(#"{ "transition": "dissolve", "duration": "8f" }"#, at: items.count - 1)
            length -= 8
        }
    }

    /// Tracks above and beside the first one.
    mutating func more() -> [String] {
        var tracks: [String] = []
        if number(0...3) == 0 {
            let source = sources[number(0...sources.count - 1)]
            let whole = source.frames * 2 / 3
            let (gap, start) = (number(1...max(1, length - 60)), number(0...max(0, whole - 60)))
            let place = "\"in\": \"\(start)f\", \"duration\": \"\(min(60, whole))f\""
            let clip = "{ \"asset\": \"\(source.asset)\", \(place) }"
            tracks.append(CopyCutList.track("video", ["{ \"gap\": \"\(gap)f\" }", clip]))
        }
        if number(0...2) == 0 {
            let place = number(0...max(0, length - 20))
            let box = ##"[{ "layer": "shape", "shape": "rectangle", "size": [40, 20], "color": "#ff8000" }]"##
            let title = "{ \"layers\": \(box), \"at\": \"\(place)f\", \"duration\": \"9f\" }"
            tracks.append(CopyCutList.track("title", [title]))
        }
        if number(0...2) == 0, let source = sources.first(where: { $0.file.hasSuffix(".mp4") }) {
            let clip = "{ \"asset\": \"\(source.asset)\", \"in\": \"\(number(0...40))f\", \"duration\": \"33f\" }"
            tracks.append(CopyCutList.track("audio", ["{ \"gap\": \"\(number(1...20))f\" }", clip]))
        }
        return tracks
    }
}
