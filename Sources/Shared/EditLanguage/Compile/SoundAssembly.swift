import Timing
import CompositionModel

/// Writes the tracks of sound: the segments of sound tracks, and the sound of segments of picture with the same cuts
/// and transitions. Every position is one rounding of an absolute time.
struct SoundAssembly {
    let rate: FrameRate
    let sampleRate: Int
    /// Of the edit.
    let channels: Int
    let log: FindingLog
    /// Position of an asset in the composition.
    let position: (String) -> Int
    /// Whether an asset is an edit.
    let isNested: (String) -> Bool

    /// The tracks `<id>.a.sound` and `<id>.b.sound` of a track of picture, as far as anything is heard on them.
    func sound(ofPicture placed: PlacedTrack) throws(TimeError) -> [AudioTrack] {
        var tracks: [AudioTrack] = []
        guard placed.track.mute?.value != true else { return [] }
        let sides = PictureAssembly.sides(of: placed)
        let volume = try trackVolume(placed)
        for side in 0...1 {
            var segments: [AudioTrackSegment] = []
            for (segment, own) in zip(placed.segments, sides) where own == side && isHeard(segment, on: placed.track) {
                if let sound = try segmentSound(segment, unit: rate.frameDuration) { segments.append(sound) }
            }
            guard !segments.isEmpty else { continue }
            let name = PictureAssembly.name(placed.id, side) + ".sound"
            tracks.append(try track(name, segments, volume, of: placed))
        }
        return tracks
    }

    /// One track: its segments overlap only where they are faded into each other. None when nothing is on it.
    func sound(ofTrack placed: PlacedTrack) throws(TimeError) -> [AudioTrack] {
        let unit = try RationalTime(1, Int64(sampleRate))
        var segments: [AudioTrackSegment] = []
        for segment in placed.segments {
            if let sound = try segmentSound(segment, unit: unit) { segments.append(sound) }
        }
        let volume = try trackVolume(placed)
        guard !segments.isEmpty, placed.track.mute?.value != true else { return [] }
        return [try track(placed.id, segments, volume, of: placed)]
    }

    /// Whom it is ducked under is found when all tracks are known (``Duck/under``).
    private func track(
        _ id: String,
        _ segments: [AudioTrackSegment],
        _ volume: [VolumeKey],
        of placed: PlacedTrack
    ) throws(TimeError) -> AudioTrack {
        let sounds = placed.track.sounds
        return AudioTrack(
            id: id,
            segments: segments,
            volume: volume,
            pan: try positions(sounds.pan, from: .zero),
            balance: try positions(sounds.balance, from: .zero),
            processors: sounds.processors.isEmpty ? nil : sounds.processors,
            duck: placed.track.duck?.duck
        )
    }

    private func isHeard(_ segment: PlacedSegment, on track: EditTrack) -> Bool {
        segment.segment.sound?.value ?? track.sound?.value ?? true
    }

    /// - Returns: nil when the segment has no sound, or is shorter than a sample.
    private func segmentSound(_ placed: PlacedSegment, unit: RationalTime) throws(TimeError) -> AudioTrackSegment? {
        let isHeld = placed.speed == .zero
        guard let stream = placed.streams.audio, !isHeld || placed.segment.holdsSound else {
            silent(placed)
            return nil
        }
        let isRetimed = placed.speed.unlessOne != nil || placed.way != nil
        let speed = isHeld ? RationalTime(whole: 1) : placed.speed
        guard try canRun(stream, at: speed, placed), isMapped(stream, placed) else { return nil }
        let start = try sample(placed.start, unit)
        let count = try sample(placed.end, unit) - start
        guard count > 0 else { return nil }
        let source = try firstHeard(of: placed, unit: unit).subtracting(stream.start)
        let first = try source.count(of: RationalTime(1, Int64(stream.sampleRate))).value
        let curve = try placed.way.map { way throws(TimeError) in
            try self.curve(along: way, from: source, first: first, of: stream, placed, at: (start, unit))
        }
        if let curve, try !canRun(stream, along: curve, count: count, placed) { return nil }
        let (sounds, begin) = (placed.segment.sounds, try RationalTime(placed.start, of: unit))
        return AudioTrackSegment(
            start: start,
            count: count,
            asset: position(placed.asset),
            stream: stream.streamIndex,
            sourceStart: isHeld ? held(first, of: stream) : first,
            volume: try keys(placed.segment.volume, from: begin),
            fadeIn: try crossfade(placed.fadeIn, unit),
            fadeOut: try crossfade(placed.fadeOut, unit),
            speed: placed.speed.unlessOne,
            curve: curve,
            isNested: isNested(placed.asset) ? true : nil,
            keepsPitch: isHeld || (placed.segment.pitch?.value == .keep && isRetimed) ? true : nil,
            loop: placed.loop,
            pan: try positions(sounds.pan, from: begin),
            balance: try positions(sounds.balance, from: begin),
            processors: sounds.processors.isEmpty ? nil : sounds.processors,
            channels: placed.segment.channels?.value
        )
    }

