import CompositionModel
import Timing

/// Chooses the packets of an output's sound that are copied from sources, and how the others are made
/// (docs/copying.md).
///
/// ```
/// output     │ 0   │ 1   │ 2   │ 3   │ …   the first packets decode to `priming` samples before the output's first
/// source  …  │ 7   │ 8   │ 9   │ 10  │ …   copied where both lie on one grid
/// ```
struct SoundCopies {
    /// Consecutive packets of the output that a source has.
    struct Run {
        /// The numbers of the packets in the output.
        var packets: Range<Int64>
        var source: UntouchedSound.Source
        /// The number of the output's packet 0 in the stream, which may lie before its first.
        var origin: Int64
        /// The position in ``parts``.
        var part: Int
    }

    private static let frame = SoundCopyFacts.frameSize
    /// Fewer packets than these are not copied: up to four are made for the joins at both ends.
    private static let shortest: Int64 = 12
    /// The packets written one by one at each side of what is encoded, and the most between two copies.
    private static let bridge: Int64 = 2
    private static let mostBridged: Int64 = 8
    /// The packets of a source between a cut and a copy that the encoder makes. What a packet leaves out of a sudden
    /// sound lies over its whole window, which the encoder divides there and a bridge does not.
    private static let settling: Int64 = 4

    /// The samples of the timeline that the output has.
    let samples: Range<Int64>
    /// The samples that the grid is moved by: the priming is 1024 more.
    private(set) var phase: Int64 = 0
    /// The copied packets, in order of time.
    private(set) var runs: [Run] = []
    private let parts: [UntouchedSound.Part]
    /// The numbers of the packets with which pieces begin.
    private let borders: Set<Int64>
    private let assets: AssetTable

    /// - Parameter borders: The borders of the pieces in samples of the output.
    init(_ composition: Composition, assets: AssetTable, samples: Range<Int64>, borders: [Int64]) {
        self.samples = samples
        self.assets = assets
        self.borders = Set(borders.dropFirst().dropLast().map { $0 / Self.frame })
        parts = UntouchedSound(composition: composition, assets: assets).parts(of: samples)
        let candidates = self.candidates()
        guard let phase = Self.best(candidates) else { return }
        self.phase = phase
        runs = settled(joined(candidates.filter { $0.phase == phase }.map(\.run)))
    }

    /// The samples before the output's first one that its packets decode to.
    var priming: Int64 { Self.frame + phase }
    /// The number of the output's packets.
    var packetCount: Int64 { packetCount(priming) }

    private func packetCount(_ priming: Int64) -> Int64 {
        (priming + Int64(samples.count) + Self.frame - 1) / Self.frame
    }

    // MARK: Candidates

    private func candidates() -> [(phase: Int64, run: Run)] {
        parts.indices.flatMap { index -> [(phase: Int64, run: Run)] in
            guard case .success(let source) = parts[index].content, let stream = stream(source) else { return [] }
            return heard(parts[index], of: source, in: stream).compactMap { stretch in
                let offset = samples.lowerBound + source.shift - stretch.start
                let phase = (offset % Self.frame + Self.frame) % Self.frame
                return run(of: index, source, stream, stretch, phase).map { (phase, $0) }
            }
        }
    }

    /// The stretches of a stream of which a part of the timeline plays samples.
    private func heard(
        _ part: UntouchedSound.Part,
        of source: UntouchedSound.Source,
        in stream: AudioStreamFacts
    ) -> ArraySlice<SoundCopyStretch> {
        let stretches = stream.copy?.stretches ?? []
        let (start, end) = (part.samples.lowerBound + source.shift, part.samples.upperBound + source.shift)
        let first = stretches.partitionPoint { $0.sample(ofPacket: $0.packets.upperBound) > start }
        return stretches[first..<max(first, stretches.partitionPoint { $0.start >= end })]
    }

    private func stream(_ source: UntouchedSound.Source) -> AudioStreamFacts? {
        assets.facts(of: assets.digest(source.asset))?.audio.first { $0.streamIndex == source.stream }
    }

