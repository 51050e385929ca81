import Foundation

/// A random edit over numbered movies, its text, and what each of its frames must show by docs/edit-format.md.
///
/// ```
/// upper          gap  |== C ==|
/// lower  |== A ==\X/== B ==|  gap  |== D ==|
/// ```
struct CutList: Sendable {
    struct Rate: Sendable {
        var top: Int
        var bottom: Int
        static let all = [
            Rate(top: 25, bottom: 1), Rate(top: 24, bottom: 1), Rate(top: 30000, bottom: 1001),
            Rate(top: 60, bottom: 1),
        ]
        func time(_ frame: Int) -> Exact { Exact(frame * bottom, top) }
    }

    struct Clip: Sendable {
        var movie: Int
        /// Source time at the clip's first frame, and how the edit says it.
        var start: Exact
        var written: String
        var frames: Int
    }

    enum Item: Sendable {
        case clip(Clip)
        case gap(Int)
        case dissolve(Int)
    }

    /// A clip where it lies on the timeline, transitions included.
    struct Placed: Sendable {
        var clip: Clip
        var first: Int
        /// Frames of the dissolves at both ends, 0 for none.
        var fadeIn = 0
        var fadeOut = 0
        var end: Int { first + clip.frames }
    }

    let rate: Rate
    let tracks: [[Item]]
    let placed: [[Placed]]
    let frameCount: Int

    init(seed: Int, movies: [NumberedMovie]) {
        var random = SplitMix(state: UInt64(seed))
        rate = Rate.all[seed % Rate.all.count]
        let lower = CutList.items(rate, movies, count: 3 + random.below(5), &random)
        var tracks = [lower]
        if random.below(3) == 0 {
            tracks.append(
                [.gap(10 + random.below(150))] + CutList.items(rate, movies, count: 1 + random.below(2), &random)
            )
        }
        self.tracks = tracks
        placed = tracks.map(CutList.place)
        frameCount = tracks.map(CutList.length).max() ?? 0
    }

    private static func items(
        _ rate: Rate,
        _ movies: [NumberedMovie],
        count: Int,
        _ random: inout SplitMix
    ) -> [Item] {
        var items: [Item] = []
        // Frames of the last clip that no transition has taken yet; 0 beside a gap or the start.
        var free = 0
        for _ in 0..<count {
            let clip = clip(rate, movies, &random)
            let choice = random.below(4)
            if choice == 0, !items.isEmpty {
                items.append(.gap(1 + random.below(40)))
                free = 0
            }
            let most = min(free == 0 ? 30 : free, clip.frames / 2, 45)
            if choice >= 2, most > 1 {
                let frames = 1 + random.below(most)
                items.append(.dissolve(frames))
                free = clip.frames - frames
            } else {
                free = clip.frames
            }
            items.append(.clip(clip))
        }
        if free > 3, random.below(4) == 0 { items.append(.dissolve(1 + random.below(min(free, 30) - 1))) }
        return items
    }

    private static func clip(_ rate: Rate, _ movies: [NumberedMovie], _ random: inout SplitMix) -> Clip {
        let number = random.below(movies.count)
        let movie = movies[number]
        let (start, written) = inPoint(rate, movie, &random)
        let room = ((movie.end - start) / rate.time(1)).floor
        let wanted = random.below(3) == 0 ? 100 + random.below(400) : 8 + random.below(90)
        return Clip(movie: number, start: start, written: written, frames: min(room, wanted))
    }

    private static func inPoint(_ rate: Rate, _ movie: NumberedMovie, _ random: inout SplitMix) -> (Exact, String) {
        // Room for at least ten frames of any rate stays behind it.
        let latest = (movie.end - Exact(1)).floor
        switch random.below(4) {
        case 0:
            let frame = random.below(movie.frame(at: Exact(latest)))
            return (movie.times[frame], "#\(frame)")
        case 1:
            let frame = random.below(latest * 24)
            return (rate.time(frame), "\(frame)f")
        case 2:
            let thousandths = random.below(latest * 1000)
            return (Exact(thousandths, 1000), "\(thousandths)ms")
        default:
            let parts = random.below(latest * 97)
            return (Exact(parts, 97), "\(parts)/97")
        }
    }

    private static func length(_ items: [Item]) -> Int {
        let end = place(items).last?.end ?? 0
        return end
    }

    private static func place(_ items: [Item]) -> [Placed] {
        var (result, at): ([Placed], Int) = ([], 0)
        for (index, item) in items.enumerated() {
            switch item {
            case .gap(let frames): at += frames
            case .dissolve(let frames):
                guard index > 0, case .clip = items[index - 1] else { continue }
                result[result.count - 1].fadeOut = frames
            case .clip(let clip):
                var next = Placed(clip: clip, first: at)
                if index > 0, case .dissolve(let frames) = items[index - 1] {
                    next.fadeIn = frames
                    if index > 1, case .clip = items[index - 2] { next.first -= frames }
                }
                result.append(next)
                at = next.end
            }
        }
        return result
    }

    func text(_ movies: [NumberedMovie]) -> String {
        let names = movies.indices.map { "\"m\($0)\": \"\(movies[$0].path)\"" }.joined(separator: ", ")
        let lists = tracks.map { items in
            let segments = items.map(written).joined(separator: ",\n")
            return "{ \"kind\": \"video\", \"segments\": [\n\(segments)\n] }"
        }
        return """
            { "schema": "edit/1",
              "format": { "size": [256, 64], "frameRate": "\(rate.top)/\(rate.bottom)", "sampleRate": 48000, "channels": 2 },
              "assets": { \(names) },
              "tracks": [\(lists.joined(separator: ",\n"))],
              "outputs": [{ "preset": "lossless", "file": "out.mkv" }] }
            """
    }

    private func written(_ item: Item) -> String {
        switch item {
        case .gap(let frames): "{ \"gap\": \"\(frames)f\" }"
        case .dissolve(let frames): "{ \"transition\": \"dissolve\", \"duration\": \"\(frames)f\" }"
        case .clip(let clip):
            "{ \"asset\": \"m\(clip.movie)\", \"in\": \"\(clip.written)\", \"duration\": \"\(clip.frames)f\" }"
        }
    }
}

/// Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }
}
