/// A plain shape, in millionths of a pixel of the edit's frame.
package struct TitleShape: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case rectangle, ellipse
    }

    package var kind: Kind
    package var width: Int64
    package var height: Int64
    /// The radius of a rectangle's corners.
    package var radius: Int64
    /// The colour of the shape, `#rrggbbaa`.
    package var color: String
    /// The position in the frame.
    package var box: TitleBox

    package init(kind: Kind, width: Int64, height: Int64, radius: Int64, color: String, box: TitleBox) {
        self.kind = kind
        self.width = width
        self.height = height
        self.radius = radius
        self.color = color
        self.box = box
    }
}

/// The first picture of an asset, in millionths of a pixel of the edit's frame.
package struct TitleImage: Sendable, Hashable, Codable {
    /// The position in ``Composition/assets``, or in the assets of a task.
    package var asset: Int
    /// The stream's index in libavformat.
    package var stream: Int
    package var width: Int64
    package var height: Int64
    /// The position in the frame.
    package var box: TitleBox

    package init(asset: Int, stream: Int, width: Int64, height: Int64, box: TitleBox) {
        self.asset = asset
        self.stream = stream
        self.width = width
        self.height = height
        self.box = box
    }
}
