public import CompositionModel
public import Timing

/// What an edit says of how a picture is placed, cut and mixed into the frame (docs/picture.md, "Layers").
public struct EditAppearance: Sendable, Hashable {
    /// The properties that are written.
    public var properties: [PictureProperty: EditProperty] = [:]
    /// How the colours meet those below; nil is ``BlendMode/normal``.
    public var blend: Marked<BlendMode>?
    /// The effects in the order in which they are applied.
    public var effects: [EditEffect] = []

    public init() {}

    /// The names of the assets that its effects work with.
    var assets: [String] { effects.compactMap(\.asset?.value) }
}

/// A property as it is written: one value, or keys over time.
public struct EditProperty: Sendable, Hashable {
    /// At least one key; a value without keys is one key without a time.
    public var keys: [EditPropertyKey]
    /// The place of the value.
    public var mark: SourceMark
}

/// `{ "at", "value", "ease" }`.
public struct EditPropertyKey: Sendable, Hashable {
    /// The time from the start of the item; a negative one lies before it. Nil is at all times.
    public var at: Marked<EditTime>?
    /// The numbers, as many as the property has.
    public var value: [EditQuantity]
    /// The ease from this key to the next one; nil is ``Easing/linear``.
    public var ease: Marked<Easing>?
    /// The object of the key, or the value that stands alone.
    public var mark: SourceMark
}

/// A number in the unit in which it was written.
public struct EditQuantity: Sendable, Hashable {
    /// The units that a number may have.
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
    /// The unit in which the number was written.
    public var unit: Unit

    public init(millionths: Int64, unit: Unit = .plain) {
        self.millionths = millionths
        self.unit = unit
    }
}
