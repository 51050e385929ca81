import CompositionModel
import Planning
import Timing

/// A clip as one layer of an instruction shows it.
struct LayerClip {
    let clip: Clip
    /// Readers of the masks that follow the clip's time.
    let masks: [EffectSource: Playback]
    private let appearance: LayerAppearance?
    /// Time of the item at the segment's frame 0.
    private let itemOffset: RationalTime
    private let track: LayerAppearance?
    /// Time of the track at the segment's frame 0.
    private let trackOffset: RationalTime

    /// - Parameters:
    ///   - source: the clip as the instruction shows it.
    ///   - instruction: the frames of the segment that the instruction covers.
    /// - Throws: ``TimeError`` where a time cannot be represented.
    init(_ source: SliceSource, of instruction: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        clip = try Clip(source, of: instruction, frameDuration: frameDuration)
        appearance = source.appearance
        masks = try source.masks(of: instruction, frameDuration: frameDuration)
        let start = source.itemTime ?? .zero
        itemOffset = try start.advanced(by: -instruction.start, of: frameDuration, speed: nil)
        track = source.track
        let trackStart = source.trackTime ?? .zero
        trackOffset = try trackStart.advanced(by: -instruction.start, of: frameDuration, speed: nil)
    }

    /// Whether it or its track is mixed with what lies below by another function than its opacity.
    var isBlended: Bool { [appearance?.blend, track?.blend].contains { $0.map { $0 != .normal } ?? false } }

    /// Its own blend mode, unless that is normal.
    var blend: BlendMode? { appearance?.blend == .normal ? nil : appearance?.blend }

    /// The track's time at the start of the frame.
    /// - Throws: ``TimeError`` where it cannot be represented.
    func trackTime(in context: FrameContext) throws(TimeError) -> RationalTime {
        try trackOffset.advanced(by: context.frame, of: context.frameDuration, speed: nil)
    }

    /// The item's time at the start of the frame.
    /// - Throws: ``TimeError`` where it cannot be represented.
    func itemTime(in context: FrameContext) throws(TimeError) -> RationalTime {
        try itemOffset.advanced(by: context.frame, of: context.frameDuration, speed: nil)
    }

    /// Its track's appearance at the start of the frame; nil does nothing.
    /// - Throws: ``TimeError`` where the track's time cannot be represented.
    func trackState(in context: FrameContext) throws(TimeError) -> LayerState? {
        guard let track else { return nil }
        return LayerState(track, at: try trackTime(in: context))
    }

    /// Its own appearance at the start of the frame; nil shows it as it is fitted. Where the track is drawn alone, the
    /// clip's blend mode is left out: it is its track's then.
    /// - Throws: ``TimeError`` where the item's time cannot be represented.
    func state(in context: FrameContext) throws(TimeError) -> LayerState? {
        guard var appearance else { return nil }
        if context.isTrackAlone { appearance.blend = nil }
        return LayerState(appearance, at: try itemTime(in: context))
    }
}

extension SliceSource {
    /// Readers of the masks that follow its time: they play as it does.
    fileprivate func masks(
        of instruction: FrameRange,
        frameDuration: RationalTime
    ) throws(TimeError) -> [EffectSource: Playback] {
        var masks: [EffectSource: Playback] = [:]
        for source in appearance?.effectSources ?? [] {
            guard source.clock == .source, let stream = source.stream else { continue }
            var mask = self
            (mask.asset, mask.stream, mask.isNested) = (source.asset, stream, nil)
            mask.start = try start.adding(source.offset ?? .zero)
            masks[source] = try Playback(mask, of: instruction, frameDuration: frameDuration)
        }
        return masks
    }
}
