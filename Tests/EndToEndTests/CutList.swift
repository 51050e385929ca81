import Foundation
import TestSupport

/// A random edit over numbered movies, its text, and what each of its frames must show by docs/edit-format.md.
///
/// ```
/// upper          gap  |== C ==|
/// lower  |== A ==\X/== B ==|  gap  |== D ==|
/// ```
/// Clips run at their own speed, at another, backwards or not at all.
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
        var run = Run.forwards(Exact(1))
    }

    /// How the source runs.
    enum Run: Sendable {
        case forwards(Exact)
        /// The frames that it would show forwards, the last first.
        case backwards(Exact)
        case held

        /// As the edit says it; nil for nothing.
        var written: String? {
            switch self {
            case .forwards(let speed): speed == Exact(1) ? nil : "\"speed\": \"\(speed)\""
            case .backwards(let speed): "\"speed\": \"-\(speed)\""
            case .held: nil
            }
        }
    }

    /// A transition whose every sample is easily foretold.
    enum Change: String, Sendable, CaseIterable {
        case dissolve, fadeThrough, wipe, push

        /// Whether it leaves the pictures where they are, so that it can play against what lies below.
        var staysInPlace: Bool { self != .push }
    }

    enum Item: Sendable {
        case clip(Clip)
        case gap(Int)
        case transition(Change, Int)
    }

    /// A clip where it lies on the timeline, transitions included.
    struct Placed: Sendable {
        var clip: Clip
        var first: Int
        /// Frames of the transitions at both ends, 0 for none, and which they are.
        var fadeIn = 0
        var fadeOut = 0
        var changeIn = Change.dissolve
        var changeOut = Change.dissolve
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
                items.append(.transition(change(isBetweenClips: free > 0, &random), frames))
                free = clip.frames - frames
            } else {
                free = clip.frames
            }
            items.append(.clip(clip))
        }
        if free > 3, random.below(4) == 0 {
            let frames = 1 + random.below(min(free, 30) - 1)
            items.append(.transition(change(isBetweenClips: false, &random), frames))
        }
        return items
    }

    private static func change(isBetweenClips: Bool, _ random: inout SplitMix) -> Change {
        let all = Change.allCases.filter { isBetweenClips || $0.staysInPlace }
        return all[random.below(all.count)]
    }

    private static func clip(_ rate: Rate, _ movies: [NumberedMovie], _ random: inout SplitMix) -> Clip {
        let number = random.below(movies.count)
        let movie = movies[number]
        let (start, written) = inPoint(rate, movie, &random)
        let run = run(&random)
        let wanted = random.below(3) == 0 ? 100 + random.below(400) : 8 + random.below(90)
        var room = wanted
        if case .forwards(let speed) = run { room = ((movie.end - start) / (rate.time(1) * speed)).floor }
        if case .backwards(let speed) = run { room = ((movie.end - start) / (rate.time(1) * speed)).floor }
        return Clip(movie: number, start: start, written: written, frames: min(room, wanted), run: run)
    }

    private static func run(_ random: inout SplitMix) -> Run {
        let speeds = [Exact(1), Exact(2), Exact(1, 2), Exact(4, 3), Exact(2, 5)]
        switch random.below(8) {
        case 0, 1: return .forwards(speeds[random.below(speeds.count)])
        case 2: return .backwards(speeds[random.below(speeds.count)])
        case 3: return .held
        default: return .forwards(Exact(1))
        }
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
            case .transition(let change, let frames):
                guard index > 0, case .clip = items[index - 1] else { continue }
                result[result.count - 1].fadeOut = frames
                result[result.count - 1].changeOut = change
            case .clip(let clip):
                var next = Placed(clip: clip, first: at)
                if index > 0, case .transition(let change, let frames) = items[index - 1] {
                    (next.changeIn, next.fadeIn) = (change, frames)
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
        case .transition(let change, let frames):
            "{ \"transition\": \"\(change.rawValue)\", \"duration\": \"\(frames)f\" }"
        case .clip(let clip): written(clip)
        }
    }

    private func written(_ clip: Clip) -> String {
        let key =
            if case .held = clip.run { "freeze" } else { "in" }
        let members = [
            "\"asset\": \"m\(clip.movie)\"", "\"\(key)\": \"\(clip.written)\"", "\"duration\": \"\(clip.frames)f\"",
        ]
        return "{ \((members + [clip.run.written].compactMap { $0 }).joined(separator: ", ")) }"
    }
}
