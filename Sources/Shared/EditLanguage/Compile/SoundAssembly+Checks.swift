import CompositionModel
import Timing

// Whether a source can be heard as the edit asks for it.
extension SoundAssembly {
    /// Whether the source's channels can be those of the edit; a finding says when not.
    func isMapped(_ stream: AudioStreamFacts, _ placed: PlacedSegment) -> Bool {
        let has = "asset \"\(placed.asset)\" has \(Count.of(stream.channels, "channel"))"
        guard let map = placed.segment.channels else {
            if ChannelLayout(description: stream.channelLayout, count: stream.channels) != nil { return true }
            let message = "\(has) for loudspeakers that are not known; say what is heard of them"
            log.error(placed.segment.mark, .channels, message, suggestion: "\"channels\": [0, 1]")
            return false
        }
        if map.value.count != channels {
            let edit = "the edit has \(Count.of(channels, "channel"))"
            log.error(map.mark, .channels, "\"channels\" says what \(map.value.count) get, but \(edit)")
            return false
        }
        guard let most = map.value.map(\.count).max(), most > stream.channels else { return true }
        log.error(map.mark, .channels, "\"channels\" names channel \(most - 1), counted from 0, but \(has)")
        return false
    }

    /// Whether the sound can be brought to the edit's rate at that speed; a finding says when not.
    func canRun(
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
            log.error(placed.segment.asset.mark, .sampleRate, message)
            return false
        }
        let message = "sound of \(stream.sampleRate) Hz at speed \(speed) cannot be brought to \(sampleRate) Hz"
        log.error(placed.segment.mark, .speed, message, suggestion: "\"sound\": false")
        return false
    }

    /// Whether the sound is nowhere too fast; a finding says when it is.
    func canRun(
        _ stream: AudioStreamFacts,
        along curve: SoundCurve,
        count: Int64,
        _ placed: PlacedSegment
    ) throws(TimeError) -> Bool {
        let path = SoundPath(curve, sourceRate: stream.sampleRate, sampleRate: sampleRate)
        if path.bounds(of: 0..<count).steepest <= Double(Limits.soundRatio) { return true }
        let message = "sound of \(stream.sampleRate) Hz at this speed cannot be brought to \(sampleRate) Hz"
        log.error(placed.segment.speed?.mark ?? placed.segment.mark, .speed, message, suggestion: "\"sound\": false")
        return false
    }

    /// Sound that was asked for by name and is not there is worth a word.
    func silent(_ placed: PlacedSegment) {
        guard let sound = placed.segment.sound, sound.value else { return }
        log.add(sound.mark.finding(.warning, rule: .noSound, "asset \"\(placed.asset)\" has no sound to be heard"))
    }
}
