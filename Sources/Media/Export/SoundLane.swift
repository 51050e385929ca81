import CLibAV
import CompositionModel
import Timing

/// Places the copied packets of one sound stream on the output's timeline, file behind file, in samples.
///
/// Within a file a packet is where it was. At a join the packets stay in one even flow, because players, and decoders
/// that go by counts, would hear every irregularity add up: the first packet of the next file is the one that is nearest
/// to the end of the flow, so that sound is never off by more than half a packet, however many files are joined.
///
/// ```
/// flow          … | a8 | a9 | b1 | b2 | b3 …         b0, which only primes the decoder, is not needed
/// where b is              | b0 | b1 | b2 | b3 …      off by less than half a packet
/// ```
final class SoundLane {
    /// A file's share of the lane.
    struct Part {
        var clock: SoundClock
        var lengths: SoundPacketLength
        /// The sample of the output at which the file's first audible sample is.
        var offset: Int64
        /// The samples to present, counted from the first audible one.
        var samples: Range<Int64>
        /// The first sample of the first packet, in the first file of the lane; in others the flow decides.
        var start: Int64?
        /// Whether another file follows.
        var isFollowed: Bool
    }

    struct Placed {
        var sample: Int64
        var count: Int64
        /// The samples of the packet that are kept, where it is PCM; nil for coded sound.
        var kept: Range<Int64>?
    }

    private var part: Part
    private var hasBegun = false
    /// Where the flow of the files before ends; nil in the first.
    private var flow: Int64?
    /// By how much the file's packets are moved to stand in the flow.
    private var shift: Int64 = 0
    private(set) var isDone = false

    init(_ part: Part) { self.part = part }

    /// Goes on with the next file.
    func begin(_ part: Part) {
        (self.part, hasBegun, shift, isDone) = (part, false, 0, false)
    }

    /// Bytes of a sample of all channels of PCM; nil for coded sound.
    var bytesPerSample: Int? { part.lengths.bytesPerSample }
    var isLastFile: Bool { !part.isFollowed }

    /// The output's sample at which the sound of this file ends.
    var end: Int64 { part.offset + part.samples.upperBound }

    /// - Returns: where the next packet of the file goes; nil for one that is left out.
    func place(_ packet: Packet) -> Placed? {
        let count = part.lengths.samples(packet)
        let start = part.clock.place(pts: packet.pts, count: count)
        guard !isDone, count > 0 else { return nil }
        let isPCM = part.lengths.bytesPerSample != nil
        return isPCM ? placePCM(start, count) : placeCoded(start, count)
    }

    private func placePCM(_ start: Int64, _ count: Int64) -> Placed? {
        let kept = (start..<start + count).clamped(to: part.samples)
        if start >= part.samples.upperBound { isDone = true }
        guard !kept.isEmpty else { return nil }
        let sample = max(part.offset + kept.lowerBound, flow ?? .min)
        flow = sample + Int64(kept.count)
        return Placed(sample: sample, count: Int64(kept.count), kept: kept.lowerBound - start..<kept.upperBound - start)
    }

    private func placeCoded(_ start: Int64, _ count: Int64) -> Placed? {
        if start >= part.samples.upperBound {
            isDone = true
            return nil
        }
        if let first = part.start, start < first { return nil }
        let wanted = part.offset + start
        if !hasBegun, let flow {
            guard wanted >= flow - count / 2 else { return nil }
            if wanted <= flow + count / 2 { shift = flow - wanted }
        }
        // Sound whose time lies in what is there already is not heard.
        if hasBegun, let flow, wanted + shift + count / 2 < flow { return nil }
        let sample = max(wanted + shift, flow ?? .min)
        if part.isFollowed, sample + count / 2 > end {
            isDone = true
            return nil
        }
        hasBegun = true
        flow = sample + count
        return Placed(sample: sample, count: count, kept: nil)
    }
}
