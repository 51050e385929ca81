import CompositionModel
import Timing

/// Writes the tracks of sound: the segments of sound tracks, and the sound of segments of picture with the same cuts
/// and transitions. Every position is one rounding of an absolute time.
struct SoundAssembly {
    let rate: FrameRate
    let sampleRate: Int
    /// The number of channels of the edit.
    let channels: Int
    let log: FindingLog
    /// The position of an asset in the composition.
    let position: (String) -> Int
    /// Whether an asset is an edit.
    let isNested: (String) -> Bool

    private var resolver: SoundKeyResolver {
        SoundKeyResolver(rate: rate, sampleRate: sampleRate, channels: channels, log: log)
    }

    /// The tracks `<id>.a.sound` and `<id>.b.sound` of a track of picture, as far as anything is heard on them.
    func sound(ofPicture placed: PlacedTrack) throws(TimeError) -> [AudioTrack] {
        var tracks: [AudioTrack] = []
        guard placed.track.mute?.value != true else { return [] }
        let sides = PictureAssembly.sides(of: placed)
        let volume = try trackVolume(placed)
        for side in 0...1 {
            var segments: [AudioTrackSegment] = []
            segments.reserveCapacity(sides.count { $0 == side })
            for (segment, own) in zip(placed.segments, sides) where own == side && isHeard(segment, on: placed.track) {
                if let sound = try segmentSound(segment, unit: rate.frameDuration) { segments.append(sound) }
            }
            guard !segments.isEmpty else { continue }
            let name = PictureAssembly.soundName(PictureAssembly.name(placed.id, side))
            tracks.append(try track(name, segments, volume, of: placed))
        }
        return tracks
    }

