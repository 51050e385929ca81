import Bitstream
import Foundation
import TestSupport
import Testing

/// A stream of H.264 that a test makes with x264.
struct H264Sample: CustomTestStringConvertible, Sendable {
    let name: String
    /// Of ffmpeg, behind the input.
    let arguments: [String]
    var size = "320x192"

    var testDescription: String { name }

    private init(_ name: String, _ options: String, _ more: [String] = [], size: String = "320x192") {
        self.name = name
        self.size = size
        arguments = ["-c:v", "libx264", "-threads", "1", "-x264-params", options] + more
    }

    static let all = [
        H264Sample("defaults", "keyint=24:scenecut=0"),
        H264Sample("pyramid", "keyint=24:bframes=5:b-pyramid=normal:b-adapt=0:ref=5"),
        H264Sample(
            "open GOP",
            "keyint=12:min-keyint=12:scenecut=0:open-gop=1:bframes=4:b-pyramid=normal:b-adapt=0:ref=4"
        ),
        H264Sample("CAVLC", "keyint=20:cabac=0:bframes=3:8x8dct=1"),
        H264Sample("weights", "keyint=30:weightp=2:weightb=1", ["-vf", "fade=in:0:20,fade=out:25:20"]),
        H264Sample("CAVLC, weights", "keyint=30:cabac=0:weightp=2", ["-vf", "fade=in:0:20,fade=out:25:20"]),
        H264Sample("8 slices", "keyint=20:slices=8:bframes=2"),
        H264Sample("8 slices of CAVLC", "keyint=20:slices=8:bframes=2:cabac=0:aud=1"),
        H264Sample("interlaced", "keyint=20:tff=1:bframes=2:ref=3"),
        H264Sample("interlaced CAVLC", "keyint=20:bff=1:bframes=2:cabac=0:weightp=0:slices=2"),
        H264Sample("fake interlaced", "keyint=20:fake-interlaced=1"),
        H264Sample("intra refresh", "keyint=20:intra-refresh=1:bframes=0"),
        H264Sample("HRD", "keyint=20:scenecut=0:nal-hrd=vbr:vbv-maxrate=800:vbv-bufsize=400:bitrate=500"),
        H264Sample(
            "HRD, CBR",
            "keyint=20:nal-hrd=cbr:vbv-maxrate=500:vbv-bufsize=400:bitrate=500:filler=1:pic-struct=1:aud=1"
        ),
        H264Sample("Baseline", "keyint=20", ["-profile:v", "baseline"]),
        H264Sample("Main", "keyint=20:bframes=2", ["-profile:v", "main"]),
        H264Sample("4:2:2", "keyint=20", ["-pix_fmt", "yuv422p"]),
        H264Sample("4:4:4", "keyint=20:weightp=2", ["-pix_fmt", "yuv444p"]),
        H264Sample("4:4:4 lossless", "keyint=20:qp=0", ["-pix_fmt", "yuv444p"]),
        H264Sample("10 bit", "keyint=20:aud=1:bframes=3", ["-pix_fmt", "yuv420p10le"]),
        H264Sample(
            "10 bit 4:2:2 intra",
            "keyint=1:avcintra-class=100:tff=1:colorprim=bt709:transfer=bt709:colormatrix=bt709",
            ["-pix_fmt", "yuv422p10le", "-r", "25"],
            size: "1920x1080"
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

    /// The stream between start codes, made once.
    func stream() async throws -> [UInt8] {
        try await StreamCache.shared.stream(name) {
            let folder = try TemporaryFolder()
            try await write(to: folder.path("a.h264"))
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.h264"))))
        }
    }

    /// 48 pictures that move, with noise, so that all tools are used.
    func write(to path: String) async throws {
        let pattern = "testsrc2=s=\(size):r=25,noise=alls=12:allf=t:all_seed=3"
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", pattern, "-frames:v", "48", "-pix_fmt", "yuv420p", "-preset", "fast"]
                + arguments
                + [path]
        )
    }
}
