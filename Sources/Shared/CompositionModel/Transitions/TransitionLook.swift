public import Timing

/// An asset's first picture as a map.
public struct TransitionMap: Sendable, Hashable, Codable {
    /// Position in `Composition.assets`; of a task, in `PictureTask.assets`.
    public var asset: Int
    /// libavformat's stream index.
    public var stream: Int

    public init(asset: Int, stream: Int) {
        self.asset = asset
        self.stream = stream
    }
}

/// A kind of transition with its parameters, all that the kind has (``TransitionRule``). A parameter that is nil and
/// belongs to the kind has the value that the rule says.
public struct TransitionLook: Sendable, Hashable, Codable {
    public var kind: TransitionKind
    public var direction: TransitionDirection?
    public var shape: TransitionShape?
    /// Teeth, blades, stripes, lines or boxes.
    public var count: Int?
    /// `#rrggbb`.
    public var color: String?
    /// Millionths of the edge's way over the frame: how wide the edge is mixed. nil is 0.
    public var softness: Int64?
    /// Millionths of the edge's way over the frame: how wide a band of `borderColor` is. nil is none.
    public var border: Int64?
    /// `#rrggbb`.
    public var borderColor: String?
    /// The edge runs the other way round; a zoom goes outwards. nil is false.
    public var reversed: Bool?
    /// nil is false.
    public var counterclockwise: Bool?
    /// A fan stands in the middle of the frame. nil is false.
    public var centered: Bool?
    /// The picture that says when an edge reaches a place; filled to the frame.
    public var map: TransitionMap?
    /// How the way from 0 to 1 is shaped; nil is linear.
    public var ease: Easing?

    public init(_ kind: TransitionKind) { self.kind = kind }

    /// With every parameter of the kind that has a value of its own, and nothing that says what is so anyway.
    public var resolved: TransitionLook {
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

    /// Without what its kind does not have.
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

    /// Nothing but a dissolve, which has no look of its own in the canonical form.
    package var isPlainDissolve: Bool { self == TransitionLook(.dissolve) }
}
