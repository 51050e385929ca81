/// One transition over the frames of an instruction: frame k of it is (firstStep + k) / steps of the way.
public struct TransitionRamp: Sendable, Hashable, Codable {
    public var firstStep: Int64
    /// Length of the whole transition in frames.
    public var steps: Int64
    /// nil is a dissolve: frame k shows (firstStep + k) / steps of the second side.
    public var look: TransitionLook?

    public init(firstStep: Int64, steps: Int64, look: TransitionLook? = nil) {
        self.firstStep = firstStep
        self.steps = steps
        self.look = look
    }
}

/// The keys of a layer in the canonical form: its transition stands under `dissolve` when it is nothing more, and under
/// `transition` with its look.
package enum LayerKey: String, CodingKey {
    case from, to, dissolve, transition, title
}

extension KeyedEncodingContainer<LayerKey> {
    package mutating func encodeIfPresent(_ ramp: TransitionRamp?) throws {
        try encodeIfPresent(ramp, forKey: ramp?.look == nil ? .dissolve : .transition)
    }
}

extension KeyedDecodingContainer<LayerKey> {
    package func transition() throws -> TransitionRamp? {
        let dissolve = try decodeIfPresent(TransitionRamp.self, forKey: .dissolve)
        let transition = try decodeIfPresent(TransitionRamp.self, forKey: .transition)
        guard dissolve == nil || transition == nil, dissolve?.look == nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .dissolve,
                in: self,
                debugDescription: "a dissolve has no look, and a layer has one transition"
            )
        }
        return dissolve ?? transition
    }
}
