import CompositionModel
import Farm
import Planning
import Timing
import WireProtocol

/// Draws a composition back as the timeline that an editor knows. A compiled edit has overlapping pieces on tracks of
/// their own (`v1.a`, `v1.b`); they are one track again:
///
///     v1.a  [ A        ]                 V1  [ A      ]
///     v1.b          [ B        ]    →                [ B        ]     with the transition over both
struct EditTracks {
    /// The most items on all tracks. Beyond it, neighbours on the tracks with the most items are drawn as one.
    static let mostItems = 2000
    /// The most tracks that are drawn, the uppermost of titles first, then of pictures, then of sound.
    static let mostTracks = 200
    /// The most characters of a name in the answer, which may stand in every item; longer ones are cut, with an ellipsis.
    static let longestName = 80

    let composition: Composition
    /// The first frame of the timeline that the output shows, and the number of frames.
    let frames: FrameRange

    /// - Parameter job: the job, whose output is the one of its preset and its number of frames.
    init(_ composition: Composition, of job: JobView) {
        self.composition = composition
        let ranges = composition.outputs.filter { $0.preset == job.preset }.compactMap(\.range)
        let own = ranges.first { $0.count == job.frameCount }
        let whole = FrameRange(start: 0, count: composition.frameCount)
        frames = composition.frameCount == job.frameCount ? whole : own ?? whole
    }

    /// The tracks from the top down.
    var tracks: JobTracks {
        let all = titles + pictures + sounds
        var tracks = Array(all.prefix(Self.mostTracks))
        let count = tracks.reduce(0) { $0 + $1.items.count }
        if count > Self.mostItems {
            let share = Self.mostItems / tracks.count
            for index in tracks.indices { tracks[index].items = Self.merged(tracks[index].items, to: max(1, share)) }
        }
        var omitted: [String] = []
        if count > Self.mostItems { omitted.append("Neighbours are drawn as one: the edit has \(count) pieces.") }
        if all.count > tracks.count { omitted.append("Of \(all.count) tracks \(tracks.count) are drawn.") }
        return JobTracks(
            frameRate: composition.format.frameRate,
            frameCount: frames.count,
            tracks: tracks.filter { !$0.items.isEmpty },
            omitted: omitted.isEmpty ? nil : omitted.joined(separator: " ")
        )
    }

    private var titles: [JobTracks.Track] {
        (composition.titleTracks ?? []).reversed().map { track in
            let items = track.segments.compactMap { segment in
                item(.title, segment.target, label: words(of: segment.layers))
            }
            return JobTracks.Track(kind: .title, name: Self.cut(track.id.uppercased()), items: items)
        }
    }

    private var pictures: [JobTracks.Track] {
        var names: [String] = []
        var items: [String: [JobTracks.Item]] = [:]
        for track in composition.videoTracks {
            let name = Self.name(of: track.id)
            if items[name] == nil { names.append(name) }
            items[name, default: []] += track.segments.compactMap { segment in
                let source = asset(segment.asset, isNested: segment.isNested)
                return item(
                    .clip,
                    segment.target,
                    label: source,
                    source: source,
                    sourceSeconds: (segment.sourceStart.approximateSeconds * 1000).rounded() / 1000
                )
            }
        }
        for (name, found) in transitions { items[name, default: []] += found }
        return names.reversed().map { name in
            let sorted = (items[name] ?? []).sorted {
                ($0.start, $0.kind == .transition ? 1 : 0) < ($1.start, $1.kind == .transition ? 1 : 0)
            }
            return JobTracks.Track(kind: .video, name: name, items: sorted)
        }
    }

    /// The transitions, by the name of the track on which they are.
    private var transitions: [String: [JobTracks.Item]] {
        var found: [String: [JobTracks.Item]] = [:]
        for instruction in composition.instructions {
            for layer in instruction.layers {
                guard let ramp = layer.transition, let track = layer.from ?? layer.to else { continue }
                let start = instruction.frames.start - ramp.firstStep
                // An instruction holds a part of a transition; the first part stands for all.
                let whole = FrameRange(start: start, count: max(1, ramp.steps))
                let name = Self.name(of: track)
                guard let item = item(.transition, whole, label: ramp.look?.kind.rawValue ?? "dissolve") else {
                    continue
                }
                if found[name]?.last != item { found[name, default: []].append(item) }
            }
        }
        return found
    }

