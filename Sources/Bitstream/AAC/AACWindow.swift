/// The window under which a packet of AAC is transformed (ISO/IEC 14496-3, 4.6.11): its left half overlaps with the
/// packet before, its right half with the packet behind.
package struct AACWindow: Sendable, Hashable {
    /// window_sequence.
    package enum Sequence: Int, Sendable, Hashable {
        case onlyLong, longStart, eightShort, longStop
    }

    /// window_shape. The left half of a packet's window has the shape of the packet before.
    package enum Shape: Int, Sendable, Hashable {
        case sine, kaiserBessel
    }

    package var sequence: Sequence
    /// The shape of the right half.
    package var shape: Shape

    package init(sequence: Sequence, shape: Shape) { (self.sequence, self.shape) = (sequence, shape) }

    /// The window of one transform with such slopes.
    /// - Parameters:
    ///   - shortLeft: whether the left slope has 128 samples and not 1024.
    ///   - shortRight: whether the right slope has; nil where the slopes are both short, which takes eight transforms.
    package init?(shortLeft: Bool, shortRight: Bool, shape: Shape) {
        switch (shortLeft, shortRight) {
        case (false, false): self.init(sequence: .onlyLong, shape: shape)
        case (false, true): self.init(sequence: .longStart, shape: shape)
        case (true, false): self.init(sequence: .longStop, shape: shape)
        case (true, true): return nil
        }
    }

    /// Whether the left slope has 128 samples and not 1024.
    package var isShortLeft: Bool { sequence == .eightShort || sequence == .longStop }
    /// Whether the right slope has 128 samples and not 1024.
    package var isShortRight: Bool { sequence == .eightShort || sequence == .longStart }
}
