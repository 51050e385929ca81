import Bitstream
import Timing

/// Gives parameter sets of HEVC of one content one id.
struct HEVCNumbering {
    private var vps: [HEVCVPS: Int] = [:]
    private var sps: [HEVCSPS: Int] = [:]
    private var pps: [HEVCPPS: Int] = [:]

    /// - Returns: the new id of each PPS.
    /// - Throws: when a set is missing, or there are more than there are ids.
    mutating func add(_ sets: HEVCParameterSets) throws(BitstreamError) -> [Int: Int] {
        var ids: [Int: Int] = [:]
        for (id, picture) in sets.pps.sorted(by: { $0.key < $1.key }) {
            let sequence = try sets.active(pps: id).sps
            guard var video = sets.vps[sequence.vpsID] else {
                throw BitstreamError(.missing(id: sequence.vpsID), element: "sps_video_parameter_set_id", bit: 0)
            }
            video.id = 0
            var content = sequence
            (content.id, content.vpsID) = (0, try Self.number(of: video, sequence.vpsID, &vps, below: 16))
            var rest = picture
            (rest.id, rest.spsID) = (0, try Self.number(of: content, sequence.id, &sps, below: 16))
            ids[id] = try Self.number(of: rest, id, &pps, below: 64)
        }
        return ids
    }

    private static func number<Content: Hashable>(
        of content: Content,
        _ preferred: Int,
        _ known: inout [Content: Int],
        below end: Int
    ) throws(BitstreamError) -> Int {
        if let id = known[content] { return id }
        let taken = Set(known.values)
        guard let id = taken.contains(preferred) ? (0..<end).first(where: { !taken.contains($0) }) : preferred else {
            throw BitstreamError(.unsupported("more parameter sets than \(end)"), element: "parameter_set_id", bit: 0)
        }
        known[content] = id
        return id
    }

    /// All parameter sets under their ids, with what players size their buffers by raised to the largest.
    func harmonised(_ signalled: TrackSignalling) throws(BitstreamError) -> HEVCParameterSets {
        let largest = largest(signalled)
        var sets = HEVCParameterSets()
        for (content, id) in vps {
            var video = content
            video.id = id
            video.hrds = []
            video.timing = signalled.timing
            largest.raise(&video.profileTierLevel, &video.buffering)
            sets.add(video)
        }
        for (content, id) in sps {
            var sequence = content
            sequence.id = id
            largest.raise(&sequence.profileTierLevel, &sequence.buffering)
            sequence.signal(signalled)
            sets.add(sequence)
        }
        for (content, id) in pps {
            var picture = content
            picture.id = id
            sets.add(picture)
        }
        return sets
    }

    private func largest(_ signalled: TrackSignalling) -> Largest {
        let buffers = sps.keys.map(\.highestBuffering)
        let reordered = min(max(buffers.map(\.reordered).max() ?? 0, signalled.reorderDelay), 15)
        let pictures = min(max(buffers.map(\.pictures).max() ?? 1, reordered + 1), 16)
        let isHighTier = sps.keys.contains { $0.profileTierLevel.profile.isHighTier }
        let highest = HEVCLevel.all.last?.idc ?? 0
        let least = sps.keys.map { sequence in
            HEVCLevel.smallest(
                holding: HEVCLevel.Demand(
                    width: sequence.width,
                    height: sequence.height,
                    picturesPerSecond: signalled.framesPerSecond,
                    buffering: pictures,
                    // The limits are those of Main and Main 10; other profiles may use more bits (table A.10).
                    bitRate: sequence.profileTierLevel.profile.idc <= 2 ? signalled.bitRate : 0,
                    isHighTier: isHighTier
                )
            )?.idc ?? highest
        }
        let levels = sps.keys.map(\.profileTierLevel.level) + least
        return Largest(
            buffering: HEVCBuffering(pictures: pictures, reordered: reordered),
            level: levels.max() ?? 0,
            isHighTier: isHighTier
        )
    }
}

/// What the parts of a movie ask of a decoder at the most.
private struct Largest {
    let buffering: HEVCBuffering
    /// general_level_idc.
    let level: Int
    let isHighTier: Bool

    /// Raises what a VPS or an SPS says of the highest sub-layer, which is that of the whole stream.
    func raise(_ profile: inout HEVCProfileTierLevel, _ layers: inout [HEVCBuffering]) {
        profile.level = level
        profile.profile.isHighTier = isHighTier
        if !layers.isEmpty { layers[layers.count - 1] = buffering }
    }
}

extension TrackSignalling {
    /// The tick: a picture at constant rate lasts one.
    fileprivate var timing: HEVCTiming? {
        guard let units = Int(exactly: frameRate.denominator), let scale = Int(exactly: frameRate.numerator),
            units < 1 << 32, scale < 1 << 32
        else { return nil }
        return HEVCTiming(unitsInTick: units, timeScale: scale)
    }
}

extension HEVCSPS {
    /// Says the output's rate, colour and pixel aspect, and nothing of a buffer.
    fileprivate mutating func signal(_ signalled: TrackSignalling) {
        var usability = vui ?? HEVCVUI()
        usability.hrd = nil
        usability.timing = signalled.timing
        usability.aspectRatio = signalled.aspectRatio
        var signal = signalled.videoSignal
        signal.format = usability.signal?.format ?? signal.format
        usability.signal = signal
        vui = usability
    }
}
