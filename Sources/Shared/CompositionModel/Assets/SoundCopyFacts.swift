/// What is known of the packets of a sound stream for copying them into an output (docs/copying.md).
///
/// ```
/// packets    │  0  │  1  │  2  │  3  │ …       each decodes to 1024 samples, together with the one before it
/// samples          0 ─────────────────▶         the first audible one lies anywhere in a packet
/// ```
package struct SoundCopyFacts: Sendable, Hashable, Codable {
    /// The samples to which a packet decodes.
    package static let frameSize: Int64 = 1024

    /// The packets that can be copied, in ascending stretches that share none.
    package var stretches: [SoundCopyStretch]
    /// Why the packets outside the stretches cannot be copied, each reason once, in order of first occurrence.
    package var obstacles: [SoundCopyRefusal]

    package init(stretches: [SoundCopyStretch] = [], obstacles: [SoundCopyRefusal] = []) {
        (self.stretches, self.obstacles) = (stretches, obstacles)
    }
}

/// Packets that follow each other without a hole.
package struct SoundCopyStretch: Sendable, Hashable, Codable {
    /// The numbers of the packets, counted from the first of the stream in the file.
    package var packets: Range<Int64>
    /// The sample of the stream with which what the stretch's first packet decodes to begins; below 0 in priming.
    package var start: Int64

    package init(packets: Range<Int64>, start: Int64) { (self.packets, self.start) = (packets, start) }

    /// The sample with which what packet `number` decodes to begins.
    package func sample(ofPacket number: Int64) -> Int64 {
        start + (number - packets.lowerBound) * SoundCopyFacts.frameSize
    }
}

/// Why coded sound is not copied.
package enum SoundCopyRefusal: String, Sendable, Hashable, Codable, CaseIterable {
    case codec, profile, rate, channels, packetLength, header, elements, hidden, times, damaged, joined

    /// The reason as the end of a sentence that begins "… of sound are encoded: ".
    package var words: String {
        switch self {
        case .codec: "the source's codec is not the output's"
        case .profile: "the source is no plain AAC LC"
        case .rate: "AAC of this sample rate is not joined"
        case .channels: "the source has more than six channels"
        case .packetLength: "the source's packets do not hold 1024 samples"
        case .header: "the source's packets have headers that differ, or hold several blocks"
        case .elements: "the source's packets cannot be read, or hold other elements than the output's"
        case .hidden: "the source's edit list hides sound in the middle"
        case .times: "the times of the source's packets waver"
        case .damaged: "the source is damaged"
        case .joined: "the source consists of several files, one behind the other"
        }
    }
}
