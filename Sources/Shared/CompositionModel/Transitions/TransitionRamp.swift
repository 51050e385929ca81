/// The part of a transition that falls on the frames of an instruction: frame k has the progress (firstStep + k) /
/// steps.
package struct TransitionRamp: Sendable, Hashable, Codable {
    /// The step of the transition at the instruction's first frame, from 0.
    package var firstStep: Int64
    /// The length of the whole transition in frames.
    package var steps: Int64
    /// The look of the transition; nil means a dissolve, where frame k shows (firstStep + k) / steps of the second
    /// side.
    package var look: TransitionLook?

    package init(firstStep: Int64, steps: Int64, look: TransitionLook? = nil) {
        self.firstStep = firstStep
        self.steps = steps
        self.look = look
    }
}

/// The keys of a layer in the canonical form: a plain dissolve is written under `dissolve`, any other transition under
/// `transition` with its look.
package enum LayerKey: String, CodingKey {
    case from, to, dissolve, transition, title
}

extension KeyedEncodingContainer<LayerKey> {
    /// Encodes a transition under the key that its look calls for; nil writes nothing.
    /// - Throws: The encoder's `EncodingError`.
    package mutating func encodeIfPresent(_ ramp: TransitionRamp?) throws {
        try encodeIfPresent(ramp, forKey: ramp?.look == nil ? .dissolve : .transition)
    }
}

extension KeyedDecodingContainer<LayerKey> {
    /// Decodes the transition under either key; nil when there is none.
    /// - Throws: `DecodingError` when both keys are present, or a dissolve has a look.
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
