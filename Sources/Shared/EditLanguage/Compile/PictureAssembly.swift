import CompositionModel
import Timing

/// Puts placed segments of picture on two tracks each, so that none overlap, and writes the instructions.
struct PictureAssembly {
    /// The position of an asset in the composition.
    let position: (String) -> Int
    /// Whether an asset is an edit.
    let isNested: (String) -> Bool
    let appearances: AppearanceResolver

    /// The tracks `<id>.a` and, when segments overlap, `<id>.b`: what overlaps its neighbour goes to the other one.
    /// - Throws: ``TimeError`` when a time of a key cannot be told.
    func tracks(of placed: PlacedTrack) throws(TimeError) -> [VideoTrack] {
        let sides = PictureAssembly.sides(of: placed)
        let appearance = appearances.appearance(placed.track.appearance, box: appearances.frame)
        var tracks: [VideoTrack] = []
        for side in Set(sides).sorted() {
            var segments: [VideoTrackSegment] = []
            segments.reserveCapacity(sides.count { $0 == side })
            for (segment, own) in zip(placed.segments, sides) where own == side {
                guard WorkMeter.step() else { break }
                segments.append(try videoSegment(segment))
            }
            tracks.append(
                VideoTrack(id: PictureAssembly.name(placed.id, side), segments: segments, appearance: appearance)
            )
        }
        return tracks
    }

    private func videoSegment(_ placed: PlacedSegment) throws(TimeError) -> VideoTrackSegment {
        VideoTrackSegment(
            target: FrameRange(start: placed.start, count: placed.count),
            asset: position(placed.asset),
            // A segment on a video track always has one.
            stream: placed.streams.video?.streamIndex ?? 0,
            sourceStart: placed.sourceStart,
            fit: placed.segment.fit?.value ?? .contain,
            speed: placed.curve == nil ? placed.speed.unlessOne : nil,
            curve: placed.curve,
            appearance: try appearance(of: placed),
            isNested: isNested(placed.asset) ? true : nil,
            blending: placed.segment.blending?.value
        )
    }

    private func appearance(of placed: PlacedSegment) throws(TimeError) -> LayerAppearance? {
        // What most clips of a long edit say of it.
        guard !placed.segment.hasPlainPicture else { return nil }
        let (segment, frame) = (try placed.ownSegment(at: appearances.grid.rate), appearances.frame)
        let fit = segment.fit?.value ?? .contain
        let box = placed.streams.video.map { Placement(of: $0, fit: fit, in: frame).size }
        let isStill = placed.streams.video?.isStill ?? false
        let clip = isStill ? nil : placed.sourceIn
        return appearances.appearance(segment.appearance, box: box ?? frame, clip: clip)
    }

    /// The side of each segment, 0 or 1.
    static func sides(of placed: PlacedTrack) -> [Int] {
        var side = 0
        return placed.segments.map { segment in
            if segment.fadeIn?.isShared == true { side = 1 - side }
            return side
        }
    }

    static func name(_ id: String, _ side: Int) -> String { id + (side == 0 ? ".a" : ".b") }

    /// The name of the sound of a side, given the side's.
    static func soundName(_ side: String) -> String { side + ".sound" }
}

/// A run of frames in which one edit track shows the same layer.
struct LayerSpan {
    var frames: FrameRange
    var layer: LayerInstruction

    /// What a track shows, in order of time; where it shows nothing there is no span.
    /// - Parameter position: gives the position of an asset in the composition.
    static func spans(of placed: PlacedTrack, position: (String) -> Int) -> [LayerSpan] {
        let names = PictureAssembly.sides(of: placed).map { PictureAssembly.name(placed.id, $0) }
        var spans: [LayerSpan] = []
        for (index, segment) in placed.segments.enumerated() {
            guard WorkMeter.step() else { break }
            let before = segment.fadeIn?.isShared == true ? names[index - 1] : nil
            append(change(segment.fadeIn, from: before, to: names[index], position), to: &spans)
            append(solo(segment, names[index]), to: &spans)
            // A shared transition is written once, by the segment that comes in.
            if let fadeOut = segment.fadeOut, !fadeOut.isShared {
                append(change(fadeOut, from: names[index], to: nil, position), to: &spans)
            }
        }
        return spans
    }

    private static func change(
        _ transition: PlacedTransition?,
        from: String?,
        to: String?,
        _ position: (String) -> Int
    ) -> LayerSpan? {
        guard let transition else { return nil }
        var ramp = TransitionRamp(firstStep: 0, steps: transition.count, look: transition.look)
        ramp.look?.map = transition.map.map { TransitionMap(asset: position($0.asset), stream: $0.stream) }
        return LayerSpan(
            frames: FrameRange(start: transition.start, count: transition.count),
            layer: LayerInstruction(from: from, to: to, transition: ramp)
        )
    }

    private static func solo(_ segment: PlacedSegment, _ track: String) -> LayerSpan? {
        let start = segment.fadeIn?.end ?? segment.start
        let end = segment.fadeOut?.start ?? segment.end
        guard end > start else { return nil }
        return LayerSpan(frames: FrameRange(start: start, count: end - start), layer: LayerInstruction(track: track))
    }

    /// Segments that follow each other on one track are one span.
    private static func append(_ span: LayerSpan?, to spans: inout [LayerSpan]) {
        guard let span else { return }
        if let last = spans.last, last.layer == span.layer, last.layer.transition == nil,
            last.frames.end == span.frames.start
        {
            let joined = FrameRange(start: last.frames.start, count: last.frames.count + span.frames.count)
            spans[spans.count - 1].frames = joined
        } else {
            spans.append(span)
        }
    }
}

/// Cuts the spans of all tracks into instructions: frames over which every track shows the same layer.
struct InstructionAssembly {
    /// The spans of each track, the tracks from the bottom up.
    let tracks: [[LayerSpan]]
    let frameCount: Int64

    /// Where any track begins or ends to show something.
    private var borders: [Int64] {
        let edges = tracks.joined().flatMap { [$0.frames.start, $0.frames.end] }
        return Set(edges + [0, frameCount]).filter { (0...frameCount).contains($0) }.sorted()
    }

    /// How many instructions and layers of instructions there are, without making them: tracks may multiply a small
    /// edit far beyond what memory holds.
    func pieceCount() -> Int {
        let borders = borders
        func index(_ frame: Int64) -> Int { borders.partitionPoint { $0 >= frame } }
        let layers = tracks.joined().reduce(0) { $0 + index($1.frames.end) - index($1.frames.start) }
        return borders.count - 1 + layers
    }

    func instructions() -> [VideoCompositionInstruction] {
        let borders = borders
        var next = tracks.map { _ in 0 }
        return zip(borders, borders.dropFirst()).map { start, end in
            guard WorkMeter.step(tracks.count) else {
                return VideoCompositionInstruction(frames: FrameRange(start: start, count: end - start), layers: [])
            }
            let layers = tracks.indices.compactMap { track in
                layer(of: tracks[track], at: start, next: &next[track])
            }
            return VideoCompositionInstruction(frames: FrameRange(start: start, count: end - start), layers: layers)
        }
    }

    /// - Parameter next: the first span that does not end before `frame`; moves on with it.
    private func layer(of spans: [LayerSpan], at frame: Int64, next: inout Int) -> LayerInstruction? {
        while next < spans.count, spans[next].frames.end <= frame { next += 1 }
        guard next < spans.count, spans[next].frames.contains(frame) else { return nil }
        var layer = spans[next].layer
        layer.transition?.firstStep += frame - spans[next].frames.start
        return layer
    }
}
