import CompositionModel
import Timing

/// Writes how a title comes and goes as plain animation.
///
/// Times count from the title's first frame; its last frame begins a frame before its end, so that it is never quite
/// gone.
struct TitleMoves {
    /// The seconds that the title is seen.
    let length: RationalTime
    /// The size of the edit's frame.
    let frame: PictureSize
    private(set) var motion = TitleMotion()

    init(length: RationalTime, frame: PictureSize) {
        self.length = length
        self.frame = frame
    }

    /// - Parameter seconds: how long the move takes, at most the title's length.
    mutating func enter(_ move: EditTitleMove, seconds: RationalTime) {
        add(move, from: .zero, to: seconds, comes: true)
    }

    mutating func exit(_ move: EditTitleMove, seconds: RationalTime) throws(TimeError) {
        add(move, from: try length.subtracting(seconds), to: length, comes: false)
    }

    private mutating func add(_ move: EditTitleMove, from start: RationalTime, to end: RationalTime, comes: Bool) {
        let ease = move.ease?.value ?? TitleMoves.ease(of: move.kind, comes: comes)
        func add(
            _ path: WritableKeyPath<TitleMotion, AnimatedProperty?>,
            _ away: [Int64],
            _ here: [Int64],
            _ ease: Easing
        ) {
            let (first, last) = comes ? (away, here) : (here, away)
            let keys = [AnimationKey(at: start, value: first, ease: ease), AnimationKey(at: end, value: last)]
            motion[keyPath: path] = AnimatedProperty(keys: (motion[keyPath: path]?.keys ?? []) + keys)
        }
        let whole: Int64 = 1_000_000
        switch move.kind {
        case .fade: add(\.opacity, [0], [whole], ease)
        case .rise:
            add(\.opacity, [0], [whole], .linear)
            add(\.offset, [0, Int64(frame.height) * whole / (comes ? 12 : -12)], [0, 0], ease)
        case .slide: add(\.offset, offset(to: move.side?.value ?? .left), [0, 0], ease)
        case .type: add(\.typed, [0], [whole], ease)
        case .pop:
            add(\.opacity, [0], [whole], .linear)
            add(\.zoom, [whole / 2], [whole], ease)
        }
    }

    /// The distance of a slide, the side of the frame: wherever the title stands, it is outside then.
    private func offset(to side: EditTitleMove.Side) -> [Int64] {
        let (width, height) = (Int64(frame.width) * 1_000_000, Int64(frame.height) * 1_000_000)
        return switch side {
        case .left: [-width, 0]
        case .right: [width, 0]
        case .top: [0, -height]
        case .bottom: [0, height]
        }
    }

    private static func ease(of kind: EditTitleMove.Kind, comes: Bool) -> Easing {
        let end: EasingDirection = comes ? .out : .in
        return switch kind {
        case .fade, .type: .linear
        case .rise, .slide: .curve(.cubic, end)
        case .pop: .curve(.back, end)
        }
    }
}