    /// One track: its segments overlap only where they are faded into each other. None when nothing is on it.
    func sound(ofTrack placed: PlacedTrack) throws(TimeError) -> [AudioTrack] {
        let unit = try RationalTime(1, Int64(sampleRate))
        var segments: [AudioTrackSegment] = []
        segments.reserveCapacity(placed.segments.count)
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
            pan: try resolver.positions(sounds.pan, from: .zero),
            balance: try resolver.positions(sounds.balance, from: .zero),
            processors: sounds.processors.isEmpty ? nil : sounds.processors,
            duck: placed.track.duck?.duck
        )
    }

    private func isHeard(_ segment: PlacedSegment, on track: EditTrack) -> Bool {
        segment.segment.sound?.value ?? track.sound?.value ?? true
    }

    /// - Returns: nil when the segment has no sound, or is shorter than a sample.
    private func segmentSound(_ placed: PlacedSegment, unit: RationalTime) throws(TimeError) -> AudioTrackSegment? {
        guard WorkMeter.step(1 + (placed.remap?.knots.count ?? 0)) else { return nil }
        let isHeld = placed.speed == .zero
        guard let stream = placed.streams.audio, !isHeld || placed.segment.holdsSound else {
            silent(placed)
            return nil
        }
        let isRetimed = placed.speed.unlessOne != nil || placed.remap != nil
        let speed = isHeld ? RationalTime(whole: 1) : placed.speed
        guard try canRun(stream, at: speed, placed), isMapped(stream, placed) else { return nil }
        let start = try resolver.sample(placed.start, unit)
        let count = try resolver.sample(placed.end, unit) - start
        guard count > 0 else { return nil }
        let source = try firstHeard(of: placed, unit: unit).subtracting(stream.start)
        let (first, fraction) = try firstSample(at: source, of: stream, placed, start: start, unit)
        let curve = try placed.remap.map { remap throws(TimeError) in
            try self.curve(along: remap, from: source, first: first, of: stream, placed, at: (start, unit))
        }
        if let curve, try !canRun(stream, along: curve, count: count, placed) { return nil }
        let own = try placed.ownSegment(at: rate)
        let (sounds, begin) = (own.sounds, try RationalTime(placed.start, of: unit))
        return AudioTrackSegment(
            start: start,
            count: count,
            asset: position(placed.asset),
            stream: stream.streamIndex,
            sourceStart: isHeld ? held(first, of: stream) : first,
            sourceFraction: fraction,
            volume: try resolver.keys(own.volume, from: begin),
            fadeIn: try crossfade(placed.fadeIn, unit),
            fadeOut: try crossfade(placed.fadeOut, unit),
            speed: placed.speed.unlessOne,
            curve: curve,
            isNested: isNested(placed.asset) ? true : nil,
            keepsPitch: isHeld || (placed.segment.pitch?.value == .keep && isRetimed) ? true : nil,
            loop: placed.loop,
            pan: try resolver.positions(sounds.pan, from: begin),
            balance: try resolver.positions(sounds.balance, from: begin),
            processors: sounds.processors.isEmpty ? nil : sounds.processors,
            channels: placed.segment.channels?.value
        )
    }

    /// The middle of what a held sound is made of: so far inside that a twentieth of a second lies on both sides.
    private func held(_ sample: Int64, of stream: AudioStreamFacts) -> Int64 {
        let reach = min(Int64(stream.sampleRate) / 20 + 1, stream.sampleCount / 2)
        return max(reach, min(sample, stream.sampleCount - reach))
    }

    /// The source sample that is the clip's first one, and the part of a sample behind it where the clip is brought to
    /// another rate.
    ///
    /// The first sample of a clip lies up to half a sample beside the clip's start on the timeline; the source is entered
    /// as much beside `source`. So a sound that is cut in two goes on as if it were whole, wherever the cut is.
    /// - Parameters:
    ///   - source: The time at the clip's start, counted from the stream's first sample.
    ///   - start: The clip's first sample on the timeline.
    private func firstSample(
        at source: RationalTime,
        of stream: AudioStreamFacts,
        _ placed: PlacedSegment,
        start: Int64,
        _ unit: RationalTime
    ) throws(TimeError) -> (sample: Int64, fraction: RationalTime?) {
        let sample = try RationalTime(1, Int64(stream.sampleRate))
        guard placed.remap == nil, placed.speed != .zero else { return (try source.count(of: sample).value, nil) }
        do throws(TimeError) {
            return try exactSample(at: source, of: stream, placed, start: start, unit)
        } catch {
            // Times too fine to compute with: the nearest sample.
            return (try source.count(of: sample).value, nil)
        }
    }

    private func exactSample(
        at source: RationalTime,
        of stream: AudioStreamFacts,
        _ placed: PlacedSegment,
        start: Int64,
        _ unit: RationalTime
    ) throws(TimeError) -> (sample: Int64, fraction: RationalTime?) {
        let sample = try RationalTime(1, Int64(stream.sampleRate))
        // Backwards on a track of sound, the last sample that belongs to the clip is the first one heard.
        let written = placed.speed.isNegative ? nil : placed.exactStart
        let begin = if let written { written } else { try RationalTime(placed.start, of: unit) }
        let beside = try RationalTime(start, Int64(sampleRate)).subtracting(begin)
        let entered = try source.adding(beside.multiplied(by: placed.speed))
        let rate = try RationalTime(whole: Int64(stream.sampleRate)).multiplied(by: placed.speed.magnitude())
        let keepsPitch = placed.segment.pitch?.value == .keep && placed.speed.unlessOne != nil
        guard rate != RationalTime(whole: Int64(sampleRate)), !keepsPitch else {
            return (try entered.count(of: sample).value, nil)
        }
        let first = try entered.count(of: sample, rounding: .down).value
        let rest = try entered.multiplied(by: RationalTime(whole: Int64(stream.sampleRate)))
            .subtracting(RationalTime(whole: first))
        return (first, rest == .zero ? nil : rest)
    }

    /// Source time of the first sample. Backwards a frame's sound begins with the last sample that belongs to it.
    private func firstHeard(of placed: PlacedSegment, unit: RationalTime) throws(TimeError) -> RationalTime {
        guard placed.speed.isNegative else { return placed.sourceStart }
        let path = try unit.subtracting(RationalTime(1, Int64(sampleRate))).multiplied(by: placed.speed.magnitude())
        return try placed.sourceStart.adding(path)
    }

    private func crossfade(_ transition: PlacedTransition?, _ unit: RationalTime) throws(TimeError) -> Crossfade? {
        guard let transition else { return nil }
        let count = try resolver.sample(transition.end, unit) - resolver.sample(transition.start, unit)
        return count > 0 ? Crossfade(shape: transition.shape, count: count) : nil
    }

    private func trackVolume(_ placed: PlacedTrack) throws(TimeError) -> [VolumeKey] {
        try resolver.keys(placed.track.volume, from: .zero)
    }

    /// - Returns: nil when it does nothing.
    func master(_ written: EditMaster?) throws(TimeError) -> MasterMix? {
        guard let written else { return nil }
        let processors = written.processors.isEmpty ? nil : written.processors
        let master = MasterMix(
            volume: try resolver.keys(written.volume, from: .zero),
            processors: processors,
            loudness: written.loudness,
            ceiling: written.ceiling
        )
        return master == MasterMix() ? nil : master
    }
}
