import Bitstream
import Foundation
import TestSupport
import Testing

/// A stream of H.264 that a test makes with x264.
struct H264Sample: CustomTestStringConvertible, Sendable {
    let name: String
    /// ffmpeg's options behind the input.
    let arguments: [String]
    let size: String
    /// The number of pictures in the stream.
    let pictures: Int

    var testDescription: String { name }

    /// Two groups of pictures of most samples; those with a number of their own need it for what a test looks for.
    private static let usual = TestSeeds.isThorough ? 48 : 30

    private init(
        _ name: String,
        _ options: String,
        _ more: [String] = [],
        size: String = "320x192",
        pictures: Int = usual
    ) {
        self.name = name
        self.size = size
        self.pictures = pictures
        arguments = ["-c:v", "libx264", "-threads", "1", "-x264-params", options] + more
    }

    static let all = [
        H264Sample("defaults", "keyint=24:scenecut=0"),
        H264Sample("pyramid", "keyint=24:bframes=5:b-pyramid=normal:b-adapt=0:ref=5"),
        H264Sample(
            "open GOP",
            "keyint=12:min-keyint=12:scenecut=0:open-gop=1:bframes=4:b-pyramid=normal:b-adapt=0:ref=4",
            pictures: 48
        ),
        H264Sample("CAVLC", "keyint=20:cabac=0:bframes=3:8x8dct=1"),
        H264Sample("weights", "keyint=30:weightp=2:weightb=1", ["-vf", "fade=in:0:20,fade=out:25:20"], pictures: 48),
        H264Sample(
            "CAVLC, weights",
            "keyint=30:cabac=0:weightp=2",
            ["-vf", "fade=in:0:20,fade=out:25:20"],
            pictures: 48
        ),
        H264Sample("8 slices", "keyint=20:slices=8:bframes=2"),
        H264Sample("8 slices of CAVLC", "keyint=20:slices=8:bframes=2:cabac=0:aud=1"),
        H264Sample("interlaced", "keyint=20:tff=1:bframes=2:ref=3"),
        H264Sample("interlaced CAVLC", "keyint=20:bff=1:bframes=2:cabac=0:weightp=0:slices=2"),
        H264Sample("fake interlaced", "keyint=20:fake-interlaced=1"),
        H264Sample("intra refresh", "keyint=20:intra-refresh=1:bframes=0", pictures: 48),
        H264Sample(
            "HRD",
            "keyint=20:scenecut=0:nal-hrd=vbr:vbv-maxrate=800:vbv-bufsize=400:bitrate=500",
            pictures: 48
        ),
        H264Sample(
            "HRD, CBR",
            "keyint=20:nal-hrd=cbr:vbv-maxrate=500:vbv-bufsize=400:bitrate=500:filler=1:pic-struct=1:aud=1"
        ),
        H264Sample("Baseline", "keyint=20", ["-profile:v", "baseline"], pictures: 48),
        H264Sample("Main", "keyint=20:bframes=2", ["-profile:v", "main"]),
        H264Sample("4:2:2", "keyint=20", ["-pix_fmt", "yuv422p"]),
        H264Sample("4:4:4", "keyint=20:weightp=2", ["-pix_fmt", "yuv444p"]),
        H264Sample("4:4:4 lossless", "keyint=20:qp=0", ["-pix_fmt", "yuv444p"]),
        H264Sample("10 bit", "keyint=20:aud=1:bframes=3", ["-pix_fmt", "yuv420p10le"]),
        H264Sample(
            "10 bit 4:2:2 intra",
            "keyint=1:avcintra-class=100:tff=1:colorprim=bt709:transfer=bt709:colormatrix=bt709",
            ["-pix_fmt", "yuv422p10le", "-r", "25"],
            size: "1920x1080",
            // 0.6 MB each, all of one kind.
            pictures: TestSeeds.isThorough ? 48 : 4
        ),
        H264Sample("monochrome", "keyint=20", ["-pix_fmt", "gray"]),
        H264Sample("matrices", "keyint=20:cqm=jvt"),
        H264Sample("matrices 4:4:4", "keyint=20:cqm=jvt", ["-pix_fmt", "yuv444p"]),
        H264Sample("no deblocking", "keyint=20:no-deblock=1:ref=1"),
        H264Sample("deblocking", "keyint=20:deblock=-2,3:constrained-intra=1:chroma-qp-offset=3"),
        H264Sample(
            "usability",
            "keyint=20:sar=4/3:overscan=show:videoformat=pal:fullrange=on:colorprim=bt470bg:transfer=gamma28:colormatrix=bt470bg:chromaloc=2"
        ),
        H264Sample("odd sizes", "keyint=20:bframes=3:sar=16/11:sps-id=5:force-cfr=1", size: "322x182"),
        H264Sample("stitchable", "keyint=20:stitchable=1:bframes=1"),
        H264Sample("one frame", "keyint=1"),
    ]

    static func named(_ name: String) -> H264Sample { all.first { $0.name == name }! }

    private static let streams = MadeOnce<[UInt8]>()
    private static let digests = MadeOnce<[String]>()

    /// The stream between start codes, made once: pictures that move, with noise, so that all tools are used.
    func stream() async throws -> [UInt8] {
        try await Self.streams.value(name) {
            let folder = try TemporaryFolder()
            let path = folder.path("a.h264")
            try await encode(to: path)
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    /// The digests of the stream's decoded pictures in output order, decoded once.
    func frames() async throws -> [String] {
        try await Self.digests.value(name) { try await Decoded.frames(try await stream(), "h264") }
    }

    /// Writes the stream for a program to read.
    /// - Returns: the file's path.
    func file(in folder: TemporaryFolder) async throws -> String {
        let path = folder.path("a.h264")
        try Data(try await stream()).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func encode(to path: String) async throws {
        let pattern = "testsrc2=s=\(size):r=25,noise=alls=12:allf=t:all_seed=3"
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", pattern, "-frames:v", "\(pictures)", "-pix_fmt", "yuv420p", "-preset", "fast"]
                + arguments + [path]
        )
    }
}
