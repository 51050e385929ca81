import CLibAV
import Shared

/// Counts the audible samples of one sound stream from its packets, where the container and codec allow it exactly.
struct SoundTrackCounter {
    let facts: StreamFacts
    let sampleRate: Int
    private var clock: SoundClock
    /// Ticks are samples. Coarser ones (Matroska: milliseconds) round the durations of packets.
    private let hasExactTicks: Bool
    private(set) var isExact = true
    private var hasHiddenSamples = false
    /// Samples of the longest packet so far.
    private var longest: Int64 = 0
    private var packetCount = 0

    /// - Parameter origin: pts of the first audible sample.
    init(_ facts: StreamFacts, timeBase: RationalTime, sampleRate: Int, origin: Int64) {
        self.facts = facts
        self.sampleRate = sampleRate
        clock = SoundClock(timeBase: timeBase, sampleRate: sampleRate, origin: origin)
        hasExactTicks = Int128(timeBase.numerator) * Int128(sampleRate) == Int128(timeBase.denominator)
    }

    /// The next packet in the file.
    mutating func add(_ packet: Packet) {
        guard isExact else { return }
        packetCount += 1
        let (skipped, padded) = hiddenSamples(packet)
        hasHiddenSamples = hasHiddenSamples || skipped > 0 || padded > 0
        guard !packet.isDiscarded else { return }
        guard let count = samples(packet) else {
            isExact = false
            return
        }
        // Ogg's last duration is without the padding already, MP3's is with it.
        let isTrimmed = count + padded <= longest
        longest = max(longest, count)
        _ = clock.place(pts: packet.pts, count: isTrimmed ? count : max(0, count - padded))
    }

    /// Samples from the first audible one to the end; nil when only decoding can tell.
    func count() -> Int64? {
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

    private func samples(_ packet: Packet) -> Int64? {
        if hasExactTicks {
            let duration = packet.raw.pointee.duration
            return duration > 0 ? clock.sample(at: clock.origin + duration) : nil
        }
        let count = av_get_audio_frame_duration2(facts.parameters, packet.raw.pointee.size)
        return count > 0 ? Int64(count) : nil
    }
}
