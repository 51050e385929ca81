import CompositionModel
import Pixels

extension TransitionEffect {
    /// What the kernels compute for a look.
    /// - Throws: ``RenderError`` `invalid_color`; `invalid_task` for a look that lacks what its kind needs.
    init(_ look: TransitionLook, in color: ColorDescription) throws(RenderError) {
        let direction = look.direction.flatMap { WipeDirection(rawValue: $0.rawValue) }
        if look.kind == .luma {
            self = .map(try WipeEdge(look, in: color))
            return
        }
        if let shape = try WipeShape(look, direction) {
            self = .wipe(shape, try WipeEdge(look, in: color))
            return
        }
        switch look.kind {
        case .dissolve: self = .dissolve
        case .fadeThrough: self = .fadeThrough(try PlaneColor(look.color ?? "#000000", in: color))
        case .zoom: self = .zoom(isOutward: look.reversed ?? false)
        case .blur: self = .blur
        default: self = try TransitionEffect(movedOrOfXfade: look, direction, in: color)
        }
    }

    private init(
        movedOrOfXfade look: TransitionLook,
        _ direction: WipeDirection?,
        in color: ColorDescription
    ) throws(RenderError) {
        if let style = MoveStyle(rawValue: look.kind.rawValue), let direction {
            self = .move(style, direction)
        } else if let kind = look.kind.xfadeName.flatMap({ XfadeKind(rawValue: $0) }) {
            self = .xfade(
                kind,
                black: try PlaneColor("#000000", in: color),
                white: try PlaneColor("#ffffff", in: color)
            )
        } else {
            throw .unfinished(look)
        }
    }
}

extension WipeShape {
    /// nil for a look that is no wipe.
    fileprivate init?(_ look: TransitionLook, _ direction: WipeDirection?) throws(RenderError) {
        let (count, isBack) = (look.count ?? 0, look.counterclockwise ?? false)
        if look.kind == .fourBoxes {
            self = .fourBoxes
            return
        }
        guard look.kind.rule.hasEdge else { return nil }
        guard let direction, look.kind.rule.count == nil || count > 0 else { throw .unfinished(look) }
        switch look.kind {
        case .wipe: self = .bar(direction)
        case .box: self = .box(direction)
        case .barnDoor: self = .barnDoor(direction)
        case .vee: self = .vee(direction)
        case .bowTie: self = .bowTie(direction)
        case .barnVee: self = .barnVee(direction)
        case .zigZag: self = .zigZag(direction, count: count)
        case .clock: self = .clock(direction, count: count, isCounterclockwise: isBack)
        case .sweep: self = .sweep(direction, isCounterclockwise: isBack)
        case .fan: self = .fan(direction, isCentered: look.centered ?? false)
        case .doubleFan: self = .doubleFan(direction)
        case .blinds: self = .blinds(direction, count: count)
        case .checkerboard: self = .checkerboard(direction, count: count)
        case .snake: self = .snake(direction, count: count)
        case .spiral: self = .spiral(direction, count: count)
        case .iris:
            guard let shape = look.shape.flatMap({ IrisShape(rawValue: $0.rawValue) }) else { throw .unfinished(look) }
            self = .iris(shape, direction)
        default: return nil
        }
    }
}

extension WipeEdge {
    fileprivate init(_ look: TransitionLook, in color: ColorDescription) throws(RenderError) {
        func part(_ millionths: Int64?) -> Double { Double(min(max(millionths ?? 0, 0), 1_000_000)) / 1_000_000 }
        self.init(
            softness: part(look.softness),
            border: part(look.border),
            color: try PlaneColor(look.borderColor ?? "#ffffff", in: color),
            isReversed: look.reversed ?? false
        )
    }
}

extension PlaneColor {
    fileprivate init(_ text: String, in color: ColorDescription) throws(RenderError) {
        let values = try BackgroundColor(text, in: color)
        self.init(values.luma, values.blueDifference, values.redDifference)
    }
}

extension RenderError {
    fileprivate static func unfinished(_ look: TransitionLook) -> RenderError {
        RenderError("invalid_task", "A transition “\(look.kind.rawValue)” lacks what it needs.", isPermanent: true)
    }
}