    private var sounds: [JobTracks.Track] {
        var names: [String] = []
        var items: [String: [JobTracks.Item]] = [:]
        for track in composition.audioTracks {
            let name = Self.name(of: track.id) + (track.id.hasSuffix(".sound") ? " sound" : "")
            if items[name] == nil { names.append(name) }
            items[name, default: []] += track.segments.compactMap { segment in
                guard let first = frame(ofSample: segment.start),
                    let end = frame(ofSample: segment.start + segment.count)
                else { return nil }
                let source = asset(segment.asset, isNested: segment.isNested)
                return item(.clip, FrameRange(start: first, count: max(1, end - first)), label: source, source: source)
            }
        }
        return names.map { name in
            JobTracks.Track(kind: .audio, name: name, items: (items[name] ?? []).sorted { $0.start < $1.start })
        }
    }

    private func frame(ofSample sample: Int64) -> Int64? {
        guard let time = try? RationalTime(sample, Int64(composition.format.sampleRate)) else { return nil }
        return try? composition.format.frameRate.frame(at: time).value
    }

    /// `v1.a` and `v1.b` are parts of the track `V1`.
    private static func name(of track: String) -> String {
        cut(String(track.prefix { $0 != "." }).uppercased())
    }

    private func asset(_ index: Int, isNested: Bool?) -> String {
        if isNested == true {
            let nested = composition.nested ?? []
            return nested.indices.contains(index) ? Self.cut(nested[index].name) : "nested edit"
        }
        return composition.assets.indices.contains(index) ? Self.cut(composition.assets[index].name) : "asset \(index)"
    }

    /// A name of at most ``longestName`` characters, and of four bytes for each of them.
    private static func cut(_ name: String) -> String {
        guard name.count > longestName || name.utf8.count > 4 * longestName else { return name }
        var kept = String(name.prefix(longestName - 1))
        while kept.utf8.count > 4 * longestName { kept.removeLast() }
        return kept + "…"
    }

    /// The first words of a title, or what it is made of.
    private func words(of layers: [TitleLayer]) -> String {
        let text = layers.flatMap(\.texts).map(\.text).joined(separator: " ").split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        if !text.isEmpty { return text.count > 60 ? Self.cut(text.prefix(59) + "…") : text }
        if layers.contains(where: { !$0.allSubtitles.isEmpty }) { return "Subtitles" }
        return layers.contains { !$0.images.isEmpty } ? "Image" : "Shape"
    }

    /// The item in frames of the output; nil when it is outside.
    private func item(
        _ kind: JobTracks.Item.Kind,
        _ target: FrameRange,
        label: String,
        source: String? = nil,
        sourceSeconds: Double? = nil
    ) -> JobTracks.Item? {
        let first = max(target.start, frames.start)
        let end = min(target.end, frames.end)
        guard first < end else { return nil }
        return JobTracks.Item(
            kind,
            start: first - frames.start,
            count: end - first,
            label: label,
            source: source,
            sourceSeconds: sourceSeconds
        )
    }

    /// At most `limit` items, of which each stands for as many neighbours.
    private static func merged(_ items: [JobTracks.Item], to limit: Int) -> [JobTracks.Item] {
        let clips = items.filter { $0.kind != .transition }
        guard clips.count > limit else { return clips }
        let size = (clips.count + limit - 1) / limit
        return stride(from: 0, to: clips.count, by: size).map { first in
            let group = clips[first..<min(clips.count, first + size)]
            let start = group.map(\.start).min() ?? 0
            let end = group.map { $0.start + $0.count }.max() ?? start
            return JobTracks.Item(group[first].kind, start: start, count: end - start, label: "\(group.count) items")
        }
    }
}
