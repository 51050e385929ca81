import CompositionModel

extension SoundTask {
    /// What the encoder of an encoded run hears before its packets, in packets, and behind them, in samples.
    private static let joinPreRoll: Int64 = 1410
    private static let joinPostRoll: Int64 = 2 * SoundCopyFacts.frameSize

    /// A part of the timeline that is mixed for packets that are not copied.
    package struct MixedPart: Sendable, Hashable {
        /// The samples of the timeline; the end is exclusive.
        package var samples: Range<Int64>
        /// The number of the first packet of an encoder that hears the samples from 1024 behind the packet's first on;
        /// nil where nothing is encoded.
        package var firstPacket: Int64?
    }

    /// The sample of the timeline with which what packet `number` of the piece decodes to begins.
    package func sample(ofPacket number: Int64, _ plan: SoundPacketPlan) -> Int64 {
        firstSample + number * SoundCopyFacts.frameSize - Int64(plan.priming)
    }

    /// The parts of the timeline that are mixed for the packets that are not copied, in order of time, disjoint.
    /// - Parameter bounds: The samples that can be mixed; what lies outside is silence.
    package func mixedParts(_ plan: SoundPacketPlan, in bounds: Range<Int64>) -> [MixedPart] {
        var parts: [MixedPart] = []
        let ranges = plan.ranges
        for (index, (packets, run)) in ranges.enumerated() where run.copy == nil {
            var own = packets.clamped(to: 0..<plan.count)
            // An encoder makes the packets of the bridge behind its own too: where its windows fit they are not
            // written.
            if run.isEncoded, !own.isEmpty, index + 1 < ranges.count, ranges[index + 1].run.isBridge == true {
                own = own.lowerBound..<min(ranges[index + 1].packets.upperBound, plan.count)
            }
            if !own.isEmpty { parts.append(part(own, isEncoded: run.isEncoded, plan, in: bounds)) }
        }
        parts.sort { $0.samples.lowerBound < $1.samples.lowerBound }
        return parts.reduce(into: []) { joined, part in
            guard let last = joined.last, last.samples.upperBound >= part.samples.lowerBound else {
                joined.append(part)
                return
            }
            joined[joined.count - 1].join(part)
        }
    }

    private func part(
        _ packets: Range<Int64>,
        isEncoded: Bool,
        _ plan: SoundPacketPlan,
        in bounds: Range<Int64>
    ) -> MixedPart {
        let frame = SoundCopyFacts.frameSize
        // The window of the last packet reaches a frame further than what the packet decodes to.
        let start = sample(ofPacket: packets.lowerBound, plan)
        let end = sample(ofPacket: packets.upperBound, plan) + frame
        guard isEncoded else { return MixedPart(samples: (start..<end).clamped(to: bounds)) }
        // The encoder's first packet begins a frame before the first sample that it hears.
        let earliest = (bounds.lowerBound - sample(ofPacket: 0, plan) - frame).floored(by: frame)
        let first = max(packets.lowerBound - Self.joinPreRoll, earliest)
        let heard = sample(ofPacket: first, plan) + frame..<end + Self.joinPostRoll
        return MixedPart(samples: heard.clamped(to: bounds), firstPacket: first)
    }
}

extension SoundTask.MixedPart {
    /// Appends a part that begins within this one or at its end. An encoder that works already goes on.
    fileprivate mutating func join(_ other: Self) {
        samples = samples.lowerBound..<max(samples.upperBound, other.samples.upperBound)
        firstPacket = firstPacket ?? other.firstPacket
    }
}

extension Int64 {
    /// The number of whole steps up to this number, also below 0.
    fileprivate func floored(by step: Int64) -> Int64 { self >= 0 ? self / step : -((step - 1 - self) / step) }
}
