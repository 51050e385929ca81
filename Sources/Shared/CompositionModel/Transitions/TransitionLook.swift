package import Timing

/// The first picture of an asset, used as a map.
package struct TransitionMap: Sendable, Hashable, Codable {
    /// The position in ``Composition/assets``; in a task, in `PictureTask.assets`.
    package var asset: Int
    /// The stream's index in libavformat.
    package var stream: Int

    package init(asset: Int, stream: Int) {
        self.asset = asset
        self.stream = stream
    }
}

/// A kind of transition with the parameters that the kind has (``TransitionRule``). A parameter of the kind that is nil
/// has the value that the rule states.
package struct TransitionLook: Sendable, Hashable, Codable {
    package var kind: TransitionKind
    /// The direction of the movement; nil means the first one that the rule allows.
    package var direction: TransitionDirection?
    /// The outline of an iris; nil means a circle.
    package var shape: TransitionShape?
    /// The number of teeth, blades, stripes, lines or boxes.
    package var count: Int?
    /// The colour that the picture fades through, `#rrggbb`.
    package var color: String?
    /// The width over which the edge is mixed, in millionths of the edge's path over the frame; nil means 0.
    package var softness: Int64?
    /// The width of the band of `borderColor` along the edge, in millionths of the edge's path over the frame; nil
    /// means none.
    package var border: Int64?
    /// The colour of the band along the edge, `#rrggbb`.
    package var borderColor: String?
    /// Whether the edge runs in the opposite direction, or a zoom goes outwards; nil means no.
    package var reversed: Bool?
    /// Whether the edge turns counterclockwise; nil means no.
    package var counterclockwise: Bool?
    /// Whether a fan is in the middle of the frame; nil means no.
    package var centered: Bool?
    /// The picture that says when the edge reaches each place; it is fitted to cover the frame.
    package var map: TransitionMap?
    /// The shape of the progress from 0 to 1; nil means linear.
    package var ease: Easing?

    package init(_ kind: TransitionKind) { self.kind = kind }

    /// The look in its explicit form: parameters that are nil get their standard values, and values that change nothing
    /// become nil.
    package var resolved: TransitionLook {
        let rule = kind.rule
        var look = self
        look.direction = direction ?? rule.directions.first
        look.shape = shape ?? (rule.hasShape ? .circle : nil)
        look.count = count ?? rule.count?.standard
        look.color = color ?? (rule.hasColor ? "#000000" : nil)
        if softness == 0 { look.softness = nil }
        if border == 0 || border == nil { (look.border, look.borderColor) = (nil, nil) }
        if look.border != nil { look.borderColor = borderColor ?? "#ffffff" }
        if reversed == false { look.reversed = nil }
        if counterclockwise == false { look.counterclockwise = nil }
        if centered == false { look.centered = nil }
        if ease == .linear { look.ease = nil }
        return look
    }

    /// The look without the parameters that its kind does not have.
    func limited(to rule: TransitionRule) -> TransitionLook {
        var look = self
        if rule.directions.isEmpty { look.direction = nil }
        if !rule.hasShape { look.shape = nil }
        if rule.count == nil { look.count = nil }
        if !rule.hasColor { look.color = nil }
        if !rule.hasEdge { (look.softness, look.border, look.borderColor) = (nil, nil, nil) }
        if !rule.hasMap { look.map = nil }
        if !rule.canReverse { look.reversed = nil }
        if !rule.canTurn { look.counterclockwise = nil }
        if !rule.canCenter { look.centered = nil }
        return look
    }

    /// Whether the look is nothing but a dissolve, which has no look of its own in the canonical form.
    package var isPlainDissolve: Bool { self == TransitionLook(.dissolve) }
}
