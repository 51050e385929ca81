import CompositionModel
import Timing

/// Gives titles their places on the timeline, their faces and their canonical form.
struct TitleAssembly {
    let format: Format
    let assets: [String: CompilerAsset]
    /// Names of assets of which nothing can be known; that is said elsewhere.
    let unusable: Set<String>
    let log: FindingLog
    let editSnap: SnapRule

    private var grid: TrackGrid {
        TrackGrid(kind: .video, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
    }

    /// The titles of `track` in order of time; what could not be placed has left a finding.
    func place(_ track: EditTrack, id: String) -> PlacedTitleTrack {
        var placed = PlacedTitleTrack(id: id, mark: track.mark)
        for item in track.titles {
            do throws(TimeError) {
                switch item {
                case .gap(let gap): try place(gap, on: &placed)
                case .title(let title): try place(title, on: &placed)
                }
            } catch {
                log.error(item.mark, .timeOverflow, "a time here is too large or too fine to compute with exactly")
            }
        }
        return placed
    }

    private func place(_ gap: EditGap, on track: inout PlacedTitleTrack) throws(TimeError) {
        guard let seconds = grid.seconds(gap.duration) else { return }
        let time = try grid.placed(seconds, snap: editSnap, mark: gap.duration.mark)
        track.cursor = try track.cursor.adding(time)
        track.end = max(track.end, try grid.position(track.cursor))
    }

    private func place(_ title: EditTitle, on track: inout PlacedTitleTrack) throws(TimeError) {
        let snap = title.snap?.value ?? editSnap
        var start = track.cursor
        if let at = title.at, let written = grid.seconds(at) {
            start = try grid.placed(written, snap: snap, mark: at.mark)
            if start < track.cursor {
                let ends = "before the one before it ends at \(TimeWords.seconds(track.cursor))"
                let message = "the title begins at \(TimeWords.seconds(start)), \(ends); overlaps need another track"
                log.error(at.mark, .segmentsOverlap, message)
                start = track.cursor
            }
        }
        guard let seconds = grid.seconds(title.duration) else { return }
        let end = try start.adding(grid.placed(seconds, snap: snap, mark: title.duration.mark))
        guard grid.isWithinLimits(end, mark: title.duration.mark) else { return }
        let (first, last) = (try grid.position(start), try grid.position(end))
        guard last > first else {
            let message = "\(TimeWords.seconds(seconds)) is shorter than one frame"
            return log.error(title.duration.mark, .tooShort, message)
        }
        track.cursor = editSnap == .nearest ? end : try RationalTime(last, of: grid.unit)
        track.end = max(track.end, last)
        var placed = PlacedTitle(title: title, start: first, end: last)
        let fonts = TitleFonts(assets: assets, unusable: unusable, log: log)
        for text in title.texts {
            placed.faces[text.text.mark.pointer] = fonts.faces(of: text)
            checkSize(of: text)
        }
        if case .subtitles(let subtitles) = title.content {
            placed.subtitles = SubtitleFonts(fonts: fonts).place(subtitles, grid: grid)
        }
        for image in title.images { placed.streams[image.asset.value] = stream(of: image) }
        track.titles.append(placed)
    }

    private func checkSize(of text: EditTitleText) {
        guard let problem = TitleWords(frame: format.size).text(text, faces: []).sizeProblem() else { return }
        log.error(text.text.mark, .textTooLarge, "\(problem); \(TitleWords.sizeRemedy)")
    }

    /// - Returns: nil after a finding, here or elsewhere.
    private func stream(of image: EditTitleImage) -> VideoStreamFacts? {
        guard let facts = assets[image.asset.value]?.facts else { return nil }
        guard assets[image.asset.value]?.composition == nil else {
            let message = "asset \"\(image.asset.value)\" is an edit; an image of a title is a picture that has a file"
            log.error(image.asset.mark, .noPicture, message)
            return nil
        }
        if let stream = facts.defaultVideo { return stream }
        let message = "asset \"\(image.asset.value)\" has no picture: \(facts.words)"
        log.error(image.asset.mark, .noPicture, message)
        return nil
    }

    /// - Parameter position: gives the position of an asset in the composition.
    func track(_ placed: PlacedTitleTrack, position: @escaping (String) -> Int) throws(TimeError) -> TitleTrack {
        var segments: [TitleTrackSegment] = []
        for title in placed.titles {
            let target = FrameRange(start: title.start, count: title.end - title.start)
            segments.append(TitleTrackSegment(target: target, layers: try layers(title, position: position)))
        }
        return TitleTrack(id: placed.id, segments: segments)
    }

    private func layers(_ placed: PlacedTitle, position: @escaping (String) -> Int) throws(TimeError) -> [TitleLayer] {
        let effects = EffectAssets(assets: assets, unusable: unusable, position: position, grid: grid)
        let resolver = TitleLayerResolver(
            placed: placed,
            frame: format.size,
            grid: grid,
            position: position,
            assets: effects
        )
        let motion = try motion(of: placed)
        let appearance = resolver.appearance(placed.title.appearance)
        switch placed.title.content {
        case .text(let text):
            return [TitleLayer(text: resolver.text(text, appearance), appearance: appearance, motion: motion)]
        case .subtitles(let written):
            return resolver.subtitles(written).map {
                [TitleLayer(subtitles: $0, appearance: appearance, motion: motion)]
            } ?? []
        case .layers(let written):
            let layers = try resolver.layers(written)
            guard appearance != nil || motion != nil else { return layers }
            return [TitleLayer(group: layers, appearance: appearance, motion: motion)]
        }
    }

    private func motion(of placed: PlacedTitle) throws(TimeError) -> TitleMotion? {
        let title = placed.title
        guard title.enter != nil || title.exit != nil else { return nil }
        var moves = TitleMoves(length: try RationalTime(placed.end - placed.start, of: grid.unit), frame: format.size)
        if let enter = title.enter { moves.enter(enter, seconds: try seconds(of: enter, within: moves.length)) }
        if let exit = title.exit { try moves.exit(exit, seconds: try seconds(of: exit, within: moves.length)) }
        if let enter = title.enter, let exit = title.exit {
            let both = try seconds(of: enter, within: moves.length).adding(seconds(of: exit, within: moves.length))
            if both > moves.length {
                let numbers = "\(TimeWords.seconds(both)), longer than its \(TimeWords.seconds(moves.length))"
                log.error(exit.mark, .movesMeet, "\"enter\" and \"exit\" of the title last \(numbers)")
            }
        }
        return moves.motion
    }

    private func seconds(of move: EditTitleMove, within length: RationalTime) throws(TimeError) -> RationalTime {
        let half = try length.divided(by: RationalTime(whole: 2))
        guard let written = move.duration else { return min(try RationalTime(1, 2), half) }
        guard let seconds = grid.seconds(written) else { return half }
        guard seconds <= length else {
            let numbers = "\(TimeWords.seconds(seconds)), the title only \(TimeWords.seconds(length))"
            log.error(written.mark, .moveTooLong, "the move lasts \(numbers)")
            return half
        }
        return seconds
    }
}

/// A title that has its place and its faces.
struct PlacedTitle {
    var title: EditTitle
    /// The first frame and the one after the last.
    var start: Int64
    var end: Int64
    /// The faces of its texts, by JSON Pointer.
    var faces: [String: [FontPlace]] = [:]
    /// The streams of its pictures, by the asset's name.
    var streams: [String: VideoStreamFacts] = [:]
    var subtitles: PlacedSubtitles?

