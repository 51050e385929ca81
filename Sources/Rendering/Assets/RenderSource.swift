package import CompositionModel
package import Media

/// One asset of a task: its bytes, and what probing found in them.
package struct RenderSource {
    /// The bytes of the asset.
    package var bytes: any ByteSource
    /// What probing found in the bytes.
    package var facts: AssetFacts
    /// The frame index of each picture stream by libavformat's stream index; every picture stream that the task shows
    /// has one.
    package var indexes: [Int: FrameIndex]

    package init(bytes: any ByteSource, facts: AssetFacts, indexes: [Int: FrameIndex]) {
        self.bytes = bytes
        self.facts = facts
        self.indexes = indexes
    }
}
