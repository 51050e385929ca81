import Shared

/// A playing source as a layer shows it. Layers that fit one source differently share its pictures.
struct Clip: Hashable {
    let playback: Playback
    let fit: Fit

    init(_ source: SliceSource, of instruction: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        let offset = try source.start.subtracting(RationalTime(instruction.start, of: frameDuration))
        playback = Playback(asset: source.asset, stream: source.stream, offset: offset)
        fit = source.fit
    }
}
