/// What a run of seeds tried, for its last line.
struct CopyTally: CustomStringConvertible {
    private(set) var copied: [String: Int64] = [:]
    private var (edits, frames, copiedFrames, spans, joins) = (0, Int64(0), Int64(0), 0, 0)

    mutating func count(frames: Int64, segments: Int) {
        edits += 1
        self.frames += frames
        joins += segments - 1
    }

    /// - Parameter source: the name of the source of which a span is copied.
    mutating func count(span frames: Int64, of source: String) {
        copied[source, default: 0] += frames
        copiedFrames += frames
        spans += 1
    }

    /// Where two parts meet: borders of segments, and both ends of each copied span.
    var description: String {
        let list = copied.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(edits) edits, \(frames) frames, \(copiedFrames) copied in \(spans) spans, "
            + "about \(joins + 2 * spans) joins; copied by source: \(list)"
    }
}
