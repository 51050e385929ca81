import CompositionModel
import Timing

/// Resolves a composition into runs: maximal ranges of frames over which the same sources play on without a break.
/// ```
/// instructions |v1          |v1→v2|v2     |
/// track v1     [ A   ][ B         ]
/// track v2                  [ C           ]
/// runs         | A   | B    |B→C  | C     |
/// ```
/// The runs cover the timeline without gap or overlap. In their sources `asset` is a position in `Composition.assets`.
/// Layers that are never visible are removed; a cut that changes nothing (the same source plays on) is no border.
struct PictureRuns {
    private let composition: Composition
    private let size: PictureSize
    private let facts: AssetTable
    private let tracks: [String: [VideoTrackSegment]]
    /// The appearances of the tracks that have one, by track, in pixels of the composited picture.
    private let trackAppearances: [String: LayerAppearance]
    private let titles: [String: [TitleTrackSegment]]
    /// Whether a title is animated, in the order of ``titles``.
    private let areAnimated: [String: [Bool]]
    /// The frame ranges of the pieces of every track, of both kinds.
    private let targets: [String: [FrameRange]]
    private let frameDuration: RationalTime
    /// The runs, in `size`, of nested edits that have the composition's size, frame rate and colour, whose layers can
    /// therefore be composited directly.
    private let transparent: [Int: [SliceInstruction]]

    /// Prepares the tracks of `composition`.
    /// - Parameter size: The size of the composited picture, in pixels.
    init(_ composition: Composition, size: PictureSize, facts: AssetTable) {
        var transparent: [Int: [SliceInstruction]] = [:]
        for index in (composition.nested ?? []).indices {
            let (inner, outer) = (composition.nestedComposition(index), composition.format)
            guard inner.format.size == outer.size, inner.format.frameRate == outer.frameRate,
                inner.format.color == outer.color
            else { continue }
            transparent[index] = size == outer.size ? facts.runs(ofNested: index) : facts.scaledRuns(ofNested: index)
        }
        self.transparent = transparent
        self.composition = composition
        self.size = size
        self.facts = facts
        frameDuration = composition.format.frameRate.frameDuration
        // Scaled here, once: all runs of a piece share its keys.
        var tracks: [String: [VideoTrackSegment]] = [:]
        for track in composition.videoTracks {
            tracks[track.id] = track.segments.map { segment in
                var segment = segment
                segment.appearance = segment.appearance?.scaled(from: composition.format.size, to: size)
                return segment
            }
        }
        self.tracks = tracks
        trackAppearances = composition.videoTracks.reduce(into: [:]) { known, track in
            known[track.id] = track.appearance?.scaled(from: composition.format.size, to: size)
        }
        let scale = max(
            Double(size.width) / Double(composition.format.size.width),
            Double(size.height) / Double(composition.format.size.height)
        )
        let titles = (composition.titleTracks ?? []).map { track in
            let segments = track.segments.map { segment in
                var segment = segment
                segment.layers = segment.layers.map {
                    $0.detailed(scale: scale).scaled(from: composition.format.size, to: size)
                }
                return segment
            }
            return (track.id, segments)
        }
        self.titles = Dictionary(titles) { first, _ in first }
        areAnimated = self.titles.mapValues { $0.map { $0.layers.contains(where: \.isAnimated) } }
        targets = tracks.mapValues { $0.map(\.target) }
            .merging(self.titles.mapValues { $0.map(\.target) }) { video, _ in video }
    }

    /// The runs in order of time.
    /// - Throws: ``PlanError`` when facts are missing, a time overflows, or the composition is too complex.
    func resolved() throws(PlanError) -> [SliceInstruction] {
        var runs: [SliceInstruction] = []
        var work = 0
        let most = composition.mostResolvedLayers
        for instruction in composition.instructions {
            for frames in try pieces(of: instruction) where !frames.isEmpty {
                let layers = try layers(of: instruction, at: frames.start)
                let pieces = max(1, instruction.layers.count, layers.count)
                try PlanError.step(pieces)
                work += pieces
                guard work <= most else { throw .tooComplex(most) }
                try append(frames, layers, to: &runs)
            }
        }
        runs.trimLast()
        return runs
    }

    private func append(
        _ frames: FrameRange,
        _ layers: [SliceLayer],
        to runs: inout [SliceInstruction]
    ) throws(PlanError) {
        if let last = runs.last, try last.plays(on: layers, frameDuration: frameDuration) {
            let joined = FrameRange(start: last.frames.start, count: frames.end - last.frames.start)
            runs[runs.count - 1].frames = joined
        } else {
            runs.trimLast()
            runs.append(SliceInstruction(frames: frames, layers: layers))
        }
    }

