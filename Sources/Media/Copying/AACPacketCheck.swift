import Bitstream
import CompositionModel

extension BitstreamError {
    /// Whether it says that a packet can be read, and holds other elements of sound than were asked for.
    fileprivate var isOfOtherElements: Bool { ["id_syn_ele", "element_instance_tag"].contains(element) }
}

/// Tells whether a packet of an AAC stream can be copied.
struct AACPacketCheck {
    private let sampleRate: Int
    private let channels: Int
    private let hasHeader: Bool
    private let elements: AACChannelConfiguration
    private let bands: AACBands

    /// - Parameter hasHeader: whether the stream has no AudioSpecificConfig, so that each packet has a header.
    /// - Throws: ``Refusal`` where no packet of such a stream can be copied.
    init(sampleRate: Int, channels: Int, hasHeader: Bool) throws(Refusal) {
        guard let elements = AACChannelConfiguration(channels: channels) else { throw Refusal(reason: .channels) }
        guard let bands = AACBands(sampleRate: sampleRate) else { throw Refusal(reason: .rate) }
        (self.sampleRate, self.channels, self.hasHeader) = (sampleRate, channels, hasHeader)
        (self.elements, self.bands) = (elements, bands)
    }

    struct Refusal: Error {
        let reason: SoundCopyRefusal
    }

    /// Why the packet cannot be copied; nil when it can. One that can be copied can be joined, as its windows can be read.
    func refusal(of packet: Packet) -> SoundCopyRefusal? {
        if packet.isCorrupt { return .damaged }
        guard let payload = AACPayload(packet.bytes, hasHeader: hasHeader) else { return .header }
        if let header = payload.header {
            if header.objectType != 2 || header.sampleRate != sampleRate { return .profile }
            if header.channelConfiguration != channels { return .elements }
        }
        do {
            try AACPacketReader.check(payload.bytes, elements, bands)
            return nil
        } catch {
            if case .unsupported = error.reason { return .elements }
            // Other elements than the stream's own are damage where the packet's header promises these.
            return error.isOfOtherElements && payload.header == nil ? .elements : .damaged
        }
    }
}
