import CompositionModel
import Timing

/// One compilation of an edit: places its tracks, and writes what they show and play as a composition.
struct EditCompilation {
    let edit: Edit
    let assets: [String: CompilerAsset]
    /// The names of assets of which nothing can be known.
    let unusable: Set<String>
    let options: CompileOptions
    let log: FindingLog
    let allowance: CompileAllowance

    /// - Returns: nil, or something unfinished, after a finding, and when there are unusable assets.
    func composition() -> Composition? {
        guard hasFewTracks, let format = formatResolver.format() else { return nil }
        let (tracks, titles) = placed(format)
        do throws(TimeError) {
            guard unusable.isEmpty else {
                try check(tracks, titles, format)
                return nil
            }
            return try assemble(tracks, titles, format)
        } catch {
            log.error(edit.mark, .timeOverflow, "a time of the edit is too large or too fine to compute with exactly")
            return nil
        }
    }

    /// The findings of the log that hold whatever the unusable assets are.
    var judgeable: AssetIndependentFindings {
        AssetIndependentFindings(
            isFormatUnknown: !formatResolver.isCertain(without: unusable),
            isRateWritten: edit.format.frameRate != nil
        )
    }

    private var formatResolver: FormatResolver {
        FormatResolver(edit: edit, assets: assets, codecs: codecs, log: log)
    }

    /// The codecs of sound that the format has to suit. Those of the edit's own outputs count too where the command
    /// names another preset: what is measured or looked at is what they render. An edit without outputs is measured as
    /// its sources are.
    private var codecs: Set<AudioEncoding.Codec> {
        let names = edit.outputs.map(\.preset.value) + (options.replacingPreset.map { [$0] } ?? [])
        let presets = names.isEmpty ? [PresetCatalog.standard(picture: !edit.isSoundAlone)] : names
        return Set(presets.compactMap { PresetCatalog.preset(named: $0)?.soundCodec })
    }

    private var hasFewTracks: Bool {
        for kind in EditTrack.Kind.allCases {
            let tracks = edit.tracks.filter { $0.kind == kind }
            guard tracks.count > Limits.mostTracks else { continue }
            let limit = "the limit is \(Limits.mostTracks)"
            log.error(
                tracks[Limits.mostTracks].mark,
                .tooMany,
                "the edit has \(tracks.count) \(kind) tracks; \(limit)"
            )
        }
        return !log.hasErrors
    }

    var snap: SnapRule { edit.snap?.value ?? .never }

    private func assemble(
        _ tracks: [PlacedTrack],
        _ titles: [PlacedTitleTrack],
        _ format: Format
    ) throws(TimeError) -> Composition? {
        guard let frameCount = try length(of: tracks, titles, format) else { return nil }
        let numbers = AssetPositions(tracks, titles, assets)
        let pictures = tracks.filter { $0.track.kind == .video }
        let assembly = pictureAssembly(format, numbers)
        var videoTracks: [VideoTrack] = []
        let spans = spans(tracks, titles, position: numbers.position)
        if !spans.isEmpty, spans.allSatisfy(\.isEmpty) {
            log.warning(edit.mark, .neverSeen, "no track shows anything: the picture is the background alone")
        }
        guard let instructions = instructions(of: spans, frameCount: frameCount) else { return nil }
        for track in pictures { videoTracks += try assembly.tracks(of: track) }
        let (sounds, master) = try mix(tracks, format, numbers)
        warn(of: sounds, numbers)
        let sampleCount = try sampleCount(of: tracks, frameCount, format)
        let ofFrames = try format.frameRate.sample(ofFrame: frameCount, sampleRate: format.sampleRate)
        let composition = Composition(
            format: format,
            frameCount: frameCount,
            soundSampleCount: sampleCount == ofFrames ? nil : sampleCount,
            assets: numbers.assets,
            nested: numbers.nested,
            videoTracks: videoTracks,
            titleTracks: titles.isEmpty ? nil : try titleTracks(titles, format, numbers),
            instructions: instructions,
            audioTracks: sounds,
            master: sounds.isEmpty ? nil : master,
            outputs: outputs(
                tracks,
                format,
                lengths: (frameCount, sampleCount),
                hasPicture: !spans.isEmpty,
                hasSound: !sounds.isEmpty
            )
        )
        guard hasFewTracks(composition, tracks, titles) else { return nil }
        return hasFewEdits(composition) && hasFewPieces(composition) ? composition : nil
    }

    /// Whether the edits that are used, and those that they use, are few enough to be planned; otherwise the finding is made.
    private func hasFewEdits(_ composition: Composition) -> Bool {
        let edits = composition.nested?.count ?? 0
        guard edits <= Limits.mostNestedEdits else {
            let limit = "the limit is \(Limits.mostNestedEdits): \(EditCompilation.fewerPieces)"
            log.error(edit.mark, .tooMany, "\(edits) edits are used here, with those that they use; \(limit)")
            return false
        }
        return true
    }