    private func run(
        of part: Int,
        _ source: UntouchedSound.Source,
        _ stream: AudioStreamFacts,
        _ stretch: SoundCopyStretch,
        _ phase: Int64
    ) -> Run? {
        let total = packetCount(Self.frame + phase)
        // The sample of the timeline with which what packet 0 decodes to begins.
        let zero = samples.lowerBound - Self.frame - phase
        let origin = stretch.packets.lowerBound + (zero + source.shift - stretch.start) / Self.frame
        let heard = parts[part].samples.clamped(to: -source.shift..<max(stream.sampleCount, 0) - source.shift)
        guard !heard.isEmpty else { return nil }
        // A packet is copied with both of its neighbours' halves heard; at the output's ends nobody hears them.
        var first = max(
            (heard.lowerBound - zero + Self.frame - 1) / Self.frame,
            stretch.packets.lowerBound + 1 - origin
        )
        if heard.lowerBound <= samples.lowerBound, origin >= stretch.packets.lowerBound { first = 0 }
        var end = min((heard.upperBound - Self.frame - zero) / Self.frame, stretch.packets.upperBound - 1 - origin)
        if heard.upperBound >= samples.upperBound, origin + total <= stretch.packets.upperBound { end = total }
        let run = Run(packets: first..<max(first, end), source: source, origin: origin, part: part)
        return trimmed(run, total)
    }

    /// The run without the packets at its ends that would bring a bridge beside what is encoded over a border of
    /// pieces: the piece whose encoder works there makes all of a bridge. Nil when too few packets are left.
    private func trimmed(_ run: Run, _ total: Int64) -> Run? {
        var (first, end) = (run.packets.lowerBound, run.packets.upperBound)
        while first > 0, first < end, (1...Self.bridge).contains(where: { borders.contains(first - $0) }) { first += 1 }
        while end < total, first < end, (1...Self.bridge).contains(where: { borders.contains(end + $0) }) { end -= 1 }
        guard end - first >= Self.shortest else { return nil }
        return Run(packets: first..<end, source: run.source, origin: run.origin, part: run.part)
    }

    /// The phase at which most packets are copied; among equals the one that is used first.
    private static func best(_ candidates: [(phase: Int64, run: Run)]) -> Int64? {
        var counts: [Int64: Int64] = [:]
        for (phase, run) in candidates { counts[phase, default: 0] += Int64(run.packets.count) }
        let most = counts.values.max()
        return candidates.first { counts[$0.phase] == most }?.phase
    }

    /// Leaves two packets between copies that would leave one: a window with two short slopes is not written.
    private func joined(_ runs: [Run]) -> [Run] {
        runs.reduce(into: []) { joined, run in
            var run: Run? = run
            if let last = joined.last, let next = run, next.packets.lowerBound < last.packets.upperBound + Self.bridge {
                let first = last.packets.upperBound + Self.bridge
                let rest = first..<max(first, next.packets.upperBound)
                run = trimmed(
                    Run(packets: rest, source: next.source, origin: next.origin, part: next.part),
                    packetCount
                )
            }
            if let run { joined.append(run) }
        }
    }

    /// The runs, each without some packets beside what is encoded (``settling``). One that would be too short without
    /// them keeps them: left out, it would cost its neighbours as many.
    private func settled(_ runs: [Run]) -> [Run] { runs.indices.map { settled(runs, at: $0) ?? runs[$0] } }

    private func settled(_ runs: [Run], at index: Int) -> Run? {
        var run = runs[index]
        var (first, end) = (run.packets.lowerBound, run.packets.upperBound)
        let before = index > 0 ? runs[index - 1].packets.upperBound : 0
        let behind = index + 1 < runs.count ? runs[index + 1].packets.lowerBound : packetCount
        if first - before > Self.mostBridged { first += Self.settling }
        if behind - end > Self.mostBridged { end -= Self.settling }
        run.packets = first..<max(first, end)
        return trimmed(run, packetCount)
    }

