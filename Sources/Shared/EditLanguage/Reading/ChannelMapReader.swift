import CompositionModel

/// Reads `channels` of a segment: which channels of its source the channels of the edit get.
struct ChannelMapReader {
    let context: ReadingContext

    /// `[1, 0]`, `[0, "none"]`, `[[0.5, 0.5], 1]`: a row for each channel of the edit.
    func read(_ node: JSONNode?) -> Marked<[[Int64]]>? {
        guard let node else { return nil }
        guard case .array(let items) = node.value else {
            context.wrongType(node, wanted: "a list of what each channel gets, such as [1, 0],")
            return nil
        }
        guard Limits.channels.contains(items.count) else {
            let message = "\"channels\" has an entry for each channel of the edit, 1 to \(Limits.channels.upperBound)"
            context.report(.numberRange, node.mark, "\(message), not \(items.count)")
            return nil
        }
        let rows = items.compactMap { channelRow($0) }
        return rows.count == items.count ? Marked(rows, node.mark) : nil
    }

    private func channelRow(_ node: JSONNode) -> [Int64]? {
        switch node.value {
        case .string("none"): return []
        case .number:
            guard let channel = context.integer(node, in: 0...Self.sourceChannels - 1, of: "a channel's number") else {
                return nil
            }
            return Array(repeating: 0, count: channel.value) + [1_000_000]
        case .array(let items):
            guard (1...Self.sourceChannels).contains(items.count) else {
                let message = "an entry of \"channels\" has a gain for each channel of the source, 1 to "
                context.report(.numberRange, node.mark, "\(message)\(Self.sourceChannels), not \(items.count)")
                return nil
            }
            let gain = SoundQuantity("a gain", .factor, -16...16, standard: 1)
            let gains = items.compactMap { SoundQuantityReader(context: context).value($0, gain) }
            return gains.count == items.count ? gains : nil
        default:
            context.wrongType(
                node,
                wanted: "a channel's number from 0, \"none\", or a list of gains such as [0.5, 0.5],"
            )
            return nil
        }
    }

    /// How many channels a source may have.
    private static let sourceChannels = 64
}
