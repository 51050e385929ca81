/// The sound of a transition over `count` samples. With p = i / count at sample i, the factors of the outgoing and the
/// incoming sound are: equalPower, cos(p·π/2) and sin(p·π/2); linear, 1 − p and p; cut, a change in the middle; sum, 1
/// and 1.
package struct Crossfade: Sendable, Hashable, Codable {
    /// The curve of the two factors.
    package enum Shape: String, Sendable, Hashable, Codable, CaseIterable {
        case equalPower, linear, sum, cut
    }

    package var shape: Shape
    /// The length in samples at the edit's sample rate.
    package var count: Int64

    package init(shape: Shape, count: Int64) {
        self.shape = shape
        self.count = count
    }
}
