/// A plain shape, in millionths of a pixel of the edit's frame.
public struct TitleShape: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case rectangle, ellipse
    }

    public var kind: Kind
    public var width: Int64
    public var height: Int64
    /// The radius of a rectangle's corners.
    public var radius: Int64
    /// The colour of the shape, `#rrggbbaa`.
    public var color: String
    /// The position in the frame.
    public var box: TitleBox

    public init(kind: Kind, width: Int64, height: Int64, radius: Int64, color: String, box: TitleBox) {
        self.kind = kind
        self.width = width
        self.height = height
        self.radius = radius
        self.color = color
        self.box = box
    }
}

/// The first picture of an asset, in millionths of a pixel of the edit's frame.
public struct TitleImage: Sendable, Hashable, Codable {
    /// The position in ``Composition/assets``, or in the assets of a task.
    public var asset: Int
    /// The stream's index in libavformat.
    public var stream: Int
    public var width: Int64
    public var height: Int64
    /// The position in the frame.
    public var box: TitleBox

    public init(asset: Int, stream: Int, width: Int64, height: Int64, box: TitleBox) {
        self.asset = asset
        self.stream = stream
        self.width = width
        self.height = height
        self.box = box
    }
}