    // MARK: Packets

    /// How the packets of the piece from sample `start` up to `end` of the output are made.
    /// - Parameter number: Gives the position in the task's assets of one of the composition's.
    func packets(from start: Int64, to end: Int64, number: (Int) -> Int) -> SoundPacketPlan {
        let first = start / Self.frame
        let last = end == Int64(samples.count) ? packetCount : end / Self.frame
        let wanted = max(first - 1, 0)..<min(last + 1, packetCount)
        // What lies before the runs that reach into the piece is passed over.
        let near = runs.partitionPoint { $0.packets.upperBound > wanted.lowerBound }
        var (plan, place): ([SoundPacketRun], Int64) = ([], near > 0 ? runs[near - 1].packets.upperBound : 0)
        func append(_ count: Int64, copy: CopiedSound? = nil, isBridge: Bool = false) {
            let own = (place..<place + count).clamped(to: wanted)
            if !own.isEmpty {
                var copy = copy
                copy?.packet += own.lowerBound - place
                plan.append(SoundPacketRun(count: Int64(own.count), copy: copy, isBridge: isBridge))
            }
            place += count
        }
        func appendMade(upTo end: Int64, isLast: Bool) {
            let (before, behind) = (place > 0 ? Self.bridge : 0, isLast ? 0 : Self.bridge)
            guard end - place > max(Self.mostBridged, before + behind) else {
                return append(end - place, isBridge: true)
            }
            append(before, isBridge: true)
            append(end - place - behind)
            append(behind, isBridge: true)
        }
        for run in runs[near...] {
            guard place < wanted.upperBound else { break }
            appendMade(upTo: run.packets.lowerBound, isLast: false)
            let asset = run.packets.overlaps(wanted) ? number(run.source.asset) : 0
            append(
                Int64(run.packets.count),
                copy: CopiedSound(
                    asset: asset,
                    stream: run.source.stream,
                    packet: run.packets.lowerBound + run.origin
                )
            )
        }
        if place < wanted.upperBound { appendMade(upTo: packetCount, isLast: true) }
        return SoundPacketPlan(priming: Int(priming), count: last - first, start: wanted.lowerBound - first, runs: plan)
    }

    // MARK: Shares

    /// Why samples of the output are encoded, the reason of most samples first.
    func encoded() -> [EncodedSoundShare] {
        var copied: [Int: Int64] = [:]
        for run in runs { copied[run.part, default: 0] += Int64(heard(run).count) }
        var counts: [SoundEncodingReason: Int64] = [:]
        for (index, part) in parts.enumerated() {
            let rest = Int64(part.samples.count) - (copied[index] ?? 0)
            if rest > 0 { counts[reason(index, isCopied: copied[index] != nil), default: 0] += rest }
        }
        return counts.map { EncodedSoundShare(reason: $0.key, samples: $0.value) }.sorted {
            ($1.samples, $0.reason.rawValue) < ($0.samples, $1.reason.rawValue)
        }
    }

    /// The samples of the output to which the packets of a run decode.
    private func heard(_ run: Run) -> Range<Int64> {
        let zero = samples.lowerBound - priming
        let (first, end) = (run.packets.lowerBound * Self.frame, run.packets.upperBound * Self.frame)
        return (zero + first..<zero + end).clamped(to: samples)
    }

    private func reason(_ part: Int, isCopied: Bool) -> SoundEncodingReason {
        switch parts[part].content {
        case .failure(let touch): return touch.reason
        case .success(let source):
            guard !isCopied, let stream = stream(source), let copy = stream.copy else { return .border }
            let near = heard(parts[part], of: source, in: stream)
            guard !near.isEmpty else { return .source(copy.obstacles.first ?? .elements) }
            let isElsewhere = near.allSatisfy {
                (samples.lowerBound + source.shift - $0.start - phase) % Self.frame != 0
            }
            return isElsewhere ? .grid : .border
        }
    }
}
