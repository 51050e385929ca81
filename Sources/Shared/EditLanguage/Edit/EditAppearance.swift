package import CompositionModel
package import Timing

/// What an edit says of how a picture is placed, cut and mixed into the frame (docs/picture.md, "Layers").
package struct EditAppearance: Sendable, Hashable {
    /// The properties that are written.
    package var properties: [PictureProperty: EditProperty] = [:]
    /// How the colours meet those below; nil is ``BlendMode/normal``.
    package var blend: Marked<BlendMode>?
    /// The effects in the order in which they are applied.
    package var effects: [EditEffect] = []

    package init() {}

    /// Whether it says nothing.
    var isPlain: Bool { properties.isEmpty && blend == nil && effects.isEmpty }

    /// The names of the assets that its effects work with.
    var assets: [String] { effects.compactMap(\.asset?.value) }
}

/// A property as it is written: one value, or keys over time.
package struct EditProperty: Sendable, Hashable {
    /// At least one key; a value without keys is one key without a time.
    package var keys: [EditPropertyKey]
    /// The place of the value.
    package var mark: SourceMark
}

/// `{ "at", "value", "ease" }`.
package struct EditPropertyKey: Sendable, Hashable {
    /// The time from the start of the item; a negative one lies before it. Nil is at all times.
    package var at: Marked<EditTime>?
    /// The numbers, as many as the property has.
    package var value: [EditQuantity]
    /// The ease from this key to the next one; nil is ``Easing/linear``.
    package var ease: Marked<Easing>?
    /// The object of the key, or the value that stands alone.
    package var mark: SourceMark
}

/// A number in the unit in which it was written.
package struct EditQuantity: Sendable, Hashable {
    /// The units that a number may have.
    package enum Unit: Sendable, Hashable {
        /// The property's own: pixels, degrees, a factor.
        case plain
        /// Hundredths of the side along the number's axis: of the frame for a place in it, else of the fitted picture.
        case percent
        case percentOfWidth
        case percentOfHeight
    }

    /// Millionths of `unit`.
    package var millionths: Int64
    /// The unit in which the number was written.
    package var unit: Unit

    package init(millionths: Int64, unit: Unit = .plain) {
        self.millionths = millionths
        self.unit = unit
    }
}