    /// Whether the tracks to which the edit comes are few enough to be planned; otherwise the finding is made, at the track
    /// of the edit with which they are too many. Clips that overlap in a transition need two tracks, and titles lie among
    /// those of picture.
    private func hasFewTracks(
        _ composition: Composition,
        _ tracks: [PlacedTrack],
        _ titles: [PlacedTitleTrack]
    ) -> Bool {
        let pictures = composition.videoTracks.map(\.id) + (composition.titleTracks ?? []).map(\.id)
        for (what, ids) in [("picture and titles", pictures), ("sound", composition.audioTracks.map(\.id))] {
            guard ids.count > Limits.mostTracks else { continue }
            let first = ids[Limits.mostTracks]
            let mark =
                tracks.first { $0.composedNames.contains(first) }?.track.mark
                ?? titles.first { $0.id == first }?.mark
            let why = "a track of picture with clips that overlap in a transition counts as two"
            let limit = "the limit is \(Limits.mostTracks), and \(why)"
            let message = "the edit comes to \(ids.count) tracks of \(what); \(limit): \(EditCompilation.fewerPieces)"
            log.error(mark ?? edit.mark, .tooMany, message)
            return false
        }
        return true
    }

    /// Whether the composition's pieces are few enough to be planned; otherwise the finding is made.
    private func hasFewPieces(_ composition: Composition) -> Bool {
        let count = composition.pieceCount
        guard count > allowance.mostPiecesOfComposition else { return true }
        let what = "the edit comes to \(count) segments, titles, instructions and layers"
        let limit = "the limit is \(allowance.mostPiecesOfComposition): \(EditCompilation.fewerPieces)"
        log.error(edit.mark, .tooMany, "\(what); \(limit)")
        return false
    }

    /// What to do about too many pieces of either kind.
    private static let fewerPieces = "render parts of the edit to movies first, and use these"

    /// The instructions; none for an edit without picture, nil after a finding.
    private func instructions(of spans: [[LayerSpan]], frameCount: Int64) -> [VideoCompositionInstruction]? {
        guard !spans.isEmpty else { return [] }
        let assembly = InstructionAssembly(tracks: spans, frameCount: frameCount)
        let count = assembly.pieceCount()
        guard count <= allowance.pieces else {
            let limit = "the limit is \(allowance.mostPieces) over the whole edit and all that are nested in it"
            let message = "cuts and tracks make \(count) layers of picture; \(limit): \(EditCompilation.fewerPieces)"
            log.error(edit.mark, .tooMany, message)
            return nil
        }
        allowance.pieces -= count
        return assembly.instructions()
    }

    func pictureAssembly(_ format: Format, _ numbers: AssetPositions) -> PictureAssembly {
        let grid = TrackGrid(kind: .video, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
        let effects = EffectAssets(assets: assets, unusable: unusable, position: numbers.position, grid: grid)
        let appearances = AppearanceResolver(frame: format.size, grid: grid, assets: effects)
        return PictureAssembly(position: numbers.position, isNested: numbers.isNested, appearances: appearances)
    }

    private func titleTracks(
        _ placed: [PlacedTitleTrack],
        _ format: Format,
        _ numbers: AssetPositions
    ) throws(TimeError) -> [TitleTrack] {
        let assembly = titleAssembly(format)
        var tracks: [TitleTrack] = []
        for track in placed { tracks.append(try assembly.track(track, position: numbers.position)) }
        return tracks
    }

    func mix(
        _ tracks: [PlacedTrack],
        _ format: Format,
        _ numbers: AssetPositions
    ) throws(TimeError) -> (tracks: [AudioTrack], master: MasterMix?) {
        let assembly = SoundAssembly(
            rate: format.frameRate,
            sampleRate: format.sampleRate,
            channels: format.channels,
            log: log,
            position: numbers.position,
            isNested: numbers.isNested
        )
        var ducks = DuckAssembly(edit.tracks, log: log)
        for track in tracks {
            let sounds =
                try track.track.kind == .video ? assembly.sound(ofPicture: track) : assembly.sound(ofTrack: track)
            ducks.append(sounds, of: track)
        }
        return (ducks.tracks(), try assembly.master(edit.master))
    }

    /// - Parameter lengths: frames, and samples per channel, of the whole timeline.
    func outputs(
        _ tracks: [PlacedTrack],
        _ format: Format,
        lengths: (frames: Int64, samples: Int64),
        hasPicture: Bool,
        hasSound: Bool
    ) -> [OutputSettings] {
        let segments = tracks.lazy.filter { $0.track.kind == .video }.flatMap(\.segments)
        let resolver = OutputResolver(
            format: format,
            frameCount: lengths.frames,
            sampleCount: lengths.samples,
            hasPicture: hasPicture,
            hasSound: hasSound,
            unscaled: segments.compactMap { $0.segment.fit }.first { $0.value == .none }?.mark,
            snap: snap,
            options: options,
            log: log
        )
        return resolver.outputs(edit.outputs, document: edit.mark)
    }
}