    /// Names of all assets that it shows, in the order of the edit.
    var assets: [String] {
        let fonts = title.texts.flatMap { faces[$0.text.mark.pointer] ?? [] }.map(\.asset)
        let own = subtitles.map { [$0.asset] + $0.faces.map(\.asset) } ?? []
        return title.images.map(\.asset.value).filter { streams[$0] != nil } + fonts + own
    }
}

/// A face of an asset of the edit.
struct FontPlace: Sendable, Hashable {
    /// The name in the edit.
    var asset: String
    /// The number of the font in a subtitle file; nil for a font file.
    var font: Int?
    var index: Int

    init(asset: String, font: Int? = nil, index: Int) {
        (self.asset, self.font, self.index) = (asset, font, index)
    }
}

/// A title track whose titles have their places, in order of time.
struct PlacedTitleTrack {
    var id: String
    var mark: SourceMark
    var titles: [PlacedTitle] = []
    /// The exact end of what came before.
    var cursor: RationalTime = .zero
    /// The frame at which its last title or gap ends.
    var end: Int64 = 0

    /// The spans in which it shows something.
    var spans: [LayerSpan] {
        titles.map { title in
            let frames = FrameRange(start: title.start, count: title.end - title.start)
            return LayerSpan(frames: frames, layer: LayerInstruction(track: id))
        }
    }
}
