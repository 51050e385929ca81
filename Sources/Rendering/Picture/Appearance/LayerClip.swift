import Shared

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

    /// The track's time at the start of the segment's frame `frame`.
    func trackTime(at frame: Int64, frameDuration: RationalTime) throws(TimeError) -> RationalTime {
        try trackOffset.advanced(by: frame, of: frameDuration, speed: nil)
    }

    /// The item's time at the start of the segment's frame `frame`.
    func itemTime(at frame: Int64, frameDuration: RationalTime) throws(TimeError) -> RationalTime {
        try itemOffset.advanced(by: frame, of: frameDuration, speed: nil)
    }

    /// Its track's appearance at the start of the segment's frame `frame`; nil does nothing.
    func trackState(at frame: Int64, frameDuration: RationalTime) throws(TimeError) -> LayerState? {
        guard let track else { return nil }
        return LayerState(track, at: try trackTime(at: frame, frameDuration: frameDuration))
    }

    /// Its own appearance at the start of the segment's frame `frame`; nil shows it as it is fitted.
    /// - Parameter isAlone: without its blend mode, which is its track's then.
    func state(
        at frame: Int64,
        frameDuration: RationalTime,
        isAlone: Bool = false
    ) throws(TimeError) -> LayerState? {
        guard var appearance else { return nil }
        if isAlone { appearance.blend = nil }
        return LayerState(appearance, at: try itemTime(at: frame, frameDuration: frameDuration))
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
