package import CompositionModel

/// A file to export from: its bytes, and what probing found in them.
package struct ExportSource {
    package var bytes: any ByteSource
    package var facts: AssetFacts
    /// The frame index of each picture stream by libavformat's stream index.
    package var indexes: [Int: FrameIndex]
    /// The name of the file in messages.
    package var name: String

    package init(bytes: any ByteSource, facts: AssetFacts, indexes: [Int: FrameIndex], name: String) {
        self.bytes = bytes
        self.facts = facts
        self.indexes = indexes
        self.name = name
    }
}
