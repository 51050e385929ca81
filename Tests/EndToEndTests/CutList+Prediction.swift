extension CutList {
    /// The number that a clip shows at a frame of the timeline, from 1.
    func number(_ placed: Placed, at frame: Int, _ movies: [NumberedMovie]) -> Int {
        let movie = movies[placed.clip.movie]
        return movie.frame(at: placed.clip.start + rate.time(frame - placed.first)) + 1
    }

    /// Luma of the sixteen blocks at a frame of the timeline.
    func blocks(at frame: Int, _ movies: [NumberedMovie]) -> [Double] {
        var values = [Double](repeating: 16, count: NumberedMovie.blocks)
        for track in placed {
            let here = track.filter { $0.first <= frame && frame < $0.end }
            let below = values
            let first = here.first.map { picture($0, frame, movies) } ?? below
            guard let item = here.first else { continue }
            if here.count == 2 {
                let weight = Double(frame - here[1].first) / Double(here[1].fadeIn)
                values = mix(first, picture(here[1], frame, movies), weight)
            } else if frame < item.first + item.fadeIn, !hasNeighbour(before: item, track) {
                values = mix(below, first, Double(frame - item.first) / Double(item.fadeIn))
            } else if frame >= item.end - item.fadeOut, !hasNeighbour(behind: item, track) {
                values = mix(first, below, Double(frame - item.end + item.fadeOut) / Double(item.fadeOut))
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

    private func picture(_ placed: Placed, _ frame: Int, _ movies: [NumberedMovie]) -> [Double] {
        let number = number(placed, at: frame, movies)
        return (0..<NumberedMovie.blocks).map { number >> $0 & 1 == 1 ? 235 : 16 }
    }

    private func mix(_ one: [Double], _ other: [Double], _ weight: Double) -> [Double] {
        zip(one, other).map { $0 + ($1 - $0) * weight }
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
        let source = number(item, at: frame, movies) - 1
        return movies[item.clip.movie].entries.contains(source) && number(item, at: frame - 1, movies) - 1 < source
    }

    /// Whether the source time of a clip that is on screen there passes a multiple of ten seconds. Gaps are shorter.
    func passesTenSeconds(_ frame: Int) -> Bool {
        placed.joined().contains { item in
            guard item.first < frame && frame < item.end else { return false }
            let step = { (frame: Int) in ((item.clip.start + self.rate.time(frame - item.first)) / Exact(10)).floor }
            return step(frame - 1) < step(frame)
        }
    }
}
