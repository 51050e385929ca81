extension CutList {
    /// The number that a clip shows at a frame of the timeline, from 1.
    func number(_ placed: Placed, at frame: Int, _ movies: [NumberedMovie]) -> Int {
        movies[placed.clip.movie].frame(at: time(placed, at: frame)) + 1
    }

    /// The source time that a clip shows at a frame of the timeline.
    private func time(_ placed: Placed, at frame: Int) -> Exact {
        let step = frame - placed.first
        return switch placed.clip.run {
        case .forwards(let speed): placed.clip.start + rate.time(step) * speed
        case .backwards(let speed): placed.clip.start + rate.time(placed.clip.frames - 1 - step) * speed
        case .held: placed.clip.start
        }
    }

    /// Luma of the sixteen blocks at a frame of the timeline; nil where an edge runs.
    func blocks(at frame: Int, _ movies: [NumberedMovie]) -> [Double?] {
        var values = [Double?](repeating: 16, count: NumberedMovie.blocks)
        for track in placed {
            let here = track.filter { $0.first <= frame && frame < $0.end }
            let below = values
            let first = here.first.map { picture($0, frame, movies) } ?? below
            guard let item = here.first else { continue }
            if here.count == 2 {
                let progress = Exact(frame - here[1].first, here[1].fadeIn)
                values = change(here[1].changeIn, first, picture(here[1], frame, movies), progress)
            } else if frame < item.first + item.fadeIn, !hasNeighbour(before: item, track) {
                values = change(item.changeIn, below, first, Exact(frame - item.first, item.fadeIn))
            } else if frame >= item.end - item.fadeOut, !hasNeighbour(behind: item, track) {
                values = change(item.changeOut, first, below, Exact(frame - item.end + item.fadeOut, item.fadeOut))
            } else {
                values = first
            }
        }
        return values
    }

    private func hasNeighbour(before item: Placed, _ track: [Placed]) -> Bool {
        track.contains { $0.first < item.first && $0.end > item.first }
    }

    private func hasNeighbour(behind item: Placed, _ track: [Placed]) -> Bool {
        track.contains { $0.first > item.first && $0.first < item.end }
    }

    private func picture(_ placed: Placed, _ frame: Int, _ movies: [NumberedMovie]) -> [Double?] {
        let number = number(placed, at: frame, movies)
        return (0..<NumberedMovie.blocks).map { number >> $0 & 1 == 1 ? 235 : 16 }
    }

    private func change(_ change: Change, _ one: [Double?], _ other: [Double?], _ progress: Exact) -> [Double?] {
        let part = Double(progress.top) / Double(progress.bottom)
        let black = [Double?](repeating: 16, count: NumberedMovie.blocks)
        switch change {
        case .dissolve: return mix(one, other, part)
        case .fadeThrough: return part < 0.5 ? mix(one, black, 2 * part) : mix(black, other, 2 * part - 1)
        case .wipe:
            // From the left: a block of 16 samples is of one picture when the edge is not near its middle.
            return one.indices.map { block in
                let edge = part * 256 - Double(block * 16)
                return edge > 13 ? other[block] : edge < 3 ? one[block] : nil
            }
        case .push:
            // To the left: the first picture, and the second behind it.
            let line = one + other
            return one.indices.map { block in
                let place = part * 256 + Double(block * 16 + 8)
                let inside = place.truncatingRemainder(dividingBy: 16)
                guard (5...11).contains(inside) else { return nil }
                return line[min(Int(place / 16), line.count - 1)]
            }
        }
    }

    private func mix(_ one: [Double?], _ other: [Double?], _ weight: Double) -> [Double?] {
        zip(one, other).map { one, other in
            guard let one, let other else { return nil }
            return one + (other - one) * weight
        }
    }

    // MARK: Borders

    /// Frames at which a clip begins or ends without a transition.
    var cuts: Set<Int> {
        Set(
            placed.joined().flatMap { item in
                (item.fadeIn == 0 ? [item.first] : []) + (item.fadeOut == 0 ? [item.end] : [])
            }
        )
    }

    /// Frames at which a transition begins or ends.
    var transitionEdges: Set<Int> {
        Set(
            placed.joined().flatMap { item in
                (item.fadeIn > 0 ? [item.first, item.first + item.fadeIn] : [])
                    + (item.fadeOut > 0 ? [item.end - item.fadeOut, item.end] : [])
            }
        )
    }

    /// Whether a clip above begins or ends there over a transition under way, so that the transition ends or begins to
    /// the eye.
    func uncoversTransition(at frame: Int) -> Bool {
        cuts.contains(frame) && showsTransition(frame) != showsTransition(frame - 1)
    }

    private func showsTransition(_ frame: Int) -> Bool {
        var result = false
        for track in placed {
            let here = track.filter { $0.first <= frame && frame < $0.end }
            guard let item = here.first else { continue }
            result = here.count == 2 || frame < item.first + item.fadeIn || frame >= item.end - item.fadeOut
        }
        return result
    }

    /// Whether `frame` is the first of the timeline that shows an entry point of the one clip on top.
    func showsEntry(_ frame: Int, _ movies: [NumberedMovie]) -> Bool {
        guard let item = placed.compactMap({ $0.last { $0.first < frame && frame < $0.end } }).last else {
            return false
        }
        let (source, before) = (number(item, at: frame, movies) - 1, number(item, at: frame - 1, movies) - 1)
        // Backwards an entry point is left behind.
        let entry = max(source, before)
        return movies[item.clip.movie].entries.contains(entry) && source != before
    }

    /// Whether the source time of a clip that is on screen there passes a multiple of ten seconds. Gaps are shorter.
    func passesTenSeconds(_ frame: Int) -> Bool {
        placed.joined().contains { item in
            guard item.first < frame && frame < item.end else { return false }
            return runStarts(item, before: frame).contains {
                lengths(item, at: frame - 1, from: $0) != lengths(item, at: frame, from: $0)
            }
        }
    }

    /// Where a run may begin in which a clip is on screen: there, and where another clip or transition begins or ends.
    private func runStarts(_ item: Placed, before frame: Int) -> [Int] {
        [item.first] + cuts.union(transitionEdges).filter { item.first < $0 && $0 < frame }
    }

    /// Whether `frame` halves what would be one segment of four seconds or more.
    func isMiddle(_ frame: Int) -> Bool { frame == frameCount / 2 }

    /// Tens of seconds of the timeline at a frame, counted in the source's time; of a held frame from where a run begins.
    private func lengths(_ item: Placed, at frame: Int, from start: Int) -> Int {
        switch item.clip.run {
        case .forwards(let speed), .backwards(let speed): (time(item, at: frame) / (speed * Exact(10))).floor
        case .held: (rate.time(frame - start) / Exact(10)).floor
        }
    }
}
