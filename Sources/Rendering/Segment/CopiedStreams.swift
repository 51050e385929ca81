import Media

/// The streams that a segment copies from. The four that were used last stay open: of two cameras between which an edit
/// goes to and fro, each is opened once.
final class CopiedStreams {
    private let sources: [RenderSource]
    private var open: [(asset: Int, stream: Int, copied: CopiedStream)] = []
    private static let limit = 4

    /// - Parameter sources: in the order of the task's assets.
    init(_ sources: [RenderSource]) { self.sources = sources }

    /// - Parameters:
    ///   - asset: index into the task's assets.
    ///   - stream: libavformat's stream index.
    /// - Throws: ``RenderError`` `invalid_task` for a stream without an index; ``MediaError`` when it cannot be opened.
    func stream(_ stream: Int, of asset: Int) throws -> CopiedStream {
        if let place = open.firstIndex(where: { $0.asset == asset && $0.stream == stream }) {
            open.append(open.remove(at: place))
            return open[open.count - 1].copied
        }
        guard let index = sources[asset].indexes[stream] else {
            throw RenderError("invalid_task", "A segment copies a stream that has no index.", isPermanent: true)
        }
        if open.count == Self.limit { open.removeFirst() }
        let copied = try CopiedStream(sources[asset].bytes, index: index)
        open.append((asset, stream, copied))
        return copied
    }
}
