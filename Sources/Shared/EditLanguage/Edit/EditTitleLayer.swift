public import CompositionModel
public import Timing

/// One layer of a title.
public struct EditTitleLayer: Sendable, Hashable {
    /// What a layer shows.
    public enum Content: Sendable, Hashable {
        case text(EditTitleText)
        case shape(EditTitleShape)
        case image(EditTitleImage)
        /// Layers from the bottom up.
        case group([EditTitleLayer])
    }

    /// What the layer shows.
    public var content: Content
    /// How the layer is placed and mixed into the title. Keys count from the layer's own time 0.
    public var appearance = EditAppearance()
    /// When the layer is there; nil is as long as its title.
    public var timing: EditLayerTiming?
    /// The object of the layer.
    public var mark: SourceMark
}

/// A shape of one colour.
public struct EditTitleShape: Sendable, Hashable {
    /// The outline of the shape.
    public var kind: TitleShape.Kind
    /// Width and height.
    public var size: [EditQuantity]
    /// The radius of the corners of a rectangle; nil is 0.
    public var radius: EditQuantity?
    /// The colour, `#rrggbb` or `#rrggbbaa` in lower case; nil is white.
    public var color: Marked<String>?
    /// The place in the frame.
    public var box: EditTitleBox?
}

/// A picture in a title.
public struct EditTitleImage: Sendable, Hashable {
    /// A name in ``Edit/assets``; its first picture is shown.
    public var asset: Marked<String>
    /// The width; nil keeps the shape of the picture beside ``height``, and its own size without it.
    public var width: EditQuantity?
    /// The height; nil keeps the shape of the picture beside ``width``, and its own size without it.
    public var height: EditQuantity?
    /// The place in the frame.
    public var box: EditTitleBox?
}

/// When a layer is there and how its time runs.
public struct EditLayerTiming: Sendable, Hashable {
    /// How often or how long a layer runs.
    public enum Repeat: Sendable, Hashable {
        /// A number of runs, in millionths; above 0.
        case count(Int64)
        case duration(Marked<EditTime>)
        case forever
    }

    /// The time of the title at which the layer's own time begins; nil is 0.
    public var begin: Marked<EditTime>?
    /// The duration of one run in the layer's own time; nil runs on.
    public var duration: Marked<EditTime>?
    /// The layer's own seconds for a second of the title, above 0; nil is 1.
    public var speed: Marked<RationalTime>?
    /// How often or how long the layer runs; nil is once.
    public var runs: Repeat?
    /// Whether every run is followed by one backwards.
    public var autoreverses = false
    /// The object of the layer.
    public var mark: SourceMark
}
