import CompositionModel

extension FrameIndex {
    /// The shown frames at which decoding may start, as frame numbers, ascending.
    func entryFrames() -> [Int64] {
        let entries = Set(packets.lazy.filter { $0.isEntryPoint && !$0.isDiscarded }.map(\.pts))
        return shown.indices.lazy.filter { entries.contains(shown[$0]) }.map(Int64.init)
    }

    /// Positions in ``packets`` of the shown frames, in presentation order.
    func shownPositions() -> [Int] {
        var positions: [Int64: Int] = [:]
        positions.reserveCapacity(packets.count)
        for (position, packet) in packets.enumerated() where !packet.isDiscarded { positions[packet.pts] = position }
        return shown.compactMap { positions[$0] }
    }
}
