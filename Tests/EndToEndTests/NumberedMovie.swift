import Foundation
import TestSupport

/// A source whose every frame shows its number, from 1, as sixteen black or white blocks; and when each is shown, by
/// ffprobe.
struct NumberedMovie: Sendable {
    static let blocks = 16
    static let size = "256x64"

    let name: String
    let path: String
    /// Presentation time of each frame, from the first; the last entry is where the last frame ends.
    let times: [Exact]
    /// Positions in `times` at which a decoder may begin, by ffprobe: keyframes and pictures of intra blocks.
    let entries: Set<Int>
    /// At a variable rate, where a frame counts as begun less than that before it does.
    let tick: Exact?

    var frameCount: Int { times.count - 1 }
    var end: Exact { times[frameCount] }

    /// The frame on screen at `time`: the last that begins at it or before it, give or take the tick.
    func frame(at time: Exact) -> Int {
        var (low, high) = (0, frameCount)
        while high - low > 1 {
            let middle = (low + high) / 2
            let isReached = tick.map { times[middle] - $0 < time } ?? (times[middle] <= time)
            if isReached { low = middle } else { high = middle }
        }
        return low
    }

    struct Recipe: Sendable {
        var name: String
        /// As ffmpeg writes it; nil for a variable rate.
        var rate: (top: Int, bottom: Int)?
        var seconds: Int
        var arguments: [String]
    }

    static let recipes: [Recipe] = [
        .init(
            name: "long.mp4",
            rate: (25, 1),
            seconds: 40,
            arguments: h264 + ["-g", "600", "-sc_threshold", "0", "-bf", "3"]
        ),
        .init(
            name: "open.mp4",
            rate: (24, 1),
            seconds: 36,
            arguments: h264 + ["-g", "60", "-bf", "3", "-x264-params", "open-gop=1:b-pyramid=normal:scenecut=0"]
        ),
        .init(name: "stream.ts", rate: (30000, 1001), seconds: 34, arguments: h264 + ["-g", "75", "-bf", "2"]),
        .init(name: "variable.mp4", rate: nil, seconds: 30, arguments: h264 + ["-g", "48", "-bf", "2"]),
        .init(name: "matroska.mkv", rate: (60, 1), seconds: 24, arguments: h264 + ["-g", "100", "-bf", "3"]),
        .init(
            name: "mpeg.ts",
            rate: (25, 1),
            seconds: 30,
            arguments: ["-c:v", "mpeg2video", "-b:v", "4M", "-g", "15", "-bf", "2"]
        ),
        .init(name: "film.mov", rate: (24000, 1001), seconds: 30, arguments: h264 + ["-g", "24", "-bf", "0"]),
    ]

    private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "12"]

    static func make(_ recipe: Recipe, in folder: TemporaryFolder) async throws -> NumberedMovie {
        let path = folder.path(recipe.name)
        let rate = recipe.rate ?? (60, 1)
        // Frames that are left out make the others last for different times; the numbers are given afterwards.
        let thinning = recipe.rate == nil ? "select='lt(mod(n*n*7,11),6)'," : ""
        let number = "geq=lum='if(mod(floor((N+1)/pow(2,X)),2),235,16)':cb=128:cr=128"
        let filter =
            "nullsrc=s=\(blocks)x4:r=\(rate.top)/\(rate.bottom):d=\(recipe.seconds),\(thinning)format=yuv420p,\(number),"
            + "scale=\(size.replacing("x", with: ":")):flags=neighbor,format=yuv420p"
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", filter, "-fps_mode", "passthrough"] + recipe.arguments + [path]
        )
        return try await read(path, recipe)
    }

    private static func read(_ path: String, _ recipe: Recipe) async throws -> NumberedMovie {
        let outcome = try await Shell.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries",
                "stream=time_base:frame=pts,pkt_duration,key_frame,pict_type", "-of", "json", path,
            ]
        )
        let answer = try JSONDecoder().decode(Answer.self, from: outcome.output)
        let frames = answer.frames.sorted { $0.pts < $1.pts }
        let base = answer.streams[0].time_base.split(separator: "/").compactMap { Int($0) }
        let first = frames[0].pts
        var times = frames.map { Exact(($0.pts - first) * base[0], base[1]) }
        times.append(times[times.count - 1] + Exact((frames.last?.pkt_duration ?? 1) * base[0], base[1]))
        if let rate = recipe.rate { times = try snapped(times, rate, tick: Exact(base[0], base[1])) }
        let entries = frames.indices.filter { frames[$0].key_frame == 1 || frames[$0].pict_type == "I" }
        return NumberedMovie(
            name: recipe.name,
            path: path,
            times: times,
            entries: Set(entries),
            tick: recipe.rate == nil ? Exact(base[0], base[1]) : nil
        )
    }

    /// A container's ticks are no multiple of every frame's duration: a constant rate is what it was before.
    private static func snapped(_ times: [Exact], _ rate: (top: Int, bottom: Int), tick: Exact) throws -> [Exact] {
        let exact = times.indices.map { Exact($0 * rate.bottom, rate.top) }
        for (one, other) in zip(times, exact).dropLast() where max(one - other, other - one) > tick {
            throw Unexpected(description: "\(one) is not \(other): the source is not what it should be")
        }
        return exact
    }

    private struct Answer: Decodable {
        struct Stream: Decodable { var time_base: String }
        struct Frame: Decodable {
            var pts: Int
            var pkt_duration: Int?
            var key_frame: Int
            var pict_type: String
        }
        var streams: [Stream]
        var frames: [Frame]
    }
}
