import CompositionModel
import Foundation
import Media
import TestSupport
import Testing
import Timing

/// What one file says of itself, and one sentence for each that cannot be used.
struct AssetProbeTests {
    private static let pattern = ["-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=1"]
    private static let x264 = ["-c:v", "libx264", "-preset", "ultrafast"]

    private func probe(_ name: String, _ arguments: [String]) async throws -> AssetFacts {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(arguments + [folder.path(name)])
        return try AssetProbe.probe(FileByteSource(path: folder.path(name))).facts
    }

    private func failure(_ path: String) throws -> Failure {
        do {
            _ = try AssetProbe.probe(FileByteSource(path: path))
        } catch {
            return error.failure
        }
        Issue.record("nothing was wrong with \(path)")
        return Failure(code: "", message: "", isPermanent: false)
    }

    /// Files that stand for something generated are written by people too.
    @Test(arguments: [
        (#"cutfarm generated picture 1\n{"kind":"bars"}"#, "The generated picture cannot be drawn: it has no “size”."),
        (#"cutfarm generated sound 1\n{"kind":"silence"}"#, "sound cannot be made: it has no “sampleRate”."),
        (
            #"cutfarm generated picture 1\n{"colors":[],"frameCount":1,"frameRate":"25/1","kind":"bars","size":7}"#,
            "The generated picture cannot be drawn: “size” has the wrong type."
        ),
        (
            #"cutfarm generated picture 1\n{"colors":[],"frameCount":1,"frameRate":"25/1","kind":"bars","#
                + #""size":{"height":35,"width":64}}"#,
            "The generated picture cannot be drawn: it has impossible values."
        ),
        ("cutfarm generated sound 1\\nsilence", "sound cannot be made: The given data was not valid JSON."),
    ])
    func whatIsWrongWithAGeneratedFileIsSaid(text: String, sentence: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("generated")
        try Data(text.replacing("\\n", with: "\n").utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: MediaError.self) { try AssetProbe.probe(FileByteSource(path: path)) }
        #expect(error.map { "\($0)" }?.contains(sentence) == true, "\(String(describing: error))")
    }

    @Test func tracksAndLanguages() async throws {
        let facts = try await probe(
            "a.mp4",
            Self.pattern + [
                "-f", "lavfi", "-i", "sine=d=1:r=48000", "-f", "lavfi", "-i", "sine=f=900:d=1:r=44100", "-map", "0",
                "-map", "1", "-map", "2", "-c:a", "aac", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1",
                "language=deu", "-disposition:a:0", "0", "-disposition:a:1", "default",
            ] + Self.x264
        )
        #expect(facts.container.hasPrefix("mov,mp4"))
        #expect(facts.video.map(\.streamIndex) == [0])
        #expect(facts.audio.map(\.language) == ["eng", "deu"])
        #expect(facts.audio.map(\.sampleRate) == [48000, 44100])
        #expect(facts.defaultAudio?.language == "deu")
        #expect(facts.video[0].duration == RationalTime(whole: 1))
        #expect(facts.video[0].keyframes == [0])
    }

    /// Cut without encoding: the pictures from the keyframe to the cut stay in the file, and an edit list hides them.
    @Test func hiddenPicturesAreCounted() async throws {
        let folder = try TemporaryFolder()
        let whole = folder.path("whole.mp4")
        try await Shell.ffmpeg(Self.pattern + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", whole])
        #expect(try AssetProbe.probe(FileByteSource(path: whole)).facts.video[0].hiddenFrameCount == 0)
        let cut = try await probe("cut.mp4", ["-ss", "0.4", "-i", whole, "-c", "copy"]).video[0]
        #expect(cut.hiddenFrameCount == 10 && cut.frameCount == 15)
    }

    /// A PNG that says that it is larger than it is.
    @Test(arguments: [
        (16385, 64, "asset_limit", "The picture is 16385×64; up to 16384 a side are read."),
        (
            30000, 30000, "asset_unsupported",
            "The size of the picture of stream 0 is not known, or above 260 megapixels; make it smaller, or convert the "
                + "file to H.264."
        ),
    ])
    func aPictureIsTooLarge(width: Int, height: Int, code: String, message: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.png")
        try await Shell.ffmpeg(Self.pattern + ["-frames:v", "1", path])
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        // IHDR follows the signature of 8 bytes: length, type, width and height, 4 bytes each.
        for (place, size) in [(16, width), (20, height)] {
            for byte in 0..<4 { data[place + byte] = UInt8(size >> (24 - 8 * byte) & 255) }
        }
        try data.write(to: URL(fileURLWithPath: path))
        let failure = try failure(path)
        #expect(failure.message == message && failure.code == code, "\(failure)")
    }

    @Test func missingSoundAndCoverArt() async throws {
        let silent = try await probe("a.mp4", Self.pattern + Self.x264)
        #expect(silent.audio.isEmpty && silent.video.count == 1)
        let music = try await probe(
            "a.m4a",
            [
                "-f", "lavfi", "-i", "sine=d=1", "-f", "lavfi", "-i", "color=red:s=64x64:d=0.04", "-map", "0", "-map",
                "1",
                "-c:v", "mjpeg", "-disposition:v", "attached_pic", "-c:a", "aac",
            ]
        )
        #expect(music.video.isEmpty && music.audio.count == 1)
    }

    /// Turned as the facts say, our picture is the one that ffmpeg shows.
    @Test(arguments: [90, 180, 270])
    func rotation(tag: Int) async throws {
        let folder = try TemporaryFolder()
        let (plain, turned) = (folder.path("a.mp4"), folder.path("b.mp4"))
        try await Shell.ffmpeg(Self.pattern + Self.x264 + ["-pix_fmt", "yuv420p", plain])
        try await Shell.ffmpeg(["-i", plain, "-c", "copy", "-metadata:s:v", "rotate=\(tag)", turned])
        let source = try FileByteSource(path: turned)
        let (facts, indexes) = try AssetProbe.probe(source)
        let stream = facts.video[0]
        #expect(stream.displaySize.width == (tag == 180 ? 192 : 108))
        let reader = try PictureReader(source: source, stream: stream, index: indexes[0], threads: 1)
        let shown = try await Shell.ffmpeg(["-i", turned, "-frames:v", "1", "-f", "rawvideo", "-"])
        let luma = try turn(reader.picture(frame: 0), stream.orientation)
        #expect(Array(shown.prefix(192 * 108)) == luma)
    }

    private func turn(_ picture: Picture, _ orientation: Orientation) -> [UInt8] {
        let (width, height) = (picture.width, picture.height)
        let swaps = orientation.swapsSides
        return picture.withPlane(0) { plane in
            var bytes: [UInt8] = []
            for y in 0..<(swaps ? width : height) {
                for x in 0..<(swaps ? height : width) {
                    // The source of the point (x, y) of a picture that was turned clockwise.
                    let (sourceX, sourceY) =
                        switch orientation.degrees {
                        case 90: (y, height - 1 - x)
                        case 180: (width - 1 - x, height - 1 - y)
                        case 270: (width - 1 - y, x)
                        default: (x, y)
                        }
                    bytes.append(plane.row(sourceY)[sourceX])
                }
            }
            return bytes
        }
    }

    @Test func pixelAspectAndColour() async throws {
        let standard = try await probe("a.mp4", Self.pattern + ["-vf", "setsar=16/15"] + Self.x264).video[0]
        #expect(try standard.pixelAspect == RationalTime(16, 15))
        #expect(standard.color.matrix == "smpte170m" && !standard.color.isFullRange)
        let large = try await probe(
            "b.mp4",
            ["-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=0.2"] + Self.x264
        ).video[0]
        #expect(large.color == .bt709)
        let tagged = try await probe(
            "c.mp4",
            Self.pattern + Self.x264 + [
                "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-color_range",
                "pc",
            ]
        ).video[0]
        #expect(
            tagged.color
                == ColorDescription(matrix: "bt2020nc", isFullRange: true, primaries: "bt2020", transfer: "smpte2084")
        )
        let still = try await probe("d.png", Self.pattern + ["-frames:v", "1"]).video[0]
        #expect(still.color.matrix == "gbr" && still.color.isFullRange && still.frameCount == 1)
        let photo = try await probe("e.jpg", Self.pattern + ["-frames:v", "1"]).video[0]
        #expect(photo.color.isFullRange && photo.frameCount == 1)
        let short = try await probe("f.mp4", Self.pattern + ["-frames:v", "1"] + Self.x264).video[0]
        #expect(!short.color.isFullRange && short.frameCount == 1, "a movie, though of one frame")
    }

    // MARK: Files that cannot be used

    @Test func truncatedMovies() async throws {
        let folder = try TemporaryFolder()
        let noise = ["-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=4", "-vf", "noise=alls=40"]
        for (name, options) in [("a.mp4", []), ("b.mp4", ["-movflags", "+faststart"]), ("c.mkv", [])] {
            try await Shell.ffmpeg(noise + Self.x264 + options + [folder.path(name)])
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
            let cut = folder.path("cut-" + name)
            try data.prefix(data.count / 2).write(to: URL(fileURLWithPath: cut))
            let failure = try failure(cut)
            #expect(failure.code == "asset_truncated", "\(name)")
            #expect(failure.isPermanent)
        }
    }

    @Test func notMedia() throws {
        let folder = try TemporaryFolder()
        for (name, text) in [
            ("a.txt", "Dear reader, this is a letter."), ("b.mp4", ""), ("c.mp4", String(repeating: "x", count: 70000)),
        ] {
            try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
            #expect(try failure(folder.path(name)).code == "asset_not_media", "\(name)")
        }
    }

    @Test func playlists() throws {
        let folder = try TemporaryFolder()
        let live = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nhttp://example.com/a.ts\n"
        try live.write(toFile: folder.path("a.m3u8"), atomically: true, encoding: .utf8)
        #expect(try failure(folder.path("a.m3u8")).code == "asset_endless")
        // A script that names other files opens none of them.
        let concat = "ffconcat version 1.0\nfile '/etc/passwd'\n"
        try concat.write(toFile: folder.path("a.ffconcat"), atomically: true, encoding: .utf8)
        #expect(try failure(folder.path("a.ffconcat")).code == "asset_not_media")
    }

    @Test(arguments: [[], ["-f", "lavfi", "-i", "sine=440:d=1", "-c:a", "aac"]])
    func protected(sound: [String]) async throws {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(
            Self.pattern + sound + Self.x264 + [
                "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
                "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", folder.path("a.mp4"),
            ]
        )
        let failure = try failure(folder.path("a.mp4"))
        #expect(failure.code == "asset_protected")
        #expect(failure.message.contains("without protection"))
    }

    @Test func scrambledTransportStream() async throws {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(Self.pattern + Self.x264 + [folder.path("a.ts")])
        var data = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.ts")))
        // Every packet but those of the tables (PID 0, 17, 4096).
        for start in stride(from: 0, to: data.count, by: 188) {
            let pid = Int(data[start + 1] & 31) << 8 | Int(data[start + 2])
            if pid == 256 { data[start + 3] |= 0x80 }
        }
        try data.write(to: URL(fileURLWithPath: folder.path("b.ts")))
        #expect(try failure(folder.path("b.ts")).code == "asset_protected")
    }

    @Test func animatedWebPIsNoStill() async throws {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(Self.pattern + ["-c:v", "libwebp_anim", folder.path("a.webp")])
        let failure = try failure(folder.path("a.webp"))
        #expect(failure.code == "asset_unsupported" && failure.message.contains("animated WebP"), "\(failure)")
        // An extended file that does not move (here with alpha) is a still.
        try await Shell.ffmpeg(
            Self.pattern + [
                "-vf", "format=yuva420p,lutyuv=a=128", "-frames:v", "1", "-c:v", "libwebp", folder.path("b.webp"),
            ]
        )
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("b.webp")))
        #expect(bytes[12..<16].elementsEqual("VP8X".utf8))
        let still = try AssetProbe.probe(FileByteSource(path: folder.path("b.webp"))).facts
        #expect(still.video.map(\.frameCount) == [1])
    }

    @Test func missingFileIsUnreadable() {
        #expect(throws: MediaError.self) { try FileByteSource(path: "/nonexistent/a.mp4") }
        #expect(throws: MediaError.self) { try FileByteSource(path: "/tmp") }
    }

    /// What a source throws arrives as it was thrown, not as libavformat's number.
    @Test func sourceFailuresPassThrough() async throws {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(Self.pattern + Self.x264 + [folder.path("a.mp4")])
        let expected = Failure(code: "block_unavailable", message: "Block 0 is gone.", isPermanent: false)
        let source = try FailingSource(
            FileByteSource(path: folder.path("a.mp4")),
            after: 3,
            MediaError.source(expected)
        )
        #expect(throws: MediaError.source(expected)) { try AssetProbe.probe(source) }
    }
}

/// Fails for good after some reads.
private final class FailingSource: ByteSource {
    private let source: FileByteSource
    private var left: Int
    private let error: MediaError

    init(_ source: FileByteSource, after reads: Int, _ error: MediaError) throws {
        self.source = source
        left = reads
        self.error = error
    }

    var byteCount: Int64 { source.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        left -= 1
        if left < 0 { throw error }
        return try source.read(into: buffer, at: offset)
    }
}
