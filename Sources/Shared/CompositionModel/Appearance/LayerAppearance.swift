public import Timing

/// How a picture is placed, cut and mixed into the frame, apart from its fit. Everything that is nil does nothing.
///
/// Lengths are pixels of the frame. A picture is first fitted; then, about its anchor, it is scaled, skewed, turned
/// about z, y and x and seen in perspective, and its anchor is moved to `position` (docs/design/picture.md, "Layers").
public struct LayerAppearance: Sendable, Hashable, Codable {
    /// Where in the frame the anchor lands: x, y. Nil is where the fit put it.
    public var position: AnimatedProperty?
    /// Factors of width and height; negative ones mirror.
    public var scale: AnimatedProperty?
    /// Degrees clockwise.
    public var rotate: AnimatedProperty?
    /// Degrees about the horizontal axis: a little moves the top away.
    public var rotateX: AnimatedProperty?
    /// Degrees about the vertical axis: a little moves the right side away.
    public var rotateY: AnimatedProperty?
    /// Degrees by which the vertical and the horizontal sides lean, as CSS's `skew(x, y)`.
    public var skew: AnimatedProperty?
    /// A point of the fitted picture, from its top left corner: x, y. Nil is its centre.
    public var anchor: AnimatedProperty?
    /// What is taken away from the fitted picture: left, top, right, bottom.
    public var crop: AnimatedProperty?
    /// 0…1; what is outside counts as the nearer end.
    public var opacity: AnimatedProperty?
    /// Nil is ``BlendMode/normal``.
    public var blend: BlendMode?
    /// In the order in which they are applied to the fitted picture; nil and none are the same.
    public var effects: [PictureEffect]?

    public init() {}

    /// The value of `property`.
    public subscript(property: PictureProperty) -> AnimatedProperty? {
        get { self[keyPath: LayerAppearance.path(to: property)] }
        set { self[keyPath: LayerAppearance.path(to: property)] = newValue }
    }

    private static func path(to property: PictureProperty) -> WritableKeyPath<LayerAppearance, AnimatedProperty?> {
        switch property {
        case .position: \.position
        case .scale: \.scale
        case .rotate: \.rotate
        case .rotateX: \.rotateX
        case .rotateY: \.rotateY
        case .skew: \.skew
        case .anchor: \.anchor
        case .crop: \.crop
        case .opacity: \.opacity
        }
    }

    /// Whether anything of it changes with time.
    public var isAnimated: Bool {
        PictureProperty.allCases.contains { (self[$0]?.keys.count ?? 0) > 1 }
            || (effects ?? []).contains(where: \.isAnimated)
    }

    /// Whether the picture leaves the place where its fit put it.
    public var moves: Bool { PictureProperty.moving.contains { self[$0] != nil } }
}

/// A property of a picture that may change over time.
public enum PictureProperty: String, Sendable, Hashable, CaseIterable {
    case position, scale, rotate, rotateX, rotateY, skew, anchor, crop, opacity

    /// Those that move the picture; the anchor alone does not.
    static let moving: [PictureProperty] = [.position, .scale, .rotate, .rotateX, .rotateY, .skew]

    /// What its numbers are.
    public var form: PropertyForm {
        switch self {
        case .position: .lengths([.x, .y], Limits.layerLengths)
        case .anchor: .lengths([.x, .y], Limits.layerLengths)
        case .crop: .lengths([.x, .y, .x, .y], 0...Limits.layerLengths.upperBound)
        case .scale: PropertyForm(count: 2, range: -1000...1000, unit: .factor)
        case .rotate, .rotateX, .rotateY: PropertyForm(count: 1, range: -1_000_000...1_000_000, unit: .degrees)
        case .skew: PropertyForm(count: 2, range: -89...89, unit: .degrees)
        case .opacity: PropertyForm(count: 1, range: 0...1, unit: .part)
        }
    }

    /// The value that changes nothing; nil where that depends on the picture.
    var neutral: [Int64]? {
        switch self {
        case .position, .anchor: nil
        case .scale: [1_000_000, 1_000_000]
        case .rotate, .rotateX, .rotateY: [0]
        case .skew: [0, 0]
        case .crop: [0, 0, 0, 0]
        case .opacity: [1_000_000]
        }
    }
}

/// How many numbers a property has, what they mean and what they may be.
public struct PropertyForm: Sendable, Hashable {
    public enum Axis: Sendable, Hashable { case x, y }

    public enum Unit: Sendable, Hashable {
        /// Pixels, each number along its axis.
        case length([Axis])
        case factor, degrees, part
    }

    public var count: Int
    /// Of each number, in whole units.
    public var range: ClosedRange<Int64>
    public var unit: Unit

    package init(count: Int, range: ClosedRange<Int64>, unit: Unit) {
        self.count = count
        self.range = range
        self.unit = unit
    }

    static func lengths(_ axes: [Axis], _ range: ClosedRange<Int64>) -> PropertyForm {
        PropertyForm(count: axes.count, range: range, unit: .length(axes))
    }

    /// ``range`` in millionths.
    public var millionths: ClosedRange<Int64> { range.lowerBound * 1_000_000...range.upperBound * 1_000_000 }
}

extension LayerAppearance {
    /// The one way to say this: what does nothing is left out, and what never changes has one key.
    /// - Returns: nil when nothing is left.
    public var simplest: LayerAppearance? {
        var simple = self
        for property in PictureProperty.allCases {
            guard let value = self[property], let first = value.keys.first else {
                simple[property] = nil
                continue
            }
            guard value.isConstant else { continue }
            simple[property] = first.value == property.neutral ? nil : AnimatedProperty(constant: first.value)
        }
        if !simple.moves { simple.anchor = nil }
        if simple.blend == .normal { simple.blend = nil }
        simple.effects = effects?.map(\.simplest)
        if simple.effects?.isEmpty == true { simple.effects = nil }
        return simple == LayerAppearance() ? nil : simple
    }
}
