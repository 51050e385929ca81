import CompositionModel
import Timing

/// Resolves the format of an edit: what it says, else what its first video asset has, as displayed; else a default.
struct FormatResolver {
    let edit: Edit
    let assets: [String: CompilerAsset]
    /// Codecs of the sound of everything that is made of the edit.
    var codecs: Set<AudioEncoding.Codec> = []
    let log: FindingLog

    /// - Returns: nil after a finding.
    func format() -> Format? {
        let model = firstPicture
        guard let size = size(model), let rate = frameRate(model) else { return nil }
        return Format(
            size: size,
            frameRate: rate,
            sampleRate: sampleRate(model),
            channels: channels(model),
            color: edit.format.color?.value ?? .bt709,
            background: edit.format.background?.value ?? "#000000"
        )
    }

    /// The first asset on a video track that has a picture; for its sound alone, the first asset that is heard.
    private struct Model {
        var name: String
        var video: VideoStreamFacts?
        var audio: AudioStreamFacts?
    }

    private var firstPicture: Model {
        let video = segments(of: .video).first { facts($0)?.video.isEmpty == false }
        let any = video ?? segments(of: .audio).first { facts($0)?.audio.isEmpty == false && !isMade($0) }
        guard let segment = any, let facts = facts(segment) else { return Model(name: "") }
        var model = Model(name: segment.asset.value, video: facts.defaultVideo, audio: facts.defaultAudio)
        if video == nil { model.video = nil }
        if let track = segment.track?.value, track.kind == .video, facts.video.indices.contains(track.number) {
            model.video = facts.video[track.number]
        }
        return model
    }

    /// Whether the asset that the format is taken from is surely none of `unusable`.
    func isCertain(without unusable: Set<String>) -> Bool {
        for kind in [EditTrack.Kind.video, .audio] {
            for segment in segments(of: kind) {
                if unusable.contains(segment.asset.value) { return false }
                guard let facts = facts(segment), kind == .video || !isMade(segment) else { continue }
                if kind == .video ? !facts.video.isEmpty : !facts.audio.isEmpty { return true }
            }
        }
        return true
    }

    /// Sound that is generated or spoken follows the edit, not the other way round.
    private func isMade(_ segment: EditSegment) -> Bool {
        switch edit.assets[segment.asset.value]?.value {
        case .generatedSound, .speech: true
        default: false
        }
    }

    private func facts(_ segment: EditSegment) -> AssetFacts? { assets[segment.asset.value]?.facts }

    /// One after the other, and none before it is asked for: an edit may have hundreds of thousands.
    private func segments(of kind: EditTrack.Kind) -> some Sequence<EditSegment> {
        edit.tracks.lazy.filter { $0.kind == kind }.flatMap(\.items).compactMap {
            if case .segment(let segment) = $0 { segment } else { nil }
        }
    }

    /// Notes a value that the edit does not write.
    private func implied(_ what: String, from name: String?) {
        let source = name.map { "taken from asset \"\($0)\"" } ?? "the default"
        log.note(edit.format.mark, .impliedFormat, "\(what), \(source)")
    }

    private func size(_ model: Model) -> PictureSize? {
        if let size = edit.format.size { return checked(size.value, at: size.mark) }
        guard let shown = model.video?.displaySize else {
            if !edit.isSoundAlone { implied("size is 1280x720", from: nil) }
            return PictureSize(width: 1280, height: 720)
        }
        let even = shown.withEvenSides
        let was = even == shown ? "" : ", with even sides for \(shown.width)x\(shown.height)"
        implied("size is \(even.width)x\(even.height)\(was)", from: model.name)
        return checked(even, at: edit.format.mark)
    }

    private func checked(_ size: PictureSize, at mark: SourceMark) -> PictureSize? {
        guard max(size.width, size.height) > Limits.longestSide else { return size }
        let numbers = "\(size.width)x\(size.height), the limit is \(Limits.longestSide) pixels a side"
        log.error(mark, .size, "the picture is too large: \(numbers)")
        return nil
    }

    private func frameRate(_ model: Model) -> FrameRate? {
        if let rate = edit.format.frameRate { return checked(rate.value, at: rate.mark) }
        let (name, moving) = firstMoving(model)
        guard let stream = moving else {
            if !edit.isSoundAlone { implied("frameRate is 25", from: nil) }
            return try? FrameRate(25)
        }
        guard stream.isVariableRate else {
            implied("frameRate is \(stream.frameRate)", from: name)
            return checked(stream.frameRate, at: edit.format.mark)
        }
        let rate = stream.editRate
        let lost = stream.lostFrames(at: rate)
        let all = Count.of(stream.frameCount, "frame")
        let loss = lost == 0 ? "no frame is lost" : "\(lost) of its \(all) are not seen"
        let rates = "\(rate) for its variable rate of \(stream.frameRate) on average"
        implied("frameRate is \(rates), at which \(loss)", from: name)
        return checked(rate, at: edit.format.mark)
    }

    /// A still picture has no rate: then the first that is none.
    private func firstMoving(_ model: Model) -> (name: String, stream: VideoStreamFacts?) {
        guard let stream = model.video, stream.isStill else { return (model.name, model.video) }
        for segment in segments(of: .video) {
            let video = facts(segment)?.defaultVideo
            if let video, !video.isStill { return (segment.asset.value, video) }
        }
        return (model.name, nil)
    }

    private func checked(_ rate: FrameRate, at mark: SourceMark) -> FrameRate? {
        guard !Limits.frameRates.contains(rate.framesPerSecond) else { return rate }
        let limits = "write a \"frameRate\" between \(Limits.frameRates.lowerBound) and \(Limits.frameRates.upperBound)"
        log.error(mark, .frameRate, "\(rate) frames per second cannot be rendered; \(limits)")
        return nil
    }

    private func sampleRate(_ model: Model) -> Int {
        if let rate = edit.format.sampleRate { return rate.value }
        guard let audio = model.audio, Limits.sampleRates.contains(audio.sampleRate) else {
            implied("sampleRate is 48000", from: nil)
            return 48_000
        }
        let all = AudioEncoding.Codec.allCases.filter(codecs.contains)
        guard let strict = all.first(where: { $0.lacks(audio.sampleRate) }) else {
            implied("sampleRate is \(audio.sampleRate)", from: model.name)
            return audio.sampleRate
        }
        let own = "the \(audio.sampleRate) of asset \"\(model.name)\""
        log.note(edit.format.mark, .impliedFormat, "sampleRate is 48000, as \(strict.title) does not have \(own)")
        return 48_000
    }

    private func channels(_ model: Model) -> Int {
        if let channels = edit.format.channels { return channels.value }
        let known = model.audio?.channels
        // More is mixed where it is asked for.
        let channels = min(known ?? 2, 2)
        implied("channels is \(channels)", from: known == nil ? nil : model.name)
        return channels
    }
}