    /// The instruction's frames, divided wherever one of its tracks begins or ends a piece, also inside a nested edit
    /// whose layers are composited directly.
    private func pieces(of instruction: VideoCompositionInstruction) throws(PlanError) -> [FrameRange] {
        let frames = instruction.frames
        // Those behind its first frame: most instructions show one piece of one track and have none.
        var borders: Set<Int64> = []
        for layer in instruction.layers {
            for track in [layer.from, layer.to] {
                guard let track, let targets = targets[track] else { continue }
                for target in targets[targets.partitionPoint { $0.end > frames.start }...] {
                    guard target.start < frames.end else { break }
                    if target.start > frames.start { borders.insert(target.start) }
                    if target.end < frames.end { borders.insert(target.end) }
                }
            }
        }
        for layer in instruction.layers where layer.transition == nil {
            borders.formUnion(try nestedBorders(of: layer.from, in: frames))
        }
        guard !borders.isEmpty else { return [frames] }
        borders.insert(frames.start)
        let ordered = borders.sorted()
        return zip(ordered, ordered.dropFirst() + [frames.end]).map { FrameRange(start: $0, count: $1 - $0) }
    }

    private func layers(
        of instruction: VideoCompositionInstruction,
        at frame: Int64
    ) throws(PlanError) -> [SliceLayer] {
        var layers: [SliceLayer] = []
        for layer in instruction.layers {
            if let seen = try layersSeenThrough(layer, at: frame, over: layers) {
                layers = seen
                continue
            }
            guard let resolved = try resolve(layer, at: frame, of: instruction) else { continue }
            if try hidesWhatIsBelow(resolved) { layers = [] }
            layers.append(resolved)
        }
        return layers
    }

    private func resolve(
        _ layer: LayerInstruction,
        at frame: Int64,
        of instruction: VideoCompositionInstruction
    ) throws(PlanError) -> SliceLayer? {
        if let track = layer.from, titles[track] != nil { return try title(of: track, at: frame) }
        let from = try source(of: layer.from, at: frame)
        let to = try source(of: layer.to, at: frame)
        guard from != nil || to != nil else { return nil }
        var ramp = layer.transition
        ramp?.firstStep += frame - instruction.frames.start
        return SliceLayer(from: from, to: to, transition: ramp)
    }

    private func source(of track: String?, at frame: Int64) throws(PlanError) -> SliceSource? {
        guard let segments = track.flatMap({ tracks[$0] }) else { return nil }
        let index = segments.partitionPoint { $0.target.end > frame }
        guard index < segments.count, segments[index].target.contains(frame) else { return nil }
        let segment = segments[index]
        let trackAppearance = track.flatMap { trackAppearances[$0] }
        let trackTime = try exact { () throws(TimeError) in try RationalTime(frame, of: frameDuration) }
        let appearance = segment.appearance
        let itemTime = try exact { () throws(TimeError) in
            try RationalTime(frame - segment.target.start, of: frameDuration)
        }
        let itemEnd = try exact { () throws(TimeError) in try RationalTime(segment.target.count, of: frameDuration) }
        if let appearance, appearance.isInvisible(from: itemTime, to: itemEnd) { return nil }
        let start = try exact { () throws(TimeError) in
            try segment.sourceStart.advanced(
                by: frame - segment.target.start,
                of: frameDuration,
                speed: segment.speed,
                curve: segment.curve
            )
        }
        return SliceSource(
            asset: segment.asset,
            stream: segment.stream,
            start: start,
            fit: segment.fit,
            speed: segment.speed,
            curve: segment.curve?.advanced(by: frame - segment.target.start),
            appearance: appearance,
            itemTime: appearance?.isAnimated == true ? itemTime : nil,
            track: trackAppearance,
            trackTime: trackAppearance?.isAnimated == true ? trackTime : nil,
            isNested: segment.isNested,
            blending: segment.blending
        )
    }

    /// The first frame of a nested edit that its piece shows, if the piece shows it frame by frame without changes;
    /// else nil.
    private func firstFrame(seenThrough segment: VideoTrackSegment, on track: String) throws(PlanError) -> Int64? {
        guard segment.isNested == true, transparent[segment.asset] != nil, segment.speed == nil, segment.curve == nil,
            segment.appearance == nil, trackAppearances[track] == nil
        else { return nil }
        let (frame, isExact) = try exact { () throws(TimeError) in
            try composition.format.frameRate.frame(at: segment.sourceStart, rounding: .down)
        }
        return isExact || segment.blending == nil ? frame : nil
    }

