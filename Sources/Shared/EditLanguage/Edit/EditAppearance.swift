public import CompositionModel
public import Timing

/// What an edit says of how a picture is placed, cut and mixed into the frame (docs/picture.md, "Layers").
public struct EditAppearance: Sendable, Hashable {
    public var properties: [PictureProperty: EditProperty] = [:]
    /// Nil is ``BlendMode/normal``.
    public var blend: Marked<BlendMode>?
    /// In the order in which they are applied.
    public var effects: [EditEffect] = []

    public init() {}

    /// Names of the assets that its effects work with.
    var assets: [String] { effects.compactMap(\.asset?.value) }
}

/// A property as it is written: one value, or keys over time.
public struct EditProperty: Sendable, Hashable {
    /// At least one; a value without keys is one key without a time.
    public var keys: [EditPropertyKey]
    public var mark: SourceMark
}

/// `{ "at", "value", "ease" }`.
public struct EditPropertyKey: Sendable, Hashable {
    /// From the start of the item; may be negative, then the way has begun before it. Nil is at all times.
    public var at: Marked<EditTime>?
    /// As many as the property has.
    public var value: [EditQuantity]
    /// Nil is ``Easing/linear``.
    public var ease: Marked<Easing>?
    public var mark: SourceMark
}

/// A number in the unit in which it was written.
public struct EditQuantity: Sendable, Hashable {
    public enum Unit: Sendable, Hashable {
        /// The property's own: pixels, degrees, a factor.
        case plain
        /// Hundredths of the side along the number's axis: of the frame for a place in it, else of the fitted picture.
        case percent
        case percentOfWidth
        case percentOfHeight
    }

    /// Millionths of `unit`.
    public var millionths: Int64
    public var unit: Unit

    public init(millionths: Int64, unit: Unit = .plain) {
        self.millionths = millionths
        self.unit = unit
    }
}