    /// The middle of what a held sound is made of: so far inside that a twentieth of a second lies on both sides.
    private func held(_ sample: Int64, of stream: AudioStreamFacts) -> Int64 {
        let reach = min(Int64(stream.sampleRate) / 20 + 1, stream.sampleCount / 2)
        return max(reach, min(sample, stream.sampleCount - reach))
    }

    /// Whether the source's channels can be those of the edit; a finding says when not.
    private func isMapped(_ stream: AudioStreamFacts, _ placed: PlacedSegment) -> Bool {
        let has = "asset \"\(placed.asset)\" has \(Count.of(stream.channels, "channel"))"
        guard let map = placed.segment.channels else {
            if ChannelLayout(description: stream.channelLayout, count: stream.channels) != nil { return true }
            let message = "\(has) for loudspeakers that are not known; say what is heard of them"
            log.error(placed.segment.mark, "channels", message, suggestion: "\"channels\": [0, 1]")
            return false
        }
        if map.value.count != channels {
            let edit = "the edit has \(Count.of(channels, "channel"))"
            log.error(map.mark, "channels", "\"channels\" says what \(map.value.count) get, but \(edit)")
            return false
        }
        guard let most = map.value.map(\.count).max(), most > stream.channels else { return true }
        log.error(map.mark, "channels", "\"channels\" names channel \(most - 1), counted from 0, but \(has)")
        return false
    }

    /// Source time of the first sample. Backwards a frame's sound begins with the last sample that belongs to it.
    private func firstHeard(of placed: PlacedSegment, unit: RationalTime) throws(TimeError) -> RationalTime {
        guard placed.speed.isNegative else { return placed.sourceStart }
        let way = try unit.subtracting(RationalTime(1, Int64(sampleRate))).multiplied(by: placed.speed.magnitude())
        return try placed.sourceStart.adding(way)
    }

    /// Whether the sound can be brought to the edit's rate at that speed; a finding says when not.
    private func canRun(
        _ stream: AudioStreamFacts,
        at speed: RationalTime,
        _ placed: PlacedSegment
    ) throws(TimeError) -> Bool {
        let rate = try RationalTime(whole: Int64(stream.sampleRate)).multiplied(by: speed.magnitude())
        let ratio = try rate.divided(by: RationalTime(whole: Int64(sampleRate)))
        let most = RationalTime(whole: Limits.soundRatio)
        let least = try RationalTime(whole: 1).divided(by: most)
        let isRate = Limits.sourceRates.contains(stream.sampleRate)
        if isRate, (least...most).contains(ratio) { return true }
        guard isRate, speed != RationalTime(whole: 1) else {
            let (first, last) = ((sampleRate - 1) / Int(Limits.soundRatio) + 1, Limits.sourceRates.upperBound)
            let bounds = "convert it to a rate from \(first) to \(min(last, sampleRate * Int(Limits.soundRatio))) Hz"
            let message = "sound of \(stream.sampleRate) Hz cannot be brought to \(sampleRate) Hz; \(bounds)"
            log.error(placed.segment.asset.mark, "sample-rate", message)
            return false
        }
        let message = "sound of \(stream.sampleRate) Hz at speed \(speed) cannot be brought to \(sampleRate) Hz"
        log.error(placed.segment.mark, "speed", message, suggestion: "\"sound\": false")
        return false
    }

    /// The way of a changing speed in samples of the edit and of the source: so that at each time of a knot, also
    /// between two samples, the source is where the picture shows it.
    /// - Parameters:
    ///   - source: from the stream's start, where the segment begins.
    ///   - first: the source's sample there, from which ways count.
    ///   - place: the first sample on the timeline, and the unit of the segment's places.
    private func curve(
        along way: SpeedWay,
        from source: RationalTime,
        first: Int64,
        of stream: AudioStreamFacts,
        _ placed: PlacedSegment,
        at place: (sample: Int64, unit: RationalTime)
    ) throws(TimeError) -> SoundCurve {
        let millionth = Int64(SoundCurve.unit)
        let target = try RationalTime(1, Int64(sampleRate) * millionth)
        let own = try RationalTime(1, Int64(stream.sampleRate) * millionth)
        let begin = try RationalTime(placed.start, of: place.unit)
        let start = try source.count(of: own).value - first * millionth
        var curve = SoundCurve(samples: [], ways: [], speeds: [], holds: placed.segment.holdsSound ? true : nil)
        let share = rate.frameDuration.approximateSeconds * Double(stream.sampleRate)
        for knot in way.knots {
            curve.samples.append(try begin.adding(knot.at).count(of: target).value - place.sample * millionth)
            let whole = try RationalTime(knot.whole, RetimeCurve.unit).multiplied(by: rate.frameDuration)
            curve.ways.append(try start + whole.count(of: own).value + Int64((knot.rest * share).rounded()))
            curve.speeds.append(knot.speed)
        }
        return curve
    }

