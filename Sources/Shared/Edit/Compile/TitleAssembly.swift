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
                log.error(item.mark, "time-overflow", "a time here is too large or too fine to compute with exactly")
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
                log.error(at.mark, "segments-overlap", message)
                start = track.cursor
            }
        }
        guard let seconds = grid.seconds(title.duration) else { return }
        let end = try start.adding(grid.placed(seconds, snap: snap, mark: title.duration.mark))
        guard grid.isWithinLimits(end, mark: title.duration.mark) else { return }
        let (first, last) = (try grid.position(start), try grid.position(end))
        guard last > first else {
            let message = "\(TimeWords.seconds(seconds)) is shorter than one frame"
            return log.error(title.duration.mark, "too-short", message)
        }
        track.cursor = editSnap == .nearest ? end : try RationalTime(last, of: grid.unit)
        track.end = max(track.end, last)
        let faces = TitleFonts(assets: assets, unusable: unusable, log: log).faces(of: title.text)
        track.titles.append(PlacedTitle(title: title, start: first, end: last, faces: faces))
    }

    /// - Parameter position: of an asset in the composition.
    func track(_ placed: PlacedTitleTrack, position: (String) -> Int) throws(TimeError) -> TitleTrack {
        var segments: [TitleTrackSegment] = []
        for title in placed.titles {
            let target = FrameRange(start: title.start, count: title.end - title.start)
            segments.append(TitleTrackSegment(target: target, layers: [try layer(title, position: position)]))
        }
        return TitleTrack(id: placed.id, segments: segments)
    }

    private func layer(_ placed: PlacedTitle, position: (String) -> Int) throws(TimeError) -> TitleLayer {
        let words = TitleWords(frame: format.size)
        let faces = placed.faces.map { FontFace(asset: position($0.asset), index: $0.index) }
        let resolver = AppearanceResolver(frame: format.size, grid: grid)
        return TitleLayer(
            text: words.text(placed.title.text, faces: faces),
            appearance: resolver.appearance(placed.title.appearance, box: format.size),
            motion: try motion(of: placed)
        )
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
                log.error(exit.mark, "moves-meet", "\"enter\" and \"exit\" of the title last \(numbers)")
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
            log.error(written.mark, "move-too-long", "the move lasts \(numbers)")
            return half
        }
        return seconds
    }
}

/// A title that has its place and its faces.
struct PlacedTitle {
    var title: EditTitle
    /// Frames; the end is exclusive.
    var start: Int64
    var end: Int64
    var faces: [FontPlace]
}

/// A face of an asset of the edit.
struct FontPlace: Sendable, Hashable {
    /// The name in the edit.
    var asset: String
    var index: Int
}

/// A title track whose titles have their places, in order of time.
struct PlacedTitleTrack {
    var id: String
    var mark: SourceMark
    var titles: [PlacedTitle] = []
    /// Exact end of what came before.
    var cursor: RationalTime = .zero
    /// In frames: the end of its last title or gap.
    var end: Int64 = 0

    /// Where it shows something.
    var spans: [LayerSpan] {
        titles.map { title in
            let frames = FrameRange(start: title.start, count: title.end - title.start)
            return LayerSpan(frames: frames, layer: LayerInstruction(track: id))
        }
    }
}
