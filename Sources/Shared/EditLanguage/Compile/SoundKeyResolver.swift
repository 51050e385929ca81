import CompositionModel
import Timing

/// Turns the keys of volume, pan and balance, which count seconds from the start of their item, into samples.
struct SoundKeyResolver {
    let rate: FrameRate
    let sampleRate: Int
    /// The number of channels of the edit.
    let channels: Int
    let log: FindingLog

    /// The sample at `position`, counted in `unit`s of seconds.
    func sample(_ position: Int64, _ unit: RationalTime) throws(TimeError) -> Int64 {
        try sample(RationalTime(position, of: unit))
    }

    /// The sample nearest to an absolute time.
    func sample(_ time: RationalTime) throws(TimeError) -> Int64 {
        try time.count(of: RationalTime(1, Int64(sampleRate))).value
    }

    /// The keys of a volume in samples.
    /// - Parameter start: the item's start on the timeline, from which its keys count.
    func keys(_ volume: EditVolume?, from start: RationalTime) throws(TimeError) -> [VolumeKey] {
        switch volume?.value {
        case nil: return []
        case .level(let level): return [VolumeKey(at: 0, millionths: level.millionths, unit: level.unit)]
        case .keys(let written):
            let first = try sample(start)
            var keys: [VolumeKey] = []
            for key in written {
                if let key = try volumeKey(key, from: start, first: first) { keys.append(key) }
            }
            checkOrder(keys, written)
            return keys
        }
    }

    private func volumeKey(
        _ key: EditVolumeKey,
        from start: RationalTime,
        first: Int64
    ) throws(TimeError) -> VolumeKey? {
        guard let at = grid.seconds(key.at) else { return nil }
        return VolumeKey(
            at: try sample(start.adding(at)) - first,
            millionths: key.level.value.millionths,
            unit: key.level.value.unit,
            holds: key.ease?.value == .hold,
            ease: [nil, .hold, .linear].contains(key.ease?.value) ? nil : key.ease?.value
        )
    }

    /// The keys of a pan or a balance in samples; nil when it changes nothing, and after a finding.
    func positions(_ written: EditProperty?, from start: RationalTime) throws(TimeError) -> [SoundKey]? {
        guard let written else { return nil }
        guard channels == 2 else {
            let edit = "this edit has \(Count.of(channels, "channel"))"
            log.error(written.mark, .channels, "pan and balance are for two channels; \(edit)")
            return nil
        }
        let first = try sample(start)
        var keys: [SoundKey] = []
        for key in written.keys {
            guard let at = key.at.map(grid.seconds) ?? .zero, let value = key.value.first else { return nil }
            let ease = key.ease?.value == .linear ? nil : key.ease?.value
            let place = key.at == nil ? 0 : try sample(start.adding(at)) - first
            if let last = keys.last, last.at > place {
                let mark = key.at?.mark ?? key.mark
                log.error(mark, .volumeOrder, "this key is before the one above it; write keys in order")
            }
            keys.append(SoundKey(at: place, millionths: value.millionths, ease: ease))
        }
        return keys.allSatisfy { $0.millionths == 0 } ? nil : keys
    }

    private func checkOrder(_ keys: [VolumeKey], _ written: [EditVolumeKey]) {
        guard keys.count == written.count else { return }
        for index in keys.indices.dropFirst() where keys[index].at < keys[index - 1].at {
            log.error(
                written[index].at.mark,
                .volumeOrder,
                "this key is before the one above it; write keys in order"
            )
        }
    }

    private var grid: TrackGrid { TrackGrid(kind: .audio, rate: rate, sampleRate: sampleRate, log: log) }
}