    /// Whether the sound is nowhere too fast; a finding says when it is.
    private func canRun(
        _ stream: AudioStreamFacts,
        along curve: SoundCurve,
        count: Int64,
        _ placed: PlacedSegment
    ) throws(TimeError) -> Bool {
        let path = SoundPath(curve, sourceRate: stream.sampleRate, sampleRate: sampleRate)
        if path.bounds(of: 0..<count).steepest <= Double(Limits.soundRatio) { return true }
        let message = "sound of \(stream.sampleRate) Hz at this speed cannot be brought to \(sampleRate) Hz"
        log.error(placed.segment.speed?.mark ?? placed.segment.mark, "speed", message, suggestion: "\"sound\": false")
        return false
    }

    /// Sound that was asked for by name and is not there is worth a word.
    private func silent(_ placed: PlacedSegment) {
        guard let sound = placed.segment.sound, sound.value else { return }
        log.add(sound.mark.finding(.warning, rule: "no-sound", "asset \"\(placed.asset)\" has no sound to be heard"))
    }

    private func sample(_ position: Int64, _ unit: RationalTime) throws(TimeError) -> Int64 {
        try sample(RationalTime(position, of: unit))
    }

    private func sample(_ time: RationalTime) throws(TimeError) -> Int64 {
        try time.count(of: RationalTime(1, Int64(sampleRate))).value
    }

    private func crossfade(_ transition: PlacedTransition?, _ unit: RationalTime) throws(TimeError) -> Crossfade? {
        guard let transition else { return nil }
        let count = try sample(transition.end, unit) - sample(transition.start, unit)
        return count > 0 ? Crossfade(shape: transition.shape, count: count) : nil
    }

    private func trackVolume(_ placed: PlacedTrack) throws(TimeError) -> [VolumeKey] {
        try keys(placed.track.volume, from: .zero)
    }

    /// - Parameter start: the item's on the timeline, from which its keys count.
    private func keys(_ volume: EditVolume?, from start: RationalTime) throws(TimeError) -> [VolumeKey] {
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
        let grid = TrackGrid(kind: .audio, rate: rate, sampleRate: sampleRate, log: log)
        guard let at = grid.seconds(key.at) else { return nil }
        return VolumeKey(
            at: try sample(start.adding(at)) - first,
            millionths: key.level.value.millionths,
            unit: key.level.value.unit,
            holds: key.ease?.value == .hold,
            ease: [nil, .hold, .linear].contains(key.ease?.value) ? nil : key.ease?.value
        )
    }

    /// Of a pan or a balance; nil when it says nothing.
    private func positions(_ written: EditProperty?, from start: RationalTime) throws(TimeError) -> [SoundKey]? {
        guard let written else { return nil }
        guard channels == 2 else {
            let edit = "this edit has \(Count.of(channels, "channel"))"
            log.error(written.mark, "channels", "pan and balance are for two channels; \(edit)")
            return nil
        }
        let grid = TrackGrid(kind: .audio, rate: rate, sampleRate: sampleRate, log: log)
        let first = try sample(start)
        var keys: [SoundKey] = []
        for key in written.keys {
            guard let at = key.at.map(grid.seconds) ?? .zero, let value = key.value.first else { return nil }
            let ease = key.ease?.value == .linear ? nil : key.ease?.value
            let place = key.at == nil ? 0 : try sample(start.adding(at)) - first
            if let last = keys.last, last.at > place {
                let mark = key.at?.mark ?? key.mark
                log.error(mark, "volume-order", "this key is before the one above it; write keys in order")
            }
            keys.append(SoundKey(at: place, millionths: value.millionths, ease: ease))
        }
        return keys.allSatisfy { $0.millionths == 0 } ? nil : keys
    }

    /// - Returns: nil when it does nothing.
    func master(_ written: EditMaster?) throws(TimeError) -> MasterMix? {
        guard let written else { return nil }
        let processors = written.processors.isEmpty ? nil : written.processors
        let master = MasterMix(
            volume: try keys(written.volume, from: .zero),
            processors: processors,
            loudness: written.loudness,
            ceiling: written.ceiling
        )
        return master == MasterMix() ? nil : master
    }

    private func checkOrder(_ keys: [VolumeKey], _ written: [EditVolumeKey]) {
        guard keys.count == written.count else { return }
        for index in keys.indices.dropFirst() where keys[index].at < keys[index - 1].at {
            log.error(
                written[index].at.mark,
                "volume-order",
                "this key is before the one above it; write keys in order"
            )
        }
    }
}
