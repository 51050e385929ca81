import CompositionModel
import Timing

/// The streams of an asset that a segment plays (docs/edit-format.md, "Segments"). Copies share them.
struct StreamChoice {
    @OptionalCopyOnWrite var video: VideoStreamFacts? = nil
    @OptionalCopyOnWrite var audio: AudioStreamFacts? = nil
}

extension StreamChoice {
    /// The streams that `segment` names, or the default ones: never two of one kind.
    /// - Returns: nil after a finding, when the asset does not have what the segment or its track needs. A video
    ///   segment has a picture and perhaps sound; a segment of sound has sound only.
    static func choose(
        for segment: EditSegment,
        on kind: EditTrack.Kind,
        of facts: AssetFacts,
        log: FindingLog
    ) -> StreamChoice? {
        guard hasStream(kind, segment, facts, log) else { return nil }
        var choice = StreamChoice(video: facts.defaultVideo, audio: facts.defaultAudio)
        if let track = segment.track, !choice.take(track, segment, facts, log) { return nil }
        if let language = segment.language, !choice.take(language, segment, facts, log) { return nil }
        if kind == .audio { choice.video = nil }
        return choice
    }

    private static func hasStream(
        _ kind: EditTrack.Kind,
        _ segment: EditSegment,
        _ facts: AssetFacts,
        _ log: FindingLog
    ) -> Bool {
        let (isMissing, what) = kind == .video ? (facts.video.isEmpty, "picture") : (facts.audio.isEmpty, "sound")
        guard isMissing else { return true }
        let has = facts.words
        let rule: FindingRule = kind == .video ? .noPicture : .noSound
        let message = "asset \"\(segment.asset.value)\" has no \(what); it has \(has)"
        let use = "{ \"effect\": \"lut\", \"asset\": \(JSONText.quoted(segment.asset.value)) } in \"effects\" of a clip"
        log.error(segment.asset.mark, rule, message, suggestion: facts.lut == nil ? nil : use)
        return false
    }

    private mutating func take(
        _ track: Marked<SourceTrack>,
        _ segment: EditSegment,
        _ facts: AssetFacts,
        _ log: FindingLog
    ) -> Bool {
        let number = track.value.number
        switch track.value.kind {
        case .video where facts.video.indices.contains(number): video = facts.video[number]
        case .audio where facts.audio.indices.contains(number): audio = facts.audio[number]
        default:
            let name = "\(track.value.kind.rawValue)/\(number)"
            let has = "asset \"\(segment.asset.value)\" has \(facts.words)"
            log.error(track.mark, .unknownSourceTrack, "there is no track \"\(name)\": \(has)")
            return false
        }
        return true
    }

    private mutating func take(
        _ language: Marked<String>,
        _ segment: EditSegment,
        _ facts: AssetFacts,
        _ log: FindingLog
    ) -> Bool {
        let pictures = facts.video.filter { LanguageCode.areSame($0.language ?? "", language.value) }
        let sounds = facts.audio.filter { LanguageCode.areSame($0.language ?? "", language.value) }
        if pictures.isEmpty, sounds.isEmpty {
            let has = "asset \"\(segment.asset.value)\" has \(facts.words)"
            log.error(language.mark, .unknownLanguage, "no track is in language \"\(language.value)\": \(has)")
            return false
        }
        video = pictures.first(where: \.isDefault) ?? pictures.first ?? video
        audio = sounds.first(where: \.isDefault) ?? sounds.first ?? audio
        return true
    }
}
