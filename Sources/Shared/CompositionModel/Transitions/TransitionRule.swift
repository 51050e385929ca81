/// The parameters that a kind of transition has; every kind also has `ease`.
package struct TransitionRule: Sendable {
    /// The values allowed for `count`, and the value where none is written.
    package struct Count: Sendable, Hashable {
        package var range: ClosedRange<Int>
        /// The value where none is written.
        package var standard: Int
    }

    /// The directions allowed, of which the first applies where none is written; empty when the kind has none.
    package var directions: [TransitionDirection] = []
    /// The rule for `count`; nil when the kind has none.
    package var count: Count?
    /// Whether the kind has `shape`, the outline of an iris.
    package var hasShape = false
    /// Whether the kind has `color`, which the picture fades through.
    package var hasColor = false
    /// Whether the kind has `softness`, `border` and `borderColor`.
    package var hasEdge = false
    /// Whether the kind has `map`, an asset that must be named.
    package var hasMap = false
    /// Whether the kind has `reversed`.
    package var canReverse = false
    /// Whether the kind has `counterclockwise`.
    package var canTurn = false
    /// Whether the kind has `centered`.
    package var canCenter = false

    /// The names of the parameters, as an edit writes them.
    package var keys: [String] {
        var keys = ["ease"]
        if !directions.isEmpty { keys.append("direction") }
        if hasShape { keys.append("shape") }
        if count != nil { keys.append("count") }
        if hasColor { keys.append("color") }
        if hasMap { keys.append("map") }
        if hasEdge { keys += ["softness", "border", "borderColor"] }
        if canReverse { keys.append("reversed") }
        if canTurn { keys.append("counterclockwise") }
        if canCenter { keys.append("centered") }
        return keys
    }
}

extension TransitionKind {
    /// The parameters that this kind has.
    package var rule: TransitionRule {
        switch self {
        case .fadeThrough: TransitionRule(hasColor: true)
        case .push, .slide, .cover, .reveal: TransitionRule(directions: TransitionDirection.straight)
        case .zoom: TransitionRule(canReverse: true)
        case .wipe, .barnDoor: .edge(.right)
        case .box: .edge(.downRight)
        case .vee, .bowTie, .barnVee: .edge(.down)
        case .doubleFan: .edge(.up)
        case .fourBoxes: .edge()
        case .zigZag: .edge(.right, count: 1...100, 8)
        case .blinds: .edge(.down, count: 1...200, 8)
        case .checkerboard: .edge(.right, count: 1...200, 12)
        case .snake: .edge(.right, of: TransitionDirection.straight, count: 1...100, 6)
        case .spiral: .edge(.downRight, of: TransitionDirection.diagonal, count: 1...100, 10)
        case .luma: TransitionRule(hasEdge: true, hasMap: true, canReverse: true)
        case .iris:
            TransitionRule(directions: [.up, .right, .down, .left], hasShape: true, hasEdge: true, canReverse: true)
        case .clock:
            TransitionRule(
                directions: TransitionDirection.all(from: .up),
                count: TransitionRule.Count(range: 1...16, standard: 1),
                hasEdge: true,
                canReverse: true,
                canTurn: true
            )
        case .sweep:
            TransitionRule(
                directions: TransitionDirection.all(from: .downRight),
                hasEdge: true,
                canReverse: true,
                canTurn: true
            )
        case .fan:
            TransitionRule(
                directions: TransitionDirection.all(from: .down),
                hasEdge: true,
                canReverse: true,
                canCenter: true
            )
        default: TransitionRule()
        }
    }
}

extension TransitionRule {
    fileprivate static func edge(
        _ direction: TransitionDirection? = nil,
        of directions: [TransitionDirection] = TransitionDirection.allCases,
        count range: ClosedRange<Int>? = nil,
        _ standard: Int = 1
    ) -> TransitionRule {
        TransitionRule(
            directions: direction.map { first in [first] + directions.filter { $0 != first } } ?? [],
            count: range.map { Count(range: $0, standard: standard) },
            hasEdge: true,
            canReverse: true
        )
    }
}

extension TransitionDirection {
    fileprivate static func all(from first: TransitionDirection) -> [TransitionDirection] {
        [first] + allCases.filter { $0 != first }
    }
}
