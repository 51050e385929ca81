import Timing

extension CompositionCheck {
    /// Checks that pieces of picture are in order, do not overlap and refer to assets that exist.
    mutating func videoTrackSegments() {
        for (track, videoTrack) in composition.videoTracks.enumerated() {
            appearance(videoTrack.appearance, at: "/videoTracks/\(track)/appearance")
            var end: Int64 = 0
            for (index, segment) in videoTrack.segments.enumerated() {
                var pointer: String { "/videoTracks/\(track)/segments/\(index)" }
                source(segment.asset, isNested: segment.isNested, at: pointer)
                if segment.sourceStart.isNegative {
                    report(
                        .sourceNegative,
                        pointer + "/sourceStart",
                        "source time \(segment.sourceStart) is negative"
                    )
                }
                speed(segment.speed, at: pointer + "/speed")
                appearance(segment.appearance, at: pointer + "/appearance")
                guard isSound(segment.target, at: pointer + "/target") else { continue }
                curve(of: segment, at: pointer + "/curve")
                if segment.target.start < end {
                    let place = "frame \(segment.target.start), before the one before it ends at \(end)"
                    report(.segmentsOverlap, pointer + "/target", "the piece begins at \(place)")
                }
                end = max(end, segment.target.end)
            }
        }
    }

    /// Checks pieces of sound, which may overlap.
    mutating func audioTrackSegments() {
        for (track, audioTrack) in composition.audioTracks.enumerated() {
            volume(audioTrack.volume, at: "/audioTracks/\(track)/volume")
            for (index, segment) in audioTrack.segments.enumerated() {
                var pointer: String { "/audioTracks/\(track)/segments/\(index)" }
                source(segment.asset, isNested: segment.isNested, at: pointer)
                volume(segment.volume, at: pointer + "/volume")
                samples(of: segment, at: pointer)
                speed(segment.speed, at: pointer + "/speed")
                if segment.speed == .zero, segment.keepsPitch != true {
                    report(.speed, pointer + "/speed", "sound of speed 0 keeps its pitch")
                }
                curve(of: segment, at: pointer + "/curve")
            }
        }
    }

    private mutating func curve(of segment: VideoTrackSegment, at pointer: @autoclosure () -> String) {
        guard let curve = segment.curve else { return }
        if segment.speed != nil { report(.speed, pointer(), "a piece has a speed or a curve, not both") }
        if !curve.isSound(over: segment.target.count) {
            let rule = "its frames ascend from 0, its ways go whole millionths a frame"
            report(.speed, pointer(), "the curve's numbers are out of order or too large: \(rule)")
        }
    }

    private mutating func curve(of segment: AudioTrackSegment, at pointer: @autoclosure () -> String) {
        guard let curve = segment.curve else { return }
        if segment.speed != nil { report(.speed, pointer(), "a piece has a speed or a curve, not both") }
        if segment.loop != nil { report(.speed, pointer(), "sound along a curve is not looped") }
        if !curve.isSound {
            let rule = "as many samples, ways and speeds, the samples ascending"
            report(.speed, pointer(), "the curve's numbers are out of order or too large: \(rule)")
        }
    }

    private mutating func speed(_ speed: RationalTime?, at pointer: @autoclosure () -> String) {
        guard let speed, !Limits.allows(speed: speed) else { return }
        let range = "from \(Limits.speeds.lowerBound) to \(Limits.speeds.upperBound), forwards or backwards"
        report(.speed, pointer(), "a source cannot run at speed \(speed): speeds are \(range), and 0 holds a frame")
    }

    mutating func asset(_ asset: Int, at pointer: @autoclosure () -> String) {
        if !composition.assets.indices.contains(asset) {
            report(
                .unknownAsset,
                pointer() + "/asset",
                "there is no asset \(asset): \(composition.assets.count) are named"
            )
        }
    }

    /// Checks that `place` is the position of an asset or, where `isNested`, of a nested edit.
    private mutating func source(_ place: Int, isNested: Bool?, at pointer: @autoclosure () -> String) {
        guard isNested == true else { return asset(place, at: pointer()) }
        let count = composition.nested?.count ?? 0
        guard !(0..<count).contains(place) else { return }
        report(.unknownAsset, pointer() + "/asset", "there is no nested edit \(place) before this: \(count) are")
    }

    private mutating func samples(of segment: AudioTrackSegment, at pointer: @autoclosure () -> String) {
        let most = Limits.longestSeconds * Int64(Limits.sampleRates.upperBound)
        let places = 0...most
        guard places.contains(segment.start), segment.count > 0, places.contains(segment.count),
            (-most...most).contains(segment.sourceStart),
            segment.sourceFraction.map({ !$0.isNegative && $0 < RationalTime(whole: 1) }) ?? true
        else {
            let numbers = "start \(segment.start), count \(segment.count), sourceStart \(segment.sourceStart)"
            return report(.rangeInvalid, pointer(), "the samples are out of range: \(numbers)")
        }
        for (name, fade) in [("fadeIn", segment.fadeIn), ("fadeOut", segment.fadeOut)] {
            guard let fade, !(1...segment.count).contains(fade.count) else { continue }
            let message = "a fade of \(fade.count) samples does not fit into a piece of \(segment.count)"
            report(.fade, "\(pointer())/\(name)", message)
        }
    }

    mutating func volume(_ keys: [VolumeKey], at pointer: @autoclosure () -> String) {
        for (index, key) in keys.enumerated() {
            if key.unit == .linear, key.millionths < 0 {
                report(.volume, "\(pointer())/\(index)", "a linear volume is never negative")
            }
            if index > 0, keys[index - 1].at > key.at {
                report(.volumeOrder, "\(pointer())/\(index)/at", "keys must be in order of time")
            }
        }
    }
}
