import Bitstream
import Foundation
import TestSupport
import Testing

/// A stream of HEVC that a test makes with x265.
struct HEVCSample: CustomTestStringConvertible, Sendable {
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
        let common = "log-level=none:pools=1:frame-threads=1:"
        arguments = ["-c:v", "libx265", "-preset", "fast", "-x265-params", common + options] + more
    }

    static let all = [
        HEVCSample("defaults", "keyint=24:scenecut=0"),
        HEVCSample("closed GOP", "keyint=16:scenecut=0:open-gop=0:bframes=4:b-adapt=0", pictures: 48),
        HEVCSample(
            "open GOP",
            "keyint=12:min-keyint=12:scenecut=0:open-gop=1:bframes=4:b-adapt=0:b-pyramid=1:ref=4",
            pictures: 48
        ),
        HEVCSample("RADL", "keyint=12:min-keyint=12:scenecut=0:open-gop=0:bframes=4:b-adapt=0:radl=2"),
        HEVCSample("weights", "keyint=30:weightp=1:weightb=1", ["-vf", "fade=in:0:20,fade=out:25:20"], pictures: 48),
        HEVCSample("4 slices", "keyint=20:slices=4:wpp=1:pools=2", size: "384x320"),
        HEVCSample("wavefronts", "keyint=20:wpp=1:ctu=16:min-cu-size=8"),
        HEVCSample("no wavefronts", "keyint=20:wpp=0:ctu=32:sao=0:deblock=-2,3"),
        HEVCSample("HRD", "keyint=20:hrd=1:vbv-maxrate=800:vbv-bufsize=400:bitrate=500:aud=1"),
        HEVCSample("10 bit", "keyint=20:repeat-headers=1", ["-pix_fmt", "yuv420p10le"]),
        HEVCSample("12 bit 4:2:2", "keyint=20", ["-pix_fmt", "yuv422p12le"]),
        HEVCSample("4:4:4", "keyint=20:weightp=1:cbqpoffs=3:crqpoffs=-3", ["-pix_fmt", "yuv444p"]),
        HEVCSample("monochrome", "keyint=20", ["-pix_fmt", "gray"]),
        HEVCSample("lossless", "keyint=20:lossless=1"),
        HEVCSample("matrices", "keyint=20:scaling-list=default"),
        HEVCSample("transform skip", "keyint=20:tskip=1:rdoq-level=1:constrained-intra=1:no-deblock=1"),
        HEVCSample("intra refresh", "keyint=20:intra-refresh=1:bframes=0"),
        HEVCSample("temporal layers", "keyint=24:temporal-layers=1:bframes=3:b-adapt=0"),
        HEVCSample(
            "HDR",
            "keyint=20:hdr10=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):"
                + "max-cll=1000,400:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:chromaloc=2",
            ["-pix_fmt", "yuv420p10le"]
        ),
        HEVCSample("odd sizes", "keyint=20:sar=16:11:videoformat=1:range=full:overscan=crop:hash=1", size: "322x182"),
        HEVCSample("fields", "keyint=20:interlace=tff:pic-struct=1"),
        HEVCSample("still", "keyint=1:ref=1"),
        HEVCSample("many references", "keyint=40:ref=6:bframes=8:b-adapt=0:rc-lookahead=20:limit-refs=0"),
        HEVCSample(
            "AMP, TU",
            "keyint=20:amp=1:rect=1:tu-inter-depth=3:tu-intra-depth=3:max-merge=5:strong-intra-smoothing=0"
        ),
    ]

    static func named(_ name: String) -> HEVCSample { all.first { $0.name == name }! }

    private static let streams = MadeOnce<[UInt8]>()
    private static let digests = MadeOnce<[String]>()

    /// The stream between start codes, made once: pictures that move, with noise, so that all tools are used.
    func stream() async throws -> [UInt8] {
        try await Self.streams.value(name) {
            let folder = try TemporaryFolder()
            let path = folder.path("a.h265")
            try await encode(to: path)
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    /// The digests of the stream's decoded pictures in output order, decoded once.
    func frames() async throws -> [String] {
        try await Self.digests.value(name) { try await Decoded.frames(try await stream(), "hevc") }
    }

    /// Writes the stream for a program to read.
    /// - Returns: the file's path.
    func file(in folder: TemporaryFolder) async throws -> String {
        let path = folder.path("a.h265")
        try Data(try await stream()).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func encode(to path: String) async throws {
        let pattern = "testsrc2=s=\(size):r=25,noise=alls=12:allf=t:all_seed=3"
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", pattern, "-frames:v", "\(pictures)", "-pix_fmt", "yuv420p"] + arguments
                + ["-f", "hevc", path]
        )
    }
}
