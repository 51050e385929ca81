import CompositionModel
import Foundation
import Media
import TestSupport
import Testing

/// One kind of movie that a reader must be exact on, made by ffmpeg from numbered pictures.
struct MovieKind: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    var rate = "25"
    var count = 120
    var size = TestPictures.size
    /// Of ffmpeg, after the raw input.
    var arguments: [String]
    /// A second run over the first one's result, such as a cut without encoding.
    var second: [String]?
    /// Numbers of the pictures that are shown, when not all.
    var shown: [Int]?
    var isVariable = false

    var testDescription: String { name }
    var expected: [Int] { shown ?? Array(0..<count) }

    /// - Returns: the path of the movie in `folder`.
    func make(in folder: TemporaryFolder) async throws -> String {
        let raw = folder.path("raw.yuv")
        try TestPictures.raw(count: count, size: size).write(to: URL(fileURLWithPath: raw))
        let input = [
            "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(size.width)x\(size.height)", "-r", rate, "-i", raw,
        ]
        let path = folder.path(file)
        guard let second else {
            try await Shell.ffmpeg(input + arguments + [path])
            return path
        }
        try await Shell.ffmpeg(input + arguments + [folder.path("first-" + file)])
        try await Shell.ffmpeg(second.map { $0 == "INPUT" ? folder.path("first-" + file) : $0 } + [path])
        return path
    }

    private static func x264(_ parameters: String) -> [String] {
        ["-c:v", "libx264", "-preset", "veryfast", "-x264-params", parameters]
    }

    static let all: [MovieKind] = [
        MovieKind(name: "long GOP", file: "a.mp4", arguments: x264("keyint=250:bframes=3")),
        MovieKind(name: "short GOP", file: "a.mp4", arguments: x264("keyint=20:bframes=3:b-pyramid=normal")),
        MovieKind(name: "open GOP", file: "a.mp4", arguments: x264("keyint=24:open-gop=1:bframes=4:scenecut=0")),
        MovieKind(name: "open GOP mkv", file: "a.mkv", arguments: x264("keyint=24:open-gop=1:bframes=4:scenecut=0")),
        MovieKind(name: "open GOP ts", file: "a.ts", arguments: x264("keyint=24:open-gop=1:bframes=4:scenecut=0")),
        MovieKind(
            name: "open GOP, one IDR",
            file: "a.mp4",
            count: 400,
            arguments: x264("keyint=48:open-gop=1:bframes=4:b-pyramid=normal:scenecut=0")
        ),
        MovieKind(
            name: "open GOP, one IDR, ts",
            file: "a.ts",
            count: 400,
            arguments: x264("keyint=48:open-gop=1:bframes=4:b-pyramid=normal:ref=4:scenecut=0")
        ),
        MovieKind(name: "intra refresh, long", file: "a.mp4", count: 400, arguments: x264("keyint=30:intra-refresh=1")),
        MovieKind(name: "intra refresh", file: "a.mp4", arguments: x264("keyint=30:intra-refresh=1")),
        MovieKind(name: "ts NTSC", file: "a.ts", rate: "30000/1001", arguments: x264("keyint=30:bframes=2")),
        MovieKind(name: "mkv NTSC", file: "a.mkv", rate: "30000/1001", arguments: x264("keyint=30:bframes=2")),
        MovieKind(name: "mp4 60", file: "a.mp4", rate: "60", arguments: x264("keyint=60")),
        MovieKind(
            name: "variable rate",
            file: "a.mp4",
            arguments: ["-vf", "select='not(eq(mod(n,7),3)+eq(mod(n,11),5))'", "-fps_mode", "vfr"]
                + x264("keyint=40:bframes=3"),
            shown: (0..<120).filter { $0 % 7 != 3 && $0 % 11 != 5 },
            isVariable: true
        ),
        MovieKind(
            name: "edit list",
            file: "a.mp4",
            arguments: x264("keyint=250:bframes=3"),
            second: ["-ss", "1.2", "-i", "INPUT", "-c", "copy"],
            shown: Array(30..<120)
        ),
        MovieKind(
            name: "fragments",
            file: "a.mp4",
            arguments: x264("keyint=25:bframes=2") + ["-movflags", "+frag_keyframe+delay_moov"]
        ),
        MovieKind(name: "interlaced", file: "a.mp4", arguments: x264("keyint=25:tff=1:bframes=2")),
        MovieKind(
            name: "HEVC CRA",
            file: "a.mp4",
            arguments: [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "log-level=none:keyint=24:min-keyint=24:open-gop=1:bframes=4:b-adapt=0",
            ]
        ),
        MovieKind(
            name: "HEVC ts",
            file: "a.ts",
            arguments: [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "log-level=none:keyint=24:min-keyint=24:open-gop=1:bframes=4:b-adapt=0",
            ]
        ),
        MovieKind(
            name: "MPEG-2 ts",
            file: "a.ts",
            arguments: ["-c:v", "mpeg2video", "-q:v", "3", "-g", "12", "-bf", "2"]
        ),
        MovieKind(
            name: "MPEG-2 ps",
            file: "a.mpg",
            arguments: ["-c:v", "mpeg2video", "-q:v", "3", "-g", "12", "-bf", "2"]
        ),
        MovieKind(
            name: "MPEG-4 mp4",
            file: "a.mp4",
            arguments: ["-c:v", "mpeg4", "-q:v", "3", "-g", "30", "-bf", "2"]
        ),
        MovieKind(
            name: "MPEG-4 avi",
            file: "a.avi",
            arguments: ["-c:v", "mpeg4", "-q:v", "3", "-g", "30", "-bf", "2"]
        ),
        MovieKind(name: "H.264 avi", file: "a.avi", arguments: x264("keyint=30:bframes=3")),
        MovieKind(name: "raw H.264", file: "a.h264", arguments: x264("keyint=30:bframes=3")),
        MovieKind(
            name: "VP9",
            file: "a.webm",
            arguments: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "40", "-b:v", "1M"]
        ),
        MovieKind(
            name: "VP8 with hidden frames",
            file: "a.webm",
            arguments: [
                "-c:v", "libvpx", "-cpu-used", "8", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-g", "40", "-b:v",
                "1M",
            ]
        ),
        MovieKind(name: "ProRes", file: "a.mov", count: 30, arguments: ["-c:v", "prores_ks", "-profile:v", "0"]),
        MovieKind(
            name: "odd size",
            file: "a.mkv",
            count: 30,
            size: PictureSize(width: 129, height: 97),
            arguments: ["-c:v", "ffv1", "-g", "10"]
        ),
        MovieKind(name: "Cinepak", file: "a.mov", count: 30, arguments: ["-c:v", "cinepak", "-g", "10"]),
        MovieKind(
            name: "Sorenson Video",
            file: "a.mov",
            count: 30,
            arguments: ["-c:v", "svq1", "-q:v", "1", "-g", "10"]
        ),
        MovieKind(
            name: "QuickTime Animation",
            file: "a.mov",
            count: 30,
            arguments: ["-c:v", "qtrle", "-pix_fmt", "argb", "-g", "10"]
        ),
        MovieKind(name: "Motion JPEG", file: "a.avi", count: 30, arguments: ["-c:v", "mjpeg", "-q:v", "2"]),
        MovieKind(name: "MPEG-1 ps", file: "a.mpg", arguments: ["-c:v", "mpeg1video", "-q:v", "3", "-g", "12"]),
        MovieKind(
            name: "MPEG-2 4:2:2 mxf",
            file: "a.mxf",
            arguments: ["-c:v", "mpeg2video", "-pix_fmt", "yuv422p", "-q:v", "3", "-g", "12", "-bf", "2"]
        ),
        MovieKind(
            name: "MPEG-2 interlaced",
            file: "a.ts",
            arguments: ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-q:v", "3", "-g", "12", "-bf", "2"]
        ),
        MovieKind(name: "H.263 avi", file: "a.avi", count: 40, arguments: ["-c:v", "h263", "-q:v", "3", "-g", "10"]),
        MovieKind(name: "H.263 3gp", file: "a.3gp", count: 40, arguments: ["-c:v", "h263", "-q:v", "3", "-g", "10"]),
        MovieKind(
            name: "Sorenson Spark",
            file: "a.flv",
            count: 40,
            arguments: ["-c:v", "flv", "-q:v", "3", "-g", "10"]
        ),
        MovieKind(
            name: "MS-MPEG-4",
            file: "a.avi",
            count: 40,
            arguments: ["-c:v", "msmpeg4v2", "-q:v", "3", "-g", "10"]
        ),
        MovieKind(name: "WMV 8", file: "a.asf", count: 40, arguments: ["-c:v", "wmv2", "-q:v", "3", "-g", "10"]),
        MovieKind(
            name: "DV",
            file: "a.dv",
            count: 12,
            size: PictureSize(width: 720, height: 576),
            arguments: ["-c:v", "dvvideo"]
        ),
        MovieKind(
            name: "DV avi NTSC",
            file: "a.avi",
            rate: "30000/1001",
            count: 12,
            size: PictureSize(width: 720, height: 480),
            arguments: ["-c:v", "dvvideo", "-pix_fmt", "yuv411p"]
        ),
        MovieKind(
            name: "ProRes 4444",
            file: "a.mov",
            count: 12,
            arguments: ["-c:v", "prores_ks", "-profile:v", "4", "-pix_fmt", "yuva444p10"]
        ),
        MovieKind(
            name: "DNxHR HQX",
            file: "a.mov",
            count: 12,
            size: PictureSize(width: 256, height: 128),
            arguments: ["-c:v", "dnxhd", "-profile:v", "dnxhr_hqx", "-pix_fmt", "yuv422p10"]
        ),
        MovieKind(
            name: "Ut Video RGBA",
            file: "a.mkv",
            count: 12,
            arguments: ["-c:v", "utvideo", "-pix_fmt", "gbrap"]
        ),
        MovieKind(
            name: "FFV1 10 bit",
            file: "a.mkv",
            count: 30,
            arguments: ["-c:v", "ffv1", "-g", "10", "-pix_fmt", "yuv420p10"]
        ),
        MovieKind(
            name: "raw 4:2:2 avi",
            file: "a.avi",
            count: 12,
            arguments: ["-c:v", "rawvideo", "-pix_fmt", "uyvy422"]
        ),
        MovieKind(name: "v210", file: "a.mov", count: 12, arguments: ["-c:v", "v210", "-pix_fmt", "yuv422p10"]),
        MovieKind(name: "Y4M", file: "a.y4m", count: 12, arguments: []),
        MovieKind(
            name: "Y4M 4:2:2 10 bit",
            file: "a.y4m",
            count: 12,
            arguments: ["-pix_fmt", "yuv422p10", "-strict", "-1"]
        ),
        MovieKind(
            name: "H.264 4:2:2 10 bit",
            file: "a.mp4",
            count: 40,
            arguments: ["-pix_fmt", "yuv422p10"] + x264("keyint=20:bframes=2")
        ),
        MovieKind(
            name: "H.264 4:4:4",
            file: "a.mp4",
            count: 40,
            arguments: ["-pix_fmt", "yuv444p"] + x264("keyint=20:bframes=2")
        ),
        MovieKind(
            name: "H.264 full range",
            file: "a.mp4",
            count: 40,
            arguments: ["-pix_fmt", "yuvj420p", "-color_range", "pc"] + x264("keyint=20:bframes=2")
        ),
        MovieKind(
            name: "HEVC 10 bit",
            file: "a.mp4",
            count: 40,
            arguments: [
                "-c:v", "libx265", "-pix_fmt", "yuv420p10", "-preset", "ultrafast", "-x265-params",
                "log-level=none:keyint=20",
            ]
        ),
        MovieKind(name: "Theora", file: "a.ogv", count: 40, arguments: ["-c:v", "libtheora", "-q:v", "8", "-g", "16"]),
        MovieKind(name: "JPEG 2000", file: "a.mov", count: 12, arguments: ["-c:v", "jpeg2000"]),
        MovieKind(name: "one frame", file: "a.mp4", count: 1, arguments: x264("keyint=30")),
    ]
}
