public import CompositionModel
public import Media

/// One asset of a task: its bytes, and what probing found in them.
public struct RenderSource {
    /// The bytes of the asset.
    public var bytes: any ByteSource
    /// What probing found in the bytes.
    public var facts: AssetFacts
    /// The frame index of each picture stream by libavformat's stream index; every picture stream that the task shows
    /// has one.
    public var indexes: [Int: FrameIndex]

    public init(bytes: any ByteSource, facts: AssetFacts, indexes: [Int: FrameIndex]) {
        self.bytes = bytes
        self.facts = facts
        self.indexes = indexes
    }
}
