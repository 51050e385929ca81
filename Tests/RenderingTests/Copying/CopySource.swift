import CompositionModel
import Foundation
import TestSupport
import Testing

/// H.264 as cameras, phones and web files have it, 160×96 at 25 fps.
struct CopySource: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let frames: Int
    private let coding: [String]

    var testDescription: String { name }

    /// Every kind; of intra refresh few pictures are copied, and of untagged ones none.
    static let all = [
        CopySource("pyramid", "a.mp4", 260, "keyint=50:bframes=5:b-pyramid=normal:ref=4"),
        CopySource("long groups", "b.mp4", 300, "keyint=250:bframes=3"),
        CopySource("CAVLC", "c.mkv", 240, "keyint=48:cabac=0:bframes=2:weightp=2", ["-profile:v", "main"]),
        CopySource("slices in a transport stream", "d.ts", 230, "keyint=40:slices=8:bframes=2"),
        CopySource("Baseline", "e.mp4", 220, "keyint=30", ["-profile:v", "baseline"]),
        CopySource("all IDR", "f.mov", 90, "keyint=1"),
        CopySource("HRD", "g.ts", 230, "keyint=50:nal-hrd=vbr:vbv-maxrate=800:vbv-bufsize=800:pic-struct=1"),
        CopySource("weighted prediction", "i.mp4", 200, "keyint=50:weightb=1:weightp=2:bframes=8:b-adapt=2"),
        CopySource(
            "no VUI",
            "h.h264",
            200,
            "keyint=60:bframes=3",
            ["-bsf:v", "h264_metadata=aud=insert"],
            isTagged: false
        ),
        CopySource("open groups", "j.mp4", 260, "keyint=40:open-gop=1:bframes=3"),
        CopySource("intra refresh", "k.mp4", 200, "keyint=50:intra-refresh=1"),
    ]

    private init(
        _ name: String,
        _ file: String,
        _ frames: Int,
        _ parameters: String,
        _ more: [String] = [],
        isTagged: Bool = true
    ) {
        (self.name, self.file, self.frames) = (name, file, frames)
        coding =
            ["-c:v", "libx264", "-preset", "veryfast", "-crf", "30", "-x264-params", parameters + ":scenecut=0"]
            + ["-pix_fmt", "yuv420p"] + (isTagged ? TestPattern.bt709 : []) + more
    }

    /// - Parameter seed: sources of other seeds show other pictures.
    func make(in folder: TemporaryFolder, seed: Int) async throws -> TestMovie {
        let noise = "noise=alls=12:allf=t:all_seed=\(seed)"
        let picture = "testsrc2=s=160x96:r=25,hue=h=\(seed * 40),\(noise)"
        return try await TestMovie.make(
            file,
            in: folder,
            ["-f", "lavfi", "-i", picture, "-frames:v", "\(frames)"] + coding
        )
    }
}