    /// The frames of the timeline within `frames` at which something begins or ends inside a nested edit.
    private func nestedBorders(of track: String?, in frames: FrameRange) throws(PlanError) -> [Int64] {
        guard !transparent.isEmpty, let track, let segments = tracks[track] else { return [] }
        var borders: [Int64] = []
        for segment in segments[segments.partitionPoint { $0.target.end > frames.start }...] {
            guard segment.target.start < frames.end else { break }
            guard let first = try firstFrame(seenThrough: segment, on: track) else { continue }
            let (start, end) = (max(segment.target.start, frames.start), min(segment.target.end, frames.end))
            let runs = transparent[segment.asset] ?? []
            // What frame 0 of the nested edit would be.
            let zero = segment.target.start - first
            for run in runs[runs.partitionPoint { $0.frames.start + zero >= start }...] {
                guard run.frames.start + zero < end else { break }
                try PlanError.step()
                borders.append(run.frames.start + zero)
            }
        }
        return borders
    }

    /// The layers of the nested edit that `layer` shows without changes, if the edit's background shows only where the
    /// composition's would.
    /// - Parameter below: The layers below it.
    /// - Returns: Nil if the edit must be composited by itself, or `layer` shows none.
    private func layersSeenThrough(
        _ layer: LayerInstruction,
        at frame: Int64,
        over below: [SliceLayer]
    ) throws(PlanError) -> [SliceLayer]? {
        guard !transparent.isEmpty, layer.transition == nil, let track = layer.from, let segments = tracks[track] else {
            return nil
        }
        let index = segments.partitionPoint { $0.target.end > frame }
        guard index < segments.count, segments[index].target.contains(frame),
            let first = try firstFrame(seenThrough: segments[index], on: track),
            let runs = transparent[segments[index].asset]
        else { return nil }
        let inside = FrameRange(start: first + frame - segments[index].target.start, count: 0)
        let place = runs.partitionPoint { $0.frames.end > inside.start }
        guard place < runs.count else { return nil }
        let layers = try runs[place].slice(inside, frameDuration: frameDuration).layers
        if let lowest = layers.first, try hidesWhatIsBelow(lowest) { return layers }
        let background = composition.nested?[segments[index].asset].format.background
        return below.isEmpty && background == composition.format.background ? layers : nil
    }

    private func title(of track: String, at frame: Int64) throws(PlanError) -> SliceLayer? {
        guard let segments = titles[track] else { return nil }
        let index = segments.partitionPoint { $0.target.end > frame }
        guard index < segments.count, segments[index].target.contains(frame) else { return nil }
        let segment = segments[index]
        let itemTime = try exact { () throws(TimeError) in
            try RationalTime(frame - segment.target.start, of: frameDuration)
        }
        let isAnimated = areAnimated[track]?[index] == true
        return SliceLayer(
            title: SliceTitle(
                frame: composition.format.size,
                layers: segment.layers,
                itemTime: isAnimated ? itemTime : nil
            )
        )
    }

    /// Whether the layer hides what lies below. Every kind of transition covers what both of its sides cover, because
    /// it fills the rest opaquely.
    private func hidesWhatIsBelow(_ layer: SliceLayer) throws(PlanError) -> Bool {
        guard layer.title == nil else { return false }
        if let from = layer.from, try !facts.isOpaqueAndFull(from, size: size) { return false }
        if let to = layer.to, try !facts.isOpaqueAndFull(to, size: size) { return false }
        return layer.transition == nil || (layer.from != nil && layer.to != nil)
    }
}

extension [SliceInstruction] {
    /// Removes what lies behind the last run from its curves, once no run continues it.
    fileprivate mutating func trimLast() {
        guard let last = indices.last, !self[last].hasNothingToTrim else { return }
        let count = self[last].frames.count
        for layer in self[last].layers.indices {
            self[last].layers[layer].from?.trimCurve(to: count)
            self[last].layers[layer].to?.trimCurve(to: count)
        }
    }
}

extension SliceInstruction {
    /// Whether `next`, directly after this run, only continues what plays here.
    func plays(on next: [SliceLayer], frameDuration: RationalTime) throws(PlanError) -> Bool {
        guard layers.count == next.count else { return false }
        for (layer, following) in zip(layers, next) {
            guard try layer.advanced(by: frames.count, frameDuration: frameDuration) == following else { return false }
        }
        return true
    }

