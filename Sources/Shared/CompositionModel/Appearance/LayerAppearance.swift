package import Timing

/// The placement, crop and mixing of a picture in the frame, apart from its fit. A property that is nil does nothing.
///
/// Lengths are pixels of the frame. A picture is first fitted. Then, about its anchor, it is scaled, skewed, turned
/// about z, y and x and seen in perspective, and its anchor is moved to `position` (docs/design/picture.md, "Layers").
package struct LayerAppearance: Sendable, Hashable, Codable, OrderedObject {
    /// The point of the frame where the anchor lands, as x and y; nil leaves it where the fit put it.
    package var position: AnimatedProperty?
    /// The factors of width and height; negative ones mirror.
    package var scale: AnimatedProperty?
    /// The rotation in degrees, clockwise.
    package var rotate: AnimatedProperty?
    /// The rotation about the horizontal axis, in degrees; a small positive angle moves the top away.
    package var rotateX: AnimatedProperty?
    /// The rotation about the vertical axis, in degrees; a small positive angle moves the right side away.
    package var rotateY: AnimatedProperty?
    /// The angles in degrees by which the vertical and the horizontal sides lean, as in CSS's `skew(x, y)`.
    package var skew: AnimatedProperty?
    /// The point of the fitted picture that is placed at `position`, as x and y from its top left corner; nil means its
    /// centre.
    package var anchor: AnimatedProperty?
    /// The lengths that are cut off the fitted picture at its left, top, right and bottom.
    package var crop: AnimatedProperty?
    /// The opacity, 0…1; values outside count as the nearer end.
    package var opacity: AnimatedProperty?
    /// The blend mode; nil means ``BlendMode/normal``.
    package var blend: BlendMode?
    /// The effects in the order in which they are applied to the fitted picture; nil and an empty list mean none.
    package var effects: [PictureEffect]?

    package init() {}

    /// The value of `property` over time; nil does nothing.
    package subscript(property: PictureProperty) -> AnimatedProperty? {
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

    /// Whether any property or effect changes with time.
    package var isAnimated: Bool {
        PictureProperty.allCases.contains { (self[$0]?.keys.count ?? 0) > 1 }
            || (effects ?? []).contains(where: \.isAnimated)
    }

    /// Whether the picture leaves the place where its fit put it.
    package var moves: Bool { PictureProperty.moving.contains { self[$0] != nil } }
}

extension LayerAppearance {
    package func write(to members: inout ObjectMembers) throws {
        if let anchor { try members.write("anchor", anchor) }
        if let blend { try members.write("blend", blend.rawValue) }
        if let crop { try members.write("crop", crop) }
        if let effects { try members.write("effects", effects) }
        if let opacity { try members.write("opacity", opacity) }
        if let position { try members.write("position", position) }
        if let rotate { try members.write("rotate", rotate) }
        if let rotateX { try members.write("rotateX", rotateX) }
        if let rotateY { try members.write("rotateY", rotateY) }
        if let scale { try members.write("scale", scale) }
        if let skew { try members.write("skew", skew) }
    }
}

/// A property of a picture that may change over time.
package enum PictureProperty: String, Sendable, Hashable, CaseIterable {
    case position, scale, rotate, rotateX, rotateY, skew, anchor, crop, opacity

    /// The properties that move the picture; the anchor alone does not.
    static let moving: [PictureProperty] = [.position, .scale, .rotate, .rotateX, .rotateY, .skew]

    /// The count, the unit and the range of its numbers.
    package var form: PropertyForm {
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

    /// The value that changes nothing, in millionths; nil where it depends on the picture.
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

/// The count, the unit and the range of a property's numbers.
package struct PropertyForm: Sendable, Hashable {
    /// The axis along which a length is measured.
    package enum Axis: Sendable, Hashable { case x, y }

    /// The unit of the numbers.
    package enum Unit: Sendable, Hashable {
        /// The numbers are pixels, each along its axis.
        case length([Axis])
        /// The number is a factor, an angle in degrees, or a part of a whole, 0…1.
        case factor, degrees, part
    }

    /// The number of values that the property has.
    package var count: Int
    /// The values allowed for each number, both ends included, in whole units.
    package var range: ClosedRange<Int64>
    package var unit: Unit

    package init(count: Int, range: ClosedRange<Int64>, unit: Unit) {
        self.count = count
        self.range = range
        self.unit = unit
    }

    static func lengths(_ axes: [Axis], _ range: ClosedRange<Int64>) -> PropertyForm {
        PropertyForm(count: axes.count, range: range, unit: .length(axes))
    }

    /// The same as ``range``, in millionths of the unit.
    package var millionths: ClosedRange<Int64> { range.lowerBound * 1_000_000...range.upperBound * 1_000_000 }
}

extension LayerAppearance {
    /// The appearance in its one canonical form: properties that do nothing are left out, and those that never change
    /// have one key.
    /// - Returns: nil when the appearance does nothing.
    package var simplest: LayerAppearance? {
        // What nearly every clip of a long edit says.
        guard self != LayerAppearance() else { return nil }
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
