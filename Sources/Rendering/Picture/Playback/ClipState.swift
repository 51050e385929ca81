import CompositionModel
import Timing

/// A clip at one frame, for the effects that are applied to it.
struct ClipState {
    /// The source time that the frame shows.
    let time: RationalTime
    /// The readers of the masks that follow the source's time.
    let masks: [EffectSource: Playback]
}
