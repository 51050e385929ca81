/// Checks pans, processors, loops, ducks and the master. Values that the edit language cannot express are refused here
/// too.
extension CompositionCheck {
    mutating func sound() {
        for (index, track) in composition.audioTracks.enumerated() {
            var pointer: String { "/audioTracks/\(index)" }
            positions(track.pan, at: pointer + "/pan")
            positions(track.balance, at: pointer + "/balance")
            processors(track.processors, at: pointer + "/processors")
            if let duck = track.duck { self.duck(duck, of: index, at: pointer + "/duck") }
            for (place, segment) in track.segments.enumerated() {
                sound(of: segment, at: pointer + "/segments/\(place)")
            }
        }
        if let master = composition.master { self.master(master) }
    }

    private mutating func sound(of segment: AudioTrackSegment, at pointer: @autoclosure () -> String) {
        positions(segment.pan, at: pointer() + "/pan")
        positions(segment.balance, at: pointer() + "/balance")
        processors(segment.processors, at: pointer() + "/processors")
        if let map = segment.channels {
            let areSound = map.joined().allSatisfy(Limits.channelGains.contains)
            if map.count != composition.format.channels || map.contains(where: { $0.count > 64 }) || !areSound {
                let message = "a map has a row for each channel of the edit, of gains from −16 to 16"
                report(.channels, pointer() + "/channels", message)
            }
        }
        guard let loop = segment.loop else { return }
        let places = -(Int64(1) << 50)...Int64(1) << 50
        if !places.contains(loop.start) || !(1...Limits.longestLoop).contains(loop.count)
            || !(1...Int64(LoopRule.counts.upperBound)).contains(loop.runs ?? 1)
        {
            let bounds = "1 to \(Limits.longestLoop) samples and 1 to \(LoopRule.counts.upperBound) runs"
            report(.numberRange, pointer() + "/loop", "a loop has \(bounds)")
        }
    }

    /// Checks the keys of a pan or a balance.
    private mutating func positions(_ keys: [SoundKey]?, at pointer: @autoclosure () -> String) {
        guard let keys else { return }
        let places = -(Int64(1) << 50)...Int64(1) << 50
        let areSound = keys.allSatisfy { places.contains($0.at) && (-1_000_000...1_000_000).contains($0.millionths) }
        if !areSound || zip(keys, keys.dropFirst()).contains(where: { $0.at > $1.at }) {
            report(.numberRange, pointer(), "its keys are out of order, or not between −1 and 1")
        }
    }

    private mutating func processors(_ processors: [SoundProcessor]?, at pointer: @autoclosure () -> String) {
        guard let processors else { return }
        if processors.count > Limits.effects {
            report(.numberRange, pointer(), "there are at most \(Limits.effects) processors in one place")
        }
        for (index, processor) in processors.enumerated() {
            let name = processor.processor
            for (key, value) in processor.values.sorted(by: { $0.key.name < $1.key.name }) {
                let parameter = name.parameters.first { $0.key == key }
                if parameter?.quantity.range.contains(value) != true {
                    report(
                        .numberRange,
                        pointer() + "/\(index)",
                        "\(name.rawValue) has no \(key.name) of \(value) millionths"
                    )
                }
            }
            if name == .equalizer {
                bands(processor.bands ?? [], at: pointer() + "/\(index)/bands")
            } else if processor.bands != nil {
                report(.numberRange, pointer() + "/\(index)/bands", "\(name.rawValue) has no bands")
            }
        }
    }

    private mutating func bands(_ bands: [EqualizerBand], at pointer: @autoclosure () -> String) {
        let areSound = bands.allSatisfy { band in
            EqualizerBand.frequencies.range.contains(band.frequency)
                && EqualizerBand.gains.range.contains(band.gain)
                && EqualizerBand.qualities.range.contains(band.quality)
        }
        if !areSound || !(1...Limits.effects).contains(bands.count) {
            report(.numberRange, pointer(), "an equalizer has 1 to \(Limits.effects) bands within their ranges")
        }
    }

    private mutating func duck(_ duck: Duck, of track: Int, at pointer: @autoclosure () -> String) {
        let others = composition.audioTracks.indices
        if duck.under.isEmpty || !duck.under.allSatisfy({ others.contains($0) && $0 != track }) {
            report(.unknownTrack, pointer() + "/under", "a track is ducked under other tracks of the composition")
        }
        let times = [duck.attack, duck.hold, duck.release]
        let longest: ClosedRange<Int64> = 0...30_000_000
        if !(0...80_000_000).contains(duck.depth) || !(-100_000_000...0).contains(duck.threshold)
            || !times.allSatisfy(longest.contains)
        {
            report(
                .numberRange,
                pointer(),
                "a duck is up to 80 dB deep, its threshold −100 to 0 dB, its times 0 to 30 s"
            )
        }
    }

    private mutating func master(_ master: MasterMix) {
        volume(master.volume, at: "/master/volume")
        processors(master.processors, at: "/master/processors")
        if let ceiling = master.ceiling, !(-40_000_000...0).contains(ceiling) {
            report(.numberRange, "/master/ceiling", "a ceiling lies between −40 and 0 dB")
        }
        if let loudness = master.loudness,
            !LoudnessTarget.targets.contains(loudness.integrated) || !LoudnessTarget.peaks.contains(loudness.truePeak)
        {
            report(.numberRange, "/master/loudness", "a loudness is −60 to −5 LUFS, its true peak −40 to 0 dB")
        }
    }
}
