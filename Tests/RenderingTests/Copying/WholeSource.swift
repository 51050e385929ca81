import CompositionModel
import Foundation
import TestSupport
import Testing

/// Sources in codecs that are copied and not encoded, 160×144 at 25 fps.
struct WholeSource: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let coding: [String]
    /// What the container does beside: options and filters of the bitstream.
    var wrapping: [String] = []
    var frames = 130

    var testDescription: String { name }

    /// - Parameter seed: sources of other seeds show other pictures.
    func make(in folder: TemporaryFolder, seed: Int) async throws -> TestMovie {
        let picture = "testsrc2=s=160x144:r=25,hue=h=\(seed * 40),noise=alls=12:allf=t:all_seed=\(seed)"
        return try await TestMovie.make(
            file,
            in: folder,
            ["-f", "lavfi", "-i", picture, "-frames:v", "\(frames)"] + coding + wrapping
        )
    }

    /// Intra codecs in the containers that have them, with the container of the output.
    static let intra: [(source: WholeSource, container: Container)] = [
        (prores("proxy", 0, "a.mov"), .mov), (prores("LT", 1, "a.mov"), .mov), (prores("422", 2, "a.mov"), .mov),
        (prores("HQ", 3, "a.mov"), .mov), (prores("4444", 4, "a.mov", "yuv444p10le"), .mov),
        (prores("HQ in Matroska", 3, "a.mkv"), .matroska),
        (dnxhr("LB", "yuv422p", "a.mov"), .mov), (dnxhr("SQ", "yuv422p", "a.mxf"), .mov),
        (dnxhr("HQ", "yuv422p", "a.mkv"), .matroska), (dnxhr("HQX", "yuv422p10le", "a.mov"), .mov),
        (dnxhr("444", "yuv444p10le", "a.mov"), .mov), (mjpeg("yuvj420p", "a.mov"), .mov),
        (mjpeg("yuvj422p", "a.mkv"), .matroska), (mjpeg("yuvj444p", "a.avi"), .mov), (mjpeg("yuvj420p", "a.mp4"), .mov),
    ]

    private static func prores(_ name: String, _ profile: Int, _ file: String, _ format: String = "yuv422p10le") -> Self
    {
        let coding = ["-c:v", "prores_ks", "-profile:v", "\(profile)", "-pix_fmt", format]
        return WholeSource(name: "ProRes \(name)", file: file, coding: coding)
    }

    private static func dnxhr(_ name: String, _ format: String, _ file: String) -> Self {
        // A picture of DNxHR is at least 256 samples wide.
        let coding = [
            "-vf", "scale=256:144", "-c:v", "dnxhd", "-profile:v", "dnxhr_\(name.lowercased())", "-pix_fmt", format,
        ]
        return WholeSource(name: "DNxHR \(name) in \(file)", file: file, coding: coding)
    }

    private static func mjpeg(_ format: String, _ file: String) -> Self {
        let coding = ["-c:v", "mjpeg", "-q:v", "4", "-pix_fmt", format]
        return WholeSource(name: "Motion JPEG \(format) in \(file)", file: file, coding: coding)
    }

    /// HEVC of groups that can stand in one track.
    static let hevc: [(name: String, sources: [WholeSource])] = [
        (
            "Main",
            [
                hevc("closed groups", "a.mp4", "keyint=50:open-gop=0"),
                hevc("open groups and a pyramid", "b.mp4", "keyint=40:open-gop=1:bframes=4:b-pyramid=1"),
                hevc("RADL pictures", "c.mov", "keyint=30:min-keyint=30:open-gop=0:radl=2:bframes=3"),
                hevc("slices", "d.ts", "keyint=25:open-gop=0:ctu=16:slices=8"),
                hevc(
                    "HRD, delimiters and digests",
                    "e.mkv",
                    "keyint=35:hrd=1:vbv-maxrate=900:vbv-bufsize=900:aud=1:hash=1"
                ),
                hevc("sets before each key picture", "f.ts", "keyint=45:repeat-headers=1:wpp=1:ctu=16"),
                hevc("no B pictures", "g.mp4", "keyint=20:bframes=0:ref=3", ["-tag:v", "hvc1"]),
                hevc("temporal sub-layers", "h.mp4", "keyint=40:temporal-layers=1:bframes=4"),
                hevc("no VUI timing", "i.mkv", "keyint=32:open-gop=1:bframes=4:weightb=1"),
            ]
        ),
        (
            "Main 10 of HDR",
            [
                hevc("open groups", "a.mp4", "keyint=40:bframes=4:" + hdr, [], "yuv420p10le", bt2020),
                hevc("closed groups", "b.mkv", "keyint=50:open-gop=0:" + hdr, [], "yuv420p10le", bt2020),
            ]
        ),
        (
            "4:2:2 of 10 bits",
            [
                hevc("intra", "a.mov", "keyint=1", [], "yuv422p10le"),
                hevc("groups", "b.mp4", "keyint=25", [], "yuv422p10le"),
            ]
        ),
        ("4:4:4", [hevc("groups", "a.mkv", "keyint=25", [], "yuv444p")]),
        ("12 bits", [hevc("groups", "a.mp4", "keyint=25", [], "yuv420p12le")]),
    ]

    /// H.264 of groups that can stand in one track, in profiles that nothing here encodes.
    static let h264: [(name: String, sources: [WholeSource])] = [
        (
            "High 10",
            [
                h264("closed groups", "a.mp4", "keyint=50:bframes=3:b-pyramid=normal", "yuv420p10le"),
                h264("open groups", "b.mkv", "keyint=40:open-gop=1:bframes=2:ref=1", "yuv420p10le"),
                h264("CAVLC and slices", "c.ts", "keyint=30:cabac=0:slices=4:weightp=2:aud=1", "yuv420p10le"),
            ]
        ),
        (
            "High 10 of HDR",
            [
                h264("groups", "a.mov", "keyint=40:bframes=2", "yuv420p10le", bt2020),
                h264(
                    "other groups",
                    "b.mp4",
                    "keyint=25:bframes=0:nal-hrd=vbr:vbv-maxrate=900:vbv-bufsize=900",
                    "yuv420p10le",
                    bt2020
                ),
            ]
        ),
        (
            "High 4:2:2",
            [
                h264("groups of a camera", "a.mov", "keyint=12:bframes=2:slices=8", "yuv422p10le"),
                h264("groups", "b.mp4", "keyint=50:bframes=4:weightb=1", "yuv422p10le"),
            ]
        ),
        (
            "High 4:2:2 Intra",
            [
                h264("ten slices", "a.mov", "keyint=1:slices=8", "yuv422p10le"),
                h264("CAVLC", "b.mp4", "keyint=1:cabac=0", "yuv422p10le"),
            ]
        ),
        ("High 10 Intra", [h264("one slice", "a.mp4", "keyint=1", "yuv420p10le")]),
        ("High 4:2:2 of 8 bits", [h264("groups", "a.mkv", "keyint=30:bframes=2", "yuv422p")]),
        ("High 4:4:4 Predictive", [h264("groups", "a.mkv", "keyint=30:bframes=2:8x8dct=1", "yuv444p")]),
        ("without loss", [h264("groups", "a.mp4", "keyint=30:bframes=2:qp=0", "yuv420p")]),
    ]

    private static func h264(
        _ name: String,
        _ file: String,
        _ parameters: String,
        _ format: String,
        _ color: [String] = TestPattern.bt709
    ) -> Self {
        let all = "scenecut=0:min-keyint=1:" + parameters
        let coding = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "32", "-x264-params", all, "-pix_fmt", format]
        return WholeSource(name: name, file: file, coding: coding + color)
    }

    private static let hdr =
        "hdr10=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"
        + ":max-cll=1000,400"
    private static let bt2020 = [
        "-color_range", "tv", "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
    ]

    private static func hevc(
        _ name: String,
        _ file: String,
        _ parameters: String,
        _ wrapping: [String] = [],
        _ format: String = "yuv420p",
        _ color: [String] = TestPattern.bt709
    ) -> Self {
        let all = "log-level=none:pools=1:frame-threads=1:min-keyint=1:scenecut=0:" + parameters
        let coding = ["-c:v", "libx265", "-preset", "ultrafast", "-crf", "32", "-x265-params", all, "-pix_fmt", format]
        return WholeSource(name: name, file: file, coding: coding + color, wrapping: wrapping)
    }
}
