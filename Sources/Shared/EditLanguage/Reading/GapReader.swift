/// Reads `{ "gap": … }`: a time in which a track shows and plays nothing.
struct GapReader {
    let context: ReadingContext

    /// - Returns: nil where the time is wrong.
    func read(_ node: JSONNode) -> EditGap? {
        guard let fields = context.fields(node, as: .gap), let duration = context.time(fields["gap"], .gap) else {
            return nil
        }
        return EditGap(duration: duration, mark: node.mark)
    }
}
