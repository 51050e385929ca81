/// One compiling of an edit.
struct EditCompilation {
    let edit: Edit
    let assets: [String: CompilerAsset]
    let options: CompileOptions
    let log: FindingLog

    /// - Returns: nil, or something unfinished, after a finding.
    func composition() -> Composition? {
        guard hasFewTracks, let format = FormatResolver(edit: edit, assets: assets, log: log).format() else {
            return nil
        }
        let tracks = placed(format)
        do throws(TimeError) {
            return try assemble(tracks, format)
        } catch {
            log.error(edit.mark, "time-overflow", "a time of the edit is too large or too fine to compute with exactly")
            return nil
        }
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

    private func placed(_ format: Format) -> [PlacedTrack] {
        let sources = SourceResolver(assets: assets, log: log)
        var names = TrackNames(edit.tracks)
        return edit.tracks.map { track in
            let grid = TrackGrid(kind: track.kind, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
            var layout = TrackLayout(grid: grid, sources: sources, editSnap: snap)
            return layout.place(track, id: names.name(of: track))
        }
    }

    private func assemble(_ tracks: [PlacedTrack], _ format: Format) throws(TimeError) -> Composition? {
        guard let frameCount = try length(of: tracks, format) else { return nil }
        let numbers = AssetPositions(tracks, assets)
        let pictures = tracks.filter { $0.track.kind == .video }
        let assembly = PictureAssembly(position: numbers.position)
        let spans = pictures.map(LayerSpan.spans)
        let sounds = try audioTracks(tracks, format, numbers)
        return Composition(
            format: format,
            frameCount: frameCount,
            assets: numbers.assets,
            videoTracks: pictures.flatMap(assembly.tracks),
            instructions: pictures.isEmpty
                ? [] : InstructionAssembly(tracks: spans, frameCount: frameCount).instructions(),
            audioTracks: sounds,
            outputs: outputs(tracks, format, frameCount, hasSound: !sounds.isEmpty)
        )
    }

    /// To the end of the longest track, rounded up to a frame.
    private func length(of tracks: [PlacedTrack], _ format: Format) throws(TimeError) -> Int64? {
        var frames: Int64 = 0
        for track in tracks {
            if track.track.kind == .video {
                frames = max(frames, track.end)
            } else {
                let end = try RationalTime(track.end, Int64(format.sampleRate))
                frames = max(frames, try format.frameRate.frame(at: end, rounding: .up).value)
            }
        }
        guard frames > 0 else {
            if !log.hasErrors { log.error(edit.mark, "empty-edit", "nothing is placed on the timeline") }
            return nil
        }
        let grid = TrackGrid(kind: .video, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
        return grid.isWithinLimits(try format.frameRate.time(ofFrame: frames), mark: edit.mark) ? frames : nil
    }

    private func audioTracks(
        _ tracks: [PlacedTrack],
        _ format: Format,
        _ numbers: AssetPositions
    ) throws(TimeError) -> [AudioTrack] {
        let assembly = SoundAssembly(
            rate: format.frameRate,
            sampleRate: format.sampleRate,
            log: log,
            position: numbers.position
        )
        var sounds: [AudioTrack] = []
        for track in tracks {
            sounds +=
                try track.track.kind == .video ? assembly.sound(ofPicture: track) : assembly.sound(ofTrack: track)
        }
        return sounds
    }

    private func outputs(
        _ tracks: [PlacedTrack],
        _ format: Format,
        _ frameCount: Int64,
        hasSound: Bool
    ) -> [OutputSettings] {
        let segments = tracks.filter { $0.track.kind == .video }.flatMap(\.segments)
        let resolver = OutputResolver(
            format: format,
            frameCount: frameCount,
            hasPicture: tracks.contains { $0.track.kind == .video },
            hasSound: hasSound,
            unscaled: segments.compactMap(\.segment.fit).first { $0.value == .none }?.mark,
            snap: snap,
            options: options,
            log: log
        )
        return resolver.outputs(edit.outputs, document: edit.mark)
    }
}

/// Names of tracks: as written, else `v1`, `v2`, … and `a1`, `a2`, …, leaving out what is taken.
struct TrackNames {
    private let written: Set<String>
    private var counts: [EditTrack.Kind: Int] = [:]

    init(_ tracks: [EditTrack]) { written = Set(tracks.compactMap(\.id?.value)) }

    mutating func name(of track: EditTrack) -> String {
        if let id = track.id { return id.value }
        while true {
            let number = counts[track.kind, default: 0] + 1
            counts[track.kind] = number
            let name = (track.kind == .video ? "v" : "a") + "\(number)"
            if !written.contains(name) { return name }
        }
    }
}

/// Assets in order of first use.
struct AssetPositions {
    let assets: [CompositionAsset]
    private let positions: [String: Int]

    init(_ tracks: [PlacedTrack], _ known: [String: CompilerAsset]) {
        var assets: [CompositionAsset] = []
        var positions: [String: Int] = [:]
        for name in tracks.flatMap(\.segments).map(\.asset) where positions[name] == nil {
            guard let asset = known[name] else { continue }
            positions[name] = assets.count
            assets.append(CompositionAsset(name: name, digest: asset.digest))
        }
        self.assets = assets
        self.positions = positions
    }

    /// Of an asset that a placed segment uses.
    func position(_ name: String) -> Int { positions[name] ?? 0 }
}