    /// The part of this run that lies in `range`, with frames counted from the start of `range`.
    func slice(_ range: FrameRange, frameDuration: RationalTime) throws(PlanError) -> SliceInstruction {
        let start = max(frames.start, range.start)
        let end = min(frames.end, range.end)
        var slice = SliceInstruction(frames: FrameRange(start: start - range.start, count: end - start), layers: layers)
        // If nothing is cut off the run's start, its layers stay as they are, and the slice shares their memory.
        guard start > frames.start else { return slice }
        for index in layers.indices {
            slice.layers[index] = try layers[index].advanced(by: start - frames.start, frameDuration: frameDuration)
        }
        return slice
    }
}

extension SliceInstruction {
    /// Whether trimming would change nothing: no layer is a title, and no source needs it. Such an instruction is left
    /// alone, because writing to its layers would copy them out of the memory that they share with the runs.
    fileprivate var hasNothingToTrim: Bool {
        layers.allSatisfy { layer in
            layer.title == nil && layer.from?.needsTrimming != true && layer.to?.needsTrimming != true
        }
    }
}

extension [SliceLayer] {
    /// Calls `body` with the sources of the layers, from the bottom up, without an array of them.
    func forEachSource(_ body: (SliceSource) throws(PlanError) -> Void) throws(PlanError) {
        for layer in self {
            if let from = layer.from { try body(from) }
            if let to = layer.to { try body(to) }
        }
    }
}

extension SliceLayer {
    /// The layer as it is `frames` frames later.
    func advanced(by frames: Int64, frameDuration: RationalTime) throws(PlanError) -> SliceLayer {
        guard frames != 0 else { return self }
        var layer = self
        layer.transition?.firstStep += frames
        layer.from = try from?.advanced(by: frames, frameDuration: frameDuration)
        layer.to = try to?.advanced(by: frames, frameDuration: frameDuration)
        layer.title = try title?.advanced(by: frames, frameDuration: frameDuration)
        return layer
    }
}

extension SliceSource {
    /// The source as it is `frames` frames later.
    func advanced(by frames: Int64, frameDuration: RationalTime) throws(PlanError) -> SliceSource {
        var source = self
        source.start = try exact { () throws(TimeError) in
            try start.advanced(by: frames, of: frameDuration, speed: speed, curve: curve)
        }
        source.curve = curve?.advanced(by: frames)
        source.itemTime = try exact { () throws(TimeError) in
            try itemTime?.advanced(by: frames, of: frameDuration, speed: nil)
        }
        source.trackTime = try exact { () throws(TimeError) in
            try trackTime?.advanced(by: frames, of: frameDuration, speed: nil)
        }
        return source
    }
}

// What a slice need not know.
extension SliceInstruction {
    /// The instruction without the keys and the parts of curves that decide about none of its frames, so that a task
    /// holds only what it shows and changes with nothing else.
    func trimmed(frameDuration: RationalTime) throws(PlanError) -> SliceInstruction {
        guard !hasNothingToTrim else { return self }
        var trimmed = self
        for layer in layers.indices {
            try trimmed.layers[layer].from?.trim(to: frames.count, frameDuration: frameDuration)
            try trimmed.layers[layer].to?.trim(to: frames.count, frameDuration: frameDuration)
            let title = layers[layer].title
            trimmed.layers[layer].title = try title?.trimmed(to: frames.count, frameDuration: frameDuration)
        }
        return trimmed
    }
}

extension SliceSource {
    /// Whether the source has something that is trimmed to the frames that are shown: a time-remap curve, or an
    /// animated appearance of its own or of its track.
    fileprivate var needsTrimming: Bool { curve != nil || itemTime != nil || trackTime != nil }

    fileprivate mutating func trimCurve(to count: Int64) { curve = curve?.trimmed(to: count) }

    fileprivate mutating func trim(to count: Int64, frameDuration: RationalTime) throws(PlanError) {
        trimCurve(to: count)
        let way = try exact { () throws(TimeError) in try RationalTime(count - 1, of: frameDuration) }
        if let start = itemTime {
            let end = try exact { () throws(TimeError) in try start.adding(way) }
            appearance = appearance?.trimmed(from: start, to: end)
            if appearance?.isAnimated != true { itemTime = nil }
        }
        if let start = trackTime {
            let end = try exact { () throws(TimeError) in try start.adding(way) }
            track = track?.trimmed(from: start, to: end)
            if track?.isAnimated != true { trackTime = nil }
        }
    }
}
