import CompositionModel
import Foundation
import Rendering
import TestSupport
import Testing

/// A picture of odd sides in a frame of the next even sides: its samples as they are, its last column and row twice.
@Suite struct OddSizeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func movie(_ size: String, _ name: String = "a.mkv", _ arguments: [String] = []) async throws -> TestMovie {
        let input = ["-f", "lavfi", "-i", "testsrc=s=\(size):r=25", "-frames:v", "6", "-pix_fmt", "yuv420p"]
        return try await TestMovie.make(name, in: folder, input + ["-c:v", "ffv1"] + TestPattern.bt709 + arguments)
    }

    private func edit(_ segment: String, _ movie: TestMovie, format: String = "") throws -> PlannedEdit {
        let text = """
            { "schema": "edit/1", "format": { \(format) "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a" }, "tracks": [{ "kind": "video", "segments": [{ "asset": "a" \(segment) }] }] }
            """
        return try PlannedEdit(text, ["a": movie])
    }

    /// The planes of `picture`, whose sides are `size`, with luma repeated up to even sides; chroma has them already.
    private func padded(_ picture: [UInt8], _ size: PictureSize) -> [UInt8] {
        let even = size.withEvenSides
        let luma = (0..<even.height).flatMap { y in
            (0..<even.width).map { x in picture[min(y, size.height - 1) * size.width + min(x, size.width - 1)] }
        }
        return luma + picture[(size.width * size.height)...]
    }

    @Test(arguments: [(101, 77), (100, 77), (101, 76), (853, 479), (17, 3)], ["", #", "fit": "cover""#])
    func nothingIsScaled(size: (Int, Int), fit: String) async throws {
        let own = PictureSize(width: size.0, height: size.1)
        let movie = try await movie("\(size.0)x\(size.1)")
        let raw = try await RawPictures(movie.path, size: own)
        let edit = try edit(fit, movie)
        try #require(movie.facts.video[0].displaySize == own && edit.composition.format.size == own.withEvenSides)
        let frames = try edit.frames()
        #expect(frames.count == 6)
        for (number, frame) in frames.enumerated() { #expect(frame == padded(raw[number], own), "\(number)") }
    }

    /// Where nothing is to be scaled, the rest of the frame is the background.
    @Test func withoutAFitTheRestIsBackground() async throws {
        let movie = try await movie("101x77")
        let frame = try #require(try edit(#", "fit": "none""#, movie).frames().first)
        let raw = try await RawPictures(movie.path, size: PictureSize(width: 101, height: 77))[0]
        #expect(
            (0..<77).allSatisfy { y in Array(frame[y * 102..<y * 102 + 101]) == Array(raw[y * 101..<y * 101 + 101]) }
        )
        #expect(
            (0..<77).allSatisfy { frame[$0 * 102 + 101] == 16 } && frame[77 * 102..<78 * 102].allSatisfy { $0 == 16 }
        )
    }

    /// Footage that is turned when it is shown: what is repeated is the last column and row on the screen. Codecs of
    /// phones have odd sides in 4:4:4 alone.
    @Test func turnedPicturesAreRepeatedOnTheScreen() async throws {
        let upright = try await movie("101x77")
        let coded = folder.path("coded.mp4")
        try await Shell.ffmpeg(["-i", upright.path, "-c:v", "libx264", "-qp", "0", "-pix_fmt", "yuv444p", coded])
        let turn = ["-i", coded, "-c", "copy", "-metadata:s:v:0", "rotate=90"]
        let movie = try await TestMovie.make("turned.mp4", in: folder, turn)
        let own = PictureSize(width: 77, height: 101)
        try #require(movie.facts.video[0].displaySize == own)
        let raw = try await RawPictures(movie.path, size: own)
        let frames = try edit("", movie).frames()
        for (number, frame) in frames.enumerated() {
            let expected = padded(raw[number], own)
            #expect(Array(frame[..<(78 * 102)]) == Array(expected[..<(78 * 102)]), "\(number)")
        }
    }

    /// A layer that is moved has the same samples: at a whole number of pixels nothing is softened.
    @Test func aMovedPictureKeepsItsSamples() async throws {
        let movie = try await movie("101x77")
        let raw = try await RawPictures(movie.path, size: PictureSize(width: 101, height: 77))[0]
        let frame = try #require(try edit(#", "position": [71, 49]"#, movie).frames().first)
        // The centre (51, 39) stands at (71, 49).
        for y in 10..<78 {
            #expect(
                Array(frame[y * 102 + 20..<y * 102 + 102]) == Array(raw[(y - 10) * 101..<(y - 10) * 101 + 82]),
                "\(y)"
            )
        }
    }
}
