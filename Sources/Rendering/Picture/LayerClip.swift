import Shared

/// A clip as one layer of an instruction shows it.
struct LayerClip {
    let clip: Clip
    private let appearance: LayerAppearance?
    /// Time of the item at the segment's frame 0.
    private let itemOffset: RationalTime
    private let track: LayerAppearance?
    /// Time of the track at the segment's frame 0.
    private let trackOffset: RationalTime

    init(_ source: SliceSource, of instruction: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        clip = try Clip(source, of: instruction, frameDuration: frameDuration)
        appearance = source.appearance
        let start = source.itemTime ?? .zero
        itemOffset = try start.advanced(by: -instruction.start, of: frameDuration, speed: nil)
        track = source.track
        let trackStart = source.trackTime ?? .zero
        trackOffset = try trackStart.advanced(by: -instruction.start, of: frameDuration, speed: nil)
    }

    /// Whether it or its track is mixed with what lies below by another function than its opacity.
    var isBlended: Bool { [appearance?.blend, track?.blend].contains { $0.map { $0 != .normal } ?? false } }

    /// Its track's appearance at the start of the segment's frame `frame`; nil does nothing.
    func trackState(at frame: Int64, frameDuration: RationalTime) throws(TimeError) -> LayerState? {
        guard let track else { return nil }
        return LayerState(track, at: try trackOffset.advanced(by: frame, of: frameDuration, speed: nil))
    }

    /// Its own appearance at the start of the segment's frame `frame`; nil shows it as it is fitted.
    func state(at frame: Int64, frameDuration: RationalTime) throws(TimeError) -> LayerState? {
        guard let appearance else { return nil }
        return LayerState(appearance, at: try itemOffset.advanced(by: frame, of: frameDuration, speed: nil))
    }
}
