import Timing
import CompositionModel

/// One compiling of an edit.
struct EditCompilation {
    let edit: Edit
    let assets: [String: CompilerAsset]
    /// Names of assets of which nothing can be known.
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
            log.error(edit.mark, "time-overflow", "a time of the edit is too large or too fine to compute with exactly")
            return nil
        }
    }

    /// What of the log holds whatever the unusable assets are.
    var judgeable: JudgeableFindings {
        JudgeableFindings(
            isFormatUnknown: !formatResolver.isCertain(without: unusable),
            isRateWritten: edit.format.frameRate != nil
        )
    }

    private var formatResolver: FormatResolver {
        FormatResolver(edit: edit, assets: assets, codecs: codecs, log: log)
    }

    /// Of the edit's own outputs too where the command names another preset: what is measured or looked at is what they
    /// render. An edit without outputs is measured as its sources are.
    private var codecs: Set<AudioEncoding.Codec> {
        let names = edit.outputs.map(\.preset.value) + (options.preset.map { [$0] } ?? [])
        let presets = names.isEmpty ? [OutputResolver.defaultPreset] : names
        return Set(presets.compactMap { PresetCatalog.preset(named: $0)?.soundCodec })
    }

    private var hasFewTracks: Bool {
        for kind in EditTrack.Kind.allCases {
            let tracks = edit.tracks.filter { $0.kind == kind }
            guard tracks.count > Limits.mostTracks else { continue }
            let limit = "the limit is \(Limits.mostTracks)"
            log.error(
                tracks[Limits.mostTracks].mark,
                "too-many",
                "the edit has \(tracks.count) \(kind) tracks; \(limit)"
            )
        }
        return !log.hasErrors
    }

    private var snap: SnapRule { edit.snap?.value ?? .never }

    /// Title tracks apart from the others.
    private func placed(_ format: Format) -> ([PlacedTrack], [PlacedTitleTrack]) {
        let sources = SourceResolver(assets: assets, unusable: unusable, log: log)
        var names = TrackNames(edit.tracks)
        let named = edit.tracks.map { (track: $0, id: names.name(of: $0)) }
        let assembly = titleAssembly(format)
        let titles = named.filter { $0.track.kind == .title }.map { assembly.place($0.track, id: $0.id) }
        var tracks: [Int: PlacedTrack] = [:]
        var loopRuns = Limits.loopRuns
        // Sound may end with the picture: that is placed before it.
        for kind in [EditTrack.Kind.video, .audio] {
            let ends = titles.map(\.end) + tracks.values.map(\.end)
            let pictureEnd = ends.max().flatMap { try? format.frameRate.time(ofFrame: $0) }
            for (index, (track, id)) in named.enumerated() where track.kind == kind {
                let grid = TrackGrid(kind: kind, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
                var layout = TrackLayout(grid: grid, sources: sources, editSnap: snap, rampSteps: allowance.rampSteps)
                (layout.loopRuns, layout.pictureEnd) = (loopRuns, kind == .audio ? pictureEnd : nil)
                tracks[index] = layout.place(track, id: id)
                (allowance.rampSteps, loopRuns) = (layout.rampSteps, layout.loopRuns)
            }
        }
        return (named.indices.compactMap { tracks[$0] }, titles)
    }

    private func titleAssembly(_ format: Format) -> TitleAssembly {
        TitleAssembly(format: format, assets: assets, unusable: unusable, log: log, editSnap: snap)
    }

    /// Spans of all that is seen, from the bottom up.
    private func spans(
        _ tracks: [PlacedTrack],
        _ titles: [PlacedTitleTrack],
        position: (String) -> Int
    ) -> [[LayerSpan]] {
        let pictures = tracks.filter { $0.track.kind == .video }
        let known = Dictionary(
            pictures.map { ($0.track.mark.pointer, LayerSpan.spans(of: $0, position: position)) }
                + titles.map { ($0.mark.pointer, $0.spans) },
            uniquingKeysWith: { first, _ in first }
        )
        return edit.tracks.compactMap { known[$0.mark.pointer] }
    }

    private func assemble(
        _ tracks: [PlacedTrack],
        _ titles: [PlacedTitleTrack],
        _ format: Format
    ) throws(TimeError) -> Composition? {
        guard let frameCount = try length(of: tracks, titles, format) else { return nil }
        let numbers = AssetPositions(tracks, titles, assets)
        let pictures = tracks.filter { $0.track.kind == .video }
        let assembly = pictureAssembly(format, numbers)
        let spans = spans(tracks, titles, position: numbers.position)
        if !spans.isEmpty, spans.allSatisfy(\.isEmpty) {
            log.warning(edit.mark, "never-seen", "no track shows anything: the picture is the background alone")
        }
        guard let instructions = instructions(of: spans, frameCount: frameCount) else { return nil }
        let (sounds, master) = try mix(tracks, format, numbers)
        warn(of: sounds, numbers)
        return Composition(
            format: format,
            frameCount: frameCount,
            assets: numbers.assets,
            nested: numbers.nested,
            videoTracks: pictures.flatMap(assembly.tracks),
            titleTracks: titles.isEmpty ? nil : try titleTracks(titles, format, numbers),
            instructions: instructions,
            audioTracks: sounds,
            master: sounds.isEmpty ? nil : master,
            outputs: outputs(tracks, format, frameCount, hasPicture: !spans.isEmpty, hasSound: !sounds.isEmpty)
        )
    }

    /// None without picture; nil after a finding.
    private func instructions(of spans: [[LayerSpan]], frameCount: Int64) -> [VideoCompositionInstruction]? {
        guard !spans.isEmpty else { return [] }
        let assembly = InstructionAssembly(tracks: spans, frameCount: frameCount)
        let count = assembly.pieceCount()
        guard count <= allowance.pieces else {
            let limit = "the limit is \(Limits.mostSegments) over the whole edit and all that are nested in it"
            log.error(edit.mark, "too-many", "cuts and tracks make \(count) layers of picture; \(limit)")
            return nil
        }
        allowance.pieces -= count
        return assembly.instructions()
    }

    private func pictureAssembly(_ format: Format, _ numbers: AssetPositions) -> PictureAssembly {
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

    /// What of ``assemble(_:_:)`` can be found wrong while some assets are unusable.
    private func check(
        _ tracks: [PlacedTrack],
        _ titles: [PlacedTitleTrack],
        _ format: Format
    ) throws(TimeError) {
        let heard = tracks.map { track in
            var track = track
            track.segments.removeAll { unusable.contains($0.asset) }
            return track
        }
        let numbers = AssetPositions(heard, [], assets)
        _ = try mix(heard, format, numbers)
        let assembly = pictureAssembly(format, numbers)
        for track in tracks where track.track.kind == .video { _ = assembly.tracks(of: track) }
        // A segment that writes no length is as long as its asset: then nobody knows how long the edit is.
        let isEndless = edit.tracks.contains { $0.items.contains { hasUnknownLength($0) } }
        guard let frameCount = isEndless ? .max : try length(of: tracks, titles, format) else { return }
        let hasPicture = edit.tracks.contains { $0.kind != .audio }
        _ = outputs(tracks, format, frameCount, hasPicture: hasPicture, hasSound: true)
    }

    private func hasUnknownLength(_ item: EditItem) -> Bool {
        guard case .segment(let segment) = item, unusable.contains(segment.asset.value) else { return false }
        return segment.duration == nil && segment.range == nil
    }

    /// To the end of the longest track, rounded up to a frame.
    private func length(
        of tracks: [PlacedTrack],
        _ titles: [PlacedTitleTrack],
        _ format: Format
    ) throws(TimeError) -> Int64? {
        var frames = titles.map(\.end).max() ?? 0
        for track in tracks {
            if track.track.kind == .video {
                frames = max(frames, track.end)
            } else {
                let count = try format.frameRate.frameCount(ofSamples: track.end, sampleRate: format.sampleRate)
                frames = max(frames, count)
            }
        }
        guard frames > 0 else {
            if !log.hasErrors { log.error(edit.mark, "empty-edit", "nothing is placed on the timeline") }
            return nil
        }
        let grid = TrackGrid(kind: .video, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
        return grid.isWithinLimits(try format.frameRate.time(ofFrame: frames), mark: edit.mark) ? frames : nil
    }

    private func mix(
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

    private func outputs(
        _ tracks: [PlacedTrack],
        _ format: Format,
        _ frameCount: Int64,
        hasPicture: Bool,
        hasSound: Bool
    ) -> [OutputSettings] {
        let segments = tracks.filter { $0.track.kind == .video }.flatMap(\.segments)
        let resolver = OutputResolver(
            format: format,
            frameCount: frameCount,
            hasPicture: hasPicture,
            hasSound: hasSound,
            unscaled: segments.compactMap(\.segment.fit).first { $0.value == .none }?.mark,
            snap: snap,
            options: options,
            log: log
        )
        return resolver.outputs(edit.outputs, document: edit.mark)
    }
}

/// Names of tracks: as written, else `v1`, `v2`, …, `a1`, `a2`, … and `t1`, `t2`, …, leaving out what is taken.
struct TrackNames {
    private let written: Set<String>
    private var counts: [EditTrack.Kind: Int] = [:]

    init(_ tracks: [EditTrack]) { written = Set(tracks.compactMap(\.id?.value)) }

    mutating func name(of track: EditTrack) -> String {
        if let id = track.id { return id.value }
        while true {
            let number = counts[track.kind, default: 0] + 1
            counts[track.kind] = number
            let name = "\(track.kind.rawValue.prefix(1))\(number)"
            if !written.contains(name) { return name }
        }
    }
}

/// Assets in order of first use: clips, maps of transitions, what titles show, what effects work with; nested edits are
/// counted by themselves, and bring along what they use.
struct AssetPositions {
    let assets: [CompositionAsset]
    /// Nil is none.
    let nested: [NestedComposition]?
    private let positions: [String: Int]
    private let edits: Set<String>

    init(_ tracks: [PlacedTrack], _ titles: [PlacedTitleTrack], _ known: [String: CompilerAsset]) {
        var parts = CompositionParts()
        var positions: [String: Int] = [:]
        var edits: Set<String> = []
        let segments = tracks.flatMap(\.segments)
        let maps = segments.flatMap { [$0.fadeIn?.map, $0.fadeOut?.map] }.compactMap { $0?.asset }
        let drawn = titles.flatMap(\.titles).flatMap(\.assets)
        let effects =
            tracks.flatMap(\.track.appearance.assets) + segments.flatMap(\.segment.appearance.assets)
            + titles.flatMap(\.titles).flatMap(\.title.appearances).flatMap(\.assets)
        for name in segments.map(\.asset) + maps + drawn + effects where positions[name] == nil {
            guard let asset = known[name] else { continue }
            if let composition = asset.composition {
                positions[name] = parts.embed(composition, name: name)
                edits.insert(name)
                continue
            }
            positions[name] = parts.assets.count
            parts.assets.append(CompositionAsset(name: name, digest: asset.digest))
        }
        assets = parts.assets
        nested = parts.nested.isEmpty ? nil : parts.nested
        (self.positions, self.edits) = (positions, edits)
    }

    /// Whether an asset is an edit: then its position is one of the nested ones.
    func isNested(_ name: String) -> Bool { edits.contains(name) }

    /// Of an asset that a placed segment or transition uses.
    func position(_ name: String) -> Int { positions[name] ?? 0 }
}
