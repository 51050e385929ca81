import CompositionModel

extension FrameIndex {
    /// The shown frames at which decoding may start, as frame numbers, ascending.
    func entryFrames() -> [Int64] {
        let entries = Set(packets.lazy.filter { $0.isEntryPoint && !$0.isDiscarded }.map(\.pts))
        return shown.indices.lazy.filter { entries.contains(shown[$0]) }.map(Int64.init)
    }
}
