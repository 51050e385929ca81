import CompositionModel
import Planning
import Timing

/// A playing source as a layer shows it. Layers that fit one source differently share its pictures.
struct Clip: Hashable {
    let playback: Playback
    let fit: Fit

    /// - Parameter instruction: the frames of the segment that the instruction covers.
    /// - Throws: ``TimeError`` where a time cannot be represented.
    init(_ source: SliceSource, of instruction: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        playback = try Playback(source, of: instruction, frameDuration: frameDuration)
        fit = source.fit
    }
}
