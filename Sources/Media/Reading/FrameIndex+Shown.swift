import CompositionModel

extension FrameIndex {
    /// Positions in ``packets`` of the shown frames, in presentation order.
    func shownPositions() -> [Int] {
        var positions: [Int64: Int] = [:]
        positions.reserveCapacity(packets.count)
        for (position, packet) in packets.enumerated() where !packet.isDiscarded { positions[packet.pts] = position }
        return shown.compactMap { positions[$0] }
    }
}
