import CLibAV
import Timing

/// Counts the audible samples of one sound stream from its packets, where the container and codec allow it exactly.
struct SoundTrackCounter {
    let facts: StreamFacts
    let sampleRate: Int
    private var clock: SoundClock
    /// Ticks are samples. Coarser ones (Matroska: milliseconds) round the durations of packets.
    private let hasExactTicks: Bool
    private(set) var isExact = true
    private var hasHiddenSamples = false
    private var packetCount = 0
    /// Samples of the longest packet so far.
    private(set) var longest: Int64 = 0
    /// Samples of the shortest packet but the last one, which may end early.
    private(set) var shortest: Int64 = .max
    private var last: Int64 = .max
    private var jitter: TimeJitter
    /// Something in the middle is hidden, which only a decoder from the start knows to leave out.
    private(set) var hidesMiddle = false
    private var hasHeard = false
    private var hasHiddenSinceHeard = false

    /// - Parameter origin: pts of the first audible sample.
    init(_ facts: StreamFacts, timeBase: RationalTime, sampleRate: Int, origin: Int64) {
        self.facts = facts
        self.sampleRate = sampleRate
        clock = SoundClock(timeBase: timeBase, sampleRate: sampleRate, origin: origin)
        jitter = TimeJitter(sampleRate: sampleRate, tolerance: clock.tolerance, rounding: clock.rounding)
        hasExactTicks = Int128(timeBase.numerator) * Int128(sampleRate) == Int128(timeBase.denominator)
    }

    /// The next packet in the file.
    /// - Returns: where its sound begins; nil when it is hidden, or not known.
    @discardableResult
    mutating func add(_ packet: Packet) -> Int64? {
        let (skipped, padded) = hiddenSamples(packet)
        noteHidden(packet, skipped)
        guard isExact else { return nil }
        packetCount += 1
        hasHiddenSamples = hasHiddenSamples || skipped > 0 || padded > 0
        guard !packet.isDiscarded else { return nil }
        guard let count = samples(packet) else {
            isExact = false
            return nil
        }
        (shortest, last) = (min(shortest, last), count)
        // Ogg's last duration is without the padding already, MP3's is with it.
        let isTrimmed = count + padded <= longest
        longest = max(longest, count)
        jitter.add(packet.pts.map(clock.sample), count: count, lost: 0)
        return clock.place(pts: packet.pts, count: isTrimmed ? count : max(0, count - padded))
    }

    private mutating func noteHidden(_ packet: Packet, _ skipped: Int64) {
        if packet.isDiscarded {
            hasHiddenSinceHeard = hasHeard
        } else {
            hidesMiddle = hidesMiddle || hasHiddenSinceHeard || hasHeard && skipped > 0
            hasHeard = true
        }
    }

    /// See ``SoundClock/unheard``.
    var unheard: Int64? { clock.unheard }

    /// Samples from the first audible one to the end; nil when only decoding can tell, as where the times have jitter.
    func count() -> Int64? {
        guard jitter.jitter == 0 else { return nil }
        // Of a single packet nothing says whether its duration is with the padding.
        guard isExact, !hasHiddenSamples || (hasExactTicks && packetCount > 1) else { return nil }
        return clock.position
    }

    /// AV_PKT_DATA_SKIP_SAMPLES: samples to drop at the packet's start and end, little endian.
    private func hiddenSamples(_ packet: Packet) -> (start: Int64, end: Int64) {
        guard let data = packet.sideData(AV_PKT_DATA_SKIP_SAMPLES), data.count >= 8 else { return (0, 0) }
        func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reversed().reduce(0) { $0 << 8 | Int64($1) } }
        return (number(data[0..<4]), number(data[4..<8]))
    }

    /// More samples than a packet of any compressed codec holds (FLAC: 65,535; Monkey's Audio: 73,728 times 4 at most).
    private static let mostOfPacket: Int64 = 1 << 19

    /// Windows Media Audio: libavcodec divides bytes by the bit rate, and the last frame comes out behind the last packet.
    private var isGuessed: Bool { facts.codec.hasPrefix("wma") }

    /// The samples of a packet by its duration, or by its codec; nil when neither says it. No duration is believed that
    /// no packet can have: libavformat's for the last packet of an Ogg wraps where the page ends before it.
    private func samples(_ packet: Packet) -> Int64? {
        guard !isGuessed else { return nil }
        let byCodec = Int64(av_get_audio_frame_duration2(facts.parameters, packet.raw.pointee.size))
        guard hasExactTicks else { return byCodec > 0 ? byCodec : nil }
        let duration = packet.raw.pointee.duration
        guard duration > 0 else { return nil }
        let count = clock.sample(at: clock.origin + duration)
        return count <= Self.mostOfPacket || count == byCodec ? count : nil
    }
}
