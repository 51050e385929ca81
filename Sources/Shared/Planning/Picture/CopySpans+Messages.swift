import CompositionModel
import Timing

/// Finds the encoded frames that keep the messages of the source that they show, and those that lose them
/// (docs/copying.md).
extension CopySpans {
    /// Encoded frames of the timeline that keep messages of one source.
    struct Carried: Hashable {
        var frames: FrameRange
        /// The position in the composition's assets.
        var asset: Int
        var stream: Int
        var sourceFrame: Int64
        var kinds: [PictureMessage]
    }

    /// The spans in `range` of the timeline whose frames are encoded and keep messages.
    /// - Throws: ``PlanError`` when a time overflows or facts are missing.
    func carried(in range: FrameRange) throws(PlanError) -> [Carried] {
        guard encoding.copies == true, [.h264, .hevc].contains(encoding.codec) else { return [] }
        var carried: [Carried] = []
        for run in runs[runs.partitionPoint { $0.frames.end > range.start }...] {
            guard run.frames.start < range.end else { break }
            guard let source = inPlace(run) else { continue }
            let kinds = try kept(of: source, in: run)
            guard !kinds.isEmpty else { continue }
            // Only streams of constant rate keep messages: they have one run.
            guard let shown = try shown(of: source, in: run, range).first else { continue }
            let whole = FrameRange(start: shown.first, count: shown.frames.count)
            for frames in whole.without(try spans(of: run, in: range).map(\.frames)) {
                carried.append(
                    Carried(
                        frames: frames,
                        asset: source.asset,
                        stream: source.stream,
                        sourceFrame: shown.frames.start + frames.start - shown.first,
                        kinds: kinds
                    )
                )
            }
        }
        return carried
    }

    /// How many encoded frames of `range` lose messages of the sources that they show, of each kind that any loses.
    /// - Throws: ``PlanError`` when a time overflows or facts are missing.
    func lost(in range: FrameRange) throws(PlanError) -> [LostMessages] {
        var counts: [PictureMessage: Int64] = [:]
        for run in runs[runs.partitionPoint { $0.frames.end > range.start }...] {
            guard run.frames.start < range.end else { break }
            let frames = run.frames.intersection(range)
            let encoded = frames.without(try spans(of: run, in: range).map(\.frames))
            for (kind, count) in try lost(of: run, encoded) { counts[kind, default: 0] += count }
        }
        return PictureMessage.allCases.compactMap { kind in
            counts[kind].flatMap { $0 > 0 ? LostMessages(kind: kind, frames: $0) : nil }
        }
    }

    private func lost(
        of run: SliceInstruction,
        _ encoded: [FrameRange]
    ) throws(PlanError) -> [PictureMessage: Int64] {
        let source = inPlace(run)
        let kept = try source.map { source throws(PlanError) in try self.kept(of: source, in: run) } ?? []
        var counts: [PictureMessage: Int64] = [:]
        for shown in run.layers.flatMap({ [$0.from, $0.to] }).compactMap(\.self) where shown.isNested != true {
            for facts in try assets.video(shown).copy?.messages ?? [] where !kept.contains(facts.kind) {
                var count: Int64 = 0
                for frames in encoded {
                    guard let source, facts.kind.isOfOnePicture else {
                        count += frames.count
                        continue
                    }
                    for shown in try self.shown(of: source, in: run, frames) {
                        count += facts.frames.count(in: shown.frames)
                    }
                }
                counts[facts.kind] = max(counts[facts.kind] ?? 0, count)
            }
        }
        return counts
    }

    /// The only source of a run that shows each frame in its turn, at the edit's rate, whatever is drawn over it; nil
    /// for other runs.
    private func inPlace(_ run: SliceInstruction) -> SliceSource? {
        let pictures = run.layers.filter { $0.title == nil }
        guard let layer = pictures.first, pictures.count == 1, layer.transition == nil, layer.to == nil,
            let source = layer.from, source.isNested != true, source.speed == nil, source.curve == nil,
            source.blending == nil
        else { return nil }
        return source
    }

    /// The kinds of messages that encoded frames of a run keep: captions always, what holds for the whole sequence
    /// where the picture lies as in the source, and data of single pictures where it is untouched.
    private func kept(of source: SliceSource, in run: SliceInstruction) throws(PlanError) -> [PictureMessage] {
        let stream = try assets.video(source)
        guard let messages = stream.copy?.messages, !stream.isVariableRate, stream.frameRate == format.frameRate else {
            return []
        }
        let isPlain = source.appearance == nil && source.track == nil && stream.fills(size)
        let isUntouched = isPlain && run.layers.count == 1
        return messages.map(\.kind).filter { kind in
            switch kind {
            case .captions: true
            case .display: isPlain && stream.color == format.color
            case .framePacking: isPlain
            case .dynamicRange, .userData: isUntouched && stream.color == format.color
            case .timecode, .filmGrain: false
            }
        }
    }
}

extension FrameRange {
    fileprivate func intersection(_ other: FrameRange) -> FrameRange {
        let (first, last) = (max(start, other.start), min(end, other.end))
        return FrameRange(start: first, count: max(0, last - first))
    }

    /// What is left of it without others, which lie in it in ascending order.
    fileprivate func without(_ others: [FrameRange]) -> [FrameRange] {
        var left: [FrameRange] = []
        var place = start
        for other in others {
            if other.start > place { left.append(FrameRange(start: place, count: other.start - place)) }
            place = max(place, other.end)
        }
        if end > place { left.append(FrameRange(start: place, count: end - place)) }
        return left
    }
}
