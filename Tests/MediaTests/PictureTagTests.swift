import CompositionModel
import TestSupport
import Testing

@testable import Media

/// What probing says of fields, of colour that a file does not tag, and of pictures that are no track.
@Suite struct PictureTagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func facts(_ name: String, _ arguments: [String]) async throws -> AssetFacts {
        let path = folder.path(name)
        try await Shell.ffmpeg(arguments + [path])
        return try AssetProbe.probe(FileByteSource(path: path)).facts
    }

    private static func woven(_ first: String, _ size: String = "720x576") -> [String] {
        let scene = "testsrc2=size=\(size):rate=50,tinterlace=interleave_\(first)"
        let flag = first == "top" ? "tff" : "bff"
        return ["-f", "lavfi", "-i", "\(scene),setfield=\(flag)", "-frames:v", "6"]
    }

    /// Of these ffprobe's `field_order` knows H.264 and one MPEG-2 alone.
    @Test(arguments: [
        ("a.dv", woven("bottom") + ["-pix_fmt", "yuv420p", "-c:v", "dvvideo"], FieldOrder.bottom),
        ("a.avi", woven("bottom") + ["-pix_fmt", "yuv420p", "-c:v", "dvvideo"], .bottom),
        ("top.mpg", woven("top") + ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "1"], .top),
        (
            "top.mp4", woven("top") + ["-c:v", "libx264", "-flags", "+ildct", "-x264-params", "tff=1", "-top", "1"],
            .top
        ),
        (
            "bottom.ts",
            woven("bottom") + ["-c:v", "libx264", "-flags", "+ildct", "-x264-params", "bff=1", "-top", "0"], .bottom
        ),
        ("prores.mov", woven("top") + ["-c:v", "prores_ks", "-flags", "+ildct", "-top", "1"], .top),
    ])
    func fieldsAreNamed(name: String, arguments: [String], first: FieldOrder) async throws {
        #expect(try await facts(name, arguments).video[0].firstField == first)
    }

    @Test(arguments: [
        ("a.mp4", ["-c:v", "libx264"]), ("a.mov", ["-c:v", "prores_ks"]), ("a.webm", ["-c:v", "libvpx-vp9"]),
        ("a.mkv", ["-c:v", "ffv1"]), ("a.png", ["-frames:v", "1"]),
    ])
    func progressivePicturesHaveNone(name: String, codec: [String]) async throws {
        let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "3"]
        #expect(try await facts(name, input + codec).video[0].firstField == nil)
    }

    @Test(arguments: [
        (["-colorspace", "bt709"], false), (["-color_primaries", "bt709"], false), (["-color_trc", "bt709"], true),
        ([], true), (["-color_range", "pc"], true), (["-pix_fmt", "gbrp"], false),
    ])
    func aColourThatIsNotSaidIsAGuess(tags: [String], isGuessed: Bool) async throws {
        let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "2", "-c:v", "ffv1"]
        let found = try await facts("a.mkv", input + ["-pix_fmt", "yuv420p"] + tags).video[0]
        #expect(found.isColorGuessed == (isGuessed ? true : nil))
        if isGuessed { #expect(found.color.matrix == "smpte170m") }
    }

    @Test func artworkIsNoTrack() async throws {
        let cover = folder.path("cover.png")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=60x50", "-frames:v", "1", cover])
        let sound = ["-f", "lavfi", "-i", "sine=d=1", "-i", cover, "-map", "0", "-map", "1", "-c:v", "copy"]
        let found = try await facts("a.m4a", sound + ["-disposition:v:0", "attached_pic"])
        #expect(found.video.isEmpty && found.audio.count == 1)
        #expect(found.artwork == [ArtworkFacts(codec: "png", size: PictureSize(width: 60, height: 50))])
        #expect(try await facts("plain.m4a", ["-f", "lavfi", "-i", "sine=d=1"]).artwork == nil)
    }
}
