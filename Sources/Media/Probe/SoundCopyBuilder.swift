import Bitstream
import CLibAV
import CompositionModel
import Timing

/// Finds which packets of an AAC stream can be copied, while they go by in the order of the file.
struct SoundCopyBuilder {
    private let facts: StreamFacts
    private let sampleRate: Int
    private let channels: Int
    /// Nil where no packet can be copied.
    private let check: AACPacketCheck?
    private let hasExactTicks: Bool
    private var clock: SoundClock
    private var found = SoundCopyFacts()
    private var count: Int64 = 0
    /// What keeps the whole stream from being copied.
    private var refusal: SoundCopyRefusal?

    /// - Parameter origin: pts of the first audible sample.
    /// - Returns: nil for other codecs than AAC.
    init?(_ facts: StreamFacts, timeBase: RationalTime, sampleRate: Int, channels: Int, origin: Int64) {
        guard facts.codec == "aac" else { return nil }
        self.facts = facts
        self.sampleRate = sampleRate
        self.channels = channels
        clock = SoundClock(timeBase: timeBase, sampleRate: sampleRate, origin: origin)
        hasExactTicks = Int128(timeBase.numerator) * Int128(sampleRate) == Int128(timeBase.denominator)
        do {
            check = try AACPacketCheck(sampleRate: sampleRate, channels: channels, hasHeader: facts.extradata.isEmpty)
        } catch {
            (check, refusal) = (nil, error.reason)
        }
        if refusal == nil, !facts.extradata.isEmpty {
            refusal = refusal(of: try? AACConfiguration(Array(facts.extradata)[...]))
        }
    }

    private func refusal(of configuration: AACConfiguration?) -> SoundCopyRefusal? {
        guard let configuration, configuration.objectType == 2, !configuration.hasBandReplication else {
            return .profile
        }
        if configuration.isShortFrame { return .packetLength }
        // A decoder that finds spectral band replication gives another rate.
        if configuration.sampleRate != sampleRate { return .profile }
        return configuration.channelConfiguration == channels ? nil : .elements
    }

    /// The next packet of the stream.
    mutating func add(_ packet: Packet) {
        defer { count += 1 }
        guard refusal == nil else { return }
        let skipped = Self.hidden(packet)
        let wanted = hasExactTicks ? packet.pts.map(clock.sample) : count == 0 && skipped > 0 ? -skipped : nil
        let start: Int64
        if hasExactTicks || count == 0 {
            start = clock.place(at: wanted ?? packet.pts.map(clock.sample), count: SoundCopyFacts.frameSize, lost: 0)
        } else {
            start = clock.place(pts: packet.pts, count: SoundCopyFacts.frameSize)
        }
        if let reason = reason(packet) { return note(reason) }
        guard let last = found.stretches.last, last.packets.upperBound == count,
            last.sample(ofPacket: count) == start
        else {
            found.stretches.append(SoundCopyStretch(packets: count..<count + 1, start: start))
            return
        }
        found.stretches[found.stretches.count - 1].packets = last.packets.lowerBound..<count + 1
    }

    /// Why the packet cannot be copied; nil when it can.
    private func reason(_ packet: Packet) -> SoundCopyRefusal? {
        if packet.sideData(AV_PKT_DATA_NEW_EXTRADATA) != nil { return .header }
        return check.map { $0.refusal(of: packet) } ?? .elements
    }

    private mutating func note(_ reason: SoundCopyRefusal) {
        if !found.obstacles.contains(reason) { found.obstacles.append(reason) }
    }

    /// AV_PKT_DATA_SKIP_SAMPLES: the samples that are dropped at the packet's start.
    private static func hidden(_ packet: Packet) -> Int64 {
        guard let data = packet.sideData(AV_PKT_DATA_SKIP_SAMPLES), data.count >= 4 else { return 0 }
        return data[0..<4].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The facts of the whole stream.
    /// - Parameters:
    ///   - stream: what else is known of it.
    ///   - frameSize: the samples to which its first packets decode.
    ///   - hidesMiddle: whether sound in the middle is not heard.
    func facts(of stream: AudioStreamFacts, frameSize: Int64, hidesMiddle: Bool) -> SoundCopyFacts {
        func refused(_ reason: SoundCopyRefusal) -> SoundCopyFacts { SoundCopyFacts(obstacles: [reason]) }
        if let refusal { return refused(refusal) }
        if frameSize != SoundCopyFacts.frameSize { return refused(.packetLength) }
        if hidesMiddle { return refused(.hidden) }
        if stream.timeJitter != nil { return refused(.times) }
        if let flaws = stream.flaws, flaws.isTorn != nil || flaws.displaced != nil || flaws.unheard != nil {
            return refused(.damaged)
        }
        return found
    }
}
