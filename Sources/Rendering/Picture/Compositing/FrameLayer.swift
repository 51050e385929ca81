import CompositionModel
import Planning
import Timing

/// A layer of an instruction with the clips that it shows: one, or two that a transition joins.
struct FrameLayer {
    let from: LayerClip?
    let to: LayerClip?
    private let transition: TransitionRamp?

    /// - Parameter frames: the frames of the segment that the instruction covers.
    /// - Throws: ``TimeError`` where a time of a clip cannot be represented.
    init(_ layer: SliceLayer, of frames: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        from = try layer.from.map { source throws(TimeError) in
            try LayerClip(source, of: frames, frameDuration: frameDuration)
        }
        to = try layer.to.map { source throws(TimeError) in
            try LayerClip(source, of: frames, frameDuration: frameDuration)
        }
        transition = layer.transition
    }

    /// The clips of the layer, the outgoing one first.
    var clips: [LayerClip] { [from, to].compactMap { $0 } }

    /// The transition as it is in the frame; nil for a layer without one.
    /// - Throws: ``RenderError`` `invalid_task` for a frame beside the transition.
    func transition(in context: FrameContext) throws(RenderError) -> TransitionState? {
        guard let transition else { return nil }
        return try TransitionState(transition, atStep: context.step)
    }
}
