import CompositionModel
import Pixels
import Timing

/// A transition at one frame.
struct TransitionState {
    /// nil is a dissolve.
    let look: TransitionLook?
    /// How much of the second picture a dissolve shows here.
    let weight: BlendWeight
    /// 0 … 1, shaped by the look's ease; what overshoots is cut off.
    let progress: Double

    /// - Throws: ``RenderError`` `invalid_task` for a step beside the transition.
    init(_ ramp: TransitionRamp, atStep step: Int64) throws(RenderError) {
        let steps = ramp.steps
        guard (1..<1 << 40).contains(steps), (0...steps).contains(ramp.firstStep), ramp.firstStep + step <= steps else {
            throw RenderError(
                "invalid_task",
                "A transition of \(steps) frames has no frame \(step).",
                isPermanent: true
            )
        }
        look = ramp.look
        let linear = Double(ramp.firstStep + step) / Double(steps)
        guard let ease = ramp.look?.ease else {
            (weight, progress) = (BlendWeight(step: ramp.firstStep + step, steps: steps), linear)
            return
        }
        progress = min(max(ease.value(at: linear), 0), 1)
        weight = BlendWeight(progress)
    }

    /// Only the first side is seen.
    var isFirst: Bool { weight.isFirst && (isDissolve || progress <= 0) }
    /// Only the second side is seen.
    var isSecond: Bool { weight.isSecond && (isDissolve || progress >= 1) }

    /// Both sides may be seen.
    var isBetween: Bool { !isFirst && !isSecond }

    var isDissolve: Bool { look == nil || look?.kind == .dissolve }
}
