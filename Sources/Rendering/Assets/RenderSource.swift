public import Media
public import CompositionModel

/// One asset of a task: its bytes, and what probing found in them.
public struct RenderSource {
    public var bytes: any ByteSource
    public var facts: AssetFacts
    /// By libavformat's stream index; every picture stream that the task shows has one.
    public var indexes: [Int: FrameIndex]

    public init(bytes: any ByteSource, facts: AssetFacts, indexes: [Int: FrameIndex]) {
        self.bytes = bytes
        self.facts = facts
        self.indexes = indexes
    }
}
