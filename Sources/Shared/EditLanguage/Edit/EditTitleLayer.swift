package import CompositionModel
package import Timing

/// One layer of a title.
package struct EditTitleLayer: Sendable, Hashable {
    /// What a layer shows.
    package enum Content: Sendable, Hashable {
        case text(EditTitleText)
        case shape(EditTitleShape)
        case image(EditTitleImage)
        /// Layers from the bottom up.
        case group([EditTitleLayer])
    }

    /// What the layer shows.
    package var content: Content
    /// How the layer is placed and mixed into the title. Keys count from the layer's own time 0.
    package var appearance = EditAppearance()
    /// When the layer is there; nil is as long as its title.
    package var timing: EditLayerTiming?
    /// The object of the layer.
    package var mark: SourceMark
}

/// A shape of one colour.
package struct EditTitleShape: Sendable, Hashable {
    /// The outline of the shape.
    package var kind: TitleShape.Kind
    /// Width and height.
    package var size: [EditQuantity]
    /// The radius of the corners of a rectangle; nil is 0.
    package var radius: EditQuantity?
    /// The colour, `#rrggbb` or `#rrggbbaa` in lower case; nil is white.
    package var color: Marked<String>?
    /// The place in the frame.
    package var box: EditTitleBox?
}

/// A picture in a title.
package struct EditTitleImage: Sendable, Hashable {
    /// A name in ``Edit/assets``; its first picture is shown.
    package var asset: Marked<String>
    /// The width; nil keeps the shape of the picture beside ``height``, and its own size without it.
    package var width: EditQuantity?
    /// The height; nil keeps the shape of the picture beside ``width``, and its own size without it.
    package var height: EditQuantity?
    /// The place in the frame.
    package var box: EditTitleBox?
}

/// When a layer is there and how its time runs.
package struct EditLayerTiming: Sendable, Hashable {
    /// How often or how long a layer runs.
    package enum Repeat: Sendable, Hashable {
        /// A number of runs, in millionths; above 0.
        case count(Int64)
        case duration(Marked<EditTime>)
        case forever
    }

    /// The time of the title at which the layer's own time begins; nil is 0.
    package var begin: Marked<EditTime>?
    /// The duration of one run in the layer's own time; nil runs on.
    package var duration: Marked<EditTime>?
    /// The layer's own seconds for a second of the title, above 0; nil is 1.
    package var speed: Marked<RationalTime>?
    /// How often or how long the layer runs; nil is once.
    package var runs: Repeat?
    /// Whether every run is followed by one backwards.
    package var autoreverses = false
    /// The object of the layer.
    package var mark: SourceMark
}
