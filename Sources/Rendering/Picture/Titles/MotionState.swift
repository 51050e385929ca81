import CompositionModel
import Pixels
import Timing

/// What a title's motion says at one time. Lengths are pixels of the task.
struct MotionState {
    /// The part of the title's opacity that is left, 0 … 1.
    private let opacity: Double
    /// How far the title is moved to the right and down.
    let offset: (x: Double, y: Double)
    /// The factor by which the title is enlarged about its anchor.
    let zoom: Double
    /// The part of the text that has been typed, 0 … 1; nil shows the whole text.
    let typed: Double?

    /// - Parameter motion: nil leaves the title as it is.
    init(_ motion: TitleMotion?, at time: RationalTime) {
        opacity = max(0, min(1, motion?.opacity?.value(at: time).first ?? 1))
        let lengths = motion?.offset?.value(at: time) ?? []
        offset = lengths.count == 2 ? (lengths[0], lengths[1]) : (0, 0)
        zoom = motion?.zoom?.value(at: time).first ?? 1
        let typed = motion?.typed?.value(at: time).first.map { max(0, min(1, $0)) }
        self.typed = typed == 1 ? nil : typed
    }

    /// The motion's opacity multiplied by `other`, to the nearest 65536th.
    func opacity(with other: BlendWeight) -> BlendWeight {
        BlendWeight(value: UInt32((opacity * Double(other.value)).rounded()))
    }
}
