import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing

/// Pictures are copied from whatever container holds them, and however it says where a NAL unit ends.
@Suite struct CopiedContainerTests {
    /// 64×48 at 25 fps, with units of fewer than 256 bytes and three slices a picture.
    private static let coded =
        ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "120", "-c:v", "libx264", "-preset", "veryfast"]
        + ["-crf", "45", "-x264-params", "keyint=30:slices=3:scenecut=0", "-pix_fmt", "yuv420p"]
        + ["-bsf:v", "filter_units=remove_types=6"] + TestPattern.bt709

    struct Wrapping: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file: String
        var options: [String] = []
    }

    static let wrappings = [
        Wrapping(testDescription: "fragments", file: "a.mp4", options: ["-movflags", "frag_keyframe+empty_moov"]),
        Wrapping(testDescription: "an empty edit first", file: "b.mp4", options: ["-output_ts_offset", "1.5"]),
        Wrapping(testDescription: "a time that wraps", file: "c.ts", options: ["-output_ts_offset", "95441.5"]),
        Wrapping(testDescription: "no times", file: "d.avi", options: ["-bf", "0"]),
        Wrapping(testDescription: "FLV", file: "e.flv"),
        Wrapping(testDescription: "Matroska of a live stream", file: "f.mkv", options: ["-live", "1"]),
        Wrapping(testDescription: "NUT", file: "g.nut"),
        Wrapping(
            testDescription: "negative composition offsets",
            file: "h.mp4",
            options: ["-movflags", "negative_cts_offsets"]
        ),
    ]

    @Test(arguments: wrappings) func everyContainerIsCopiedFrom(_ wrapping: Wrapping) async throws {
        let folder = try TemporaryFolder()
        let movie = try await TestMovie.make(wrapping.file, in: folder, Self.coded + wrapping.options)
        try await checkCopy(of: movie, in: folder, hashes: StitchedMovie(path: movie.path).frameHashes())
    }

    /// Lengths of one and of two bytes (ISO/IEC 14496-15, 5.3.3.1.2), and filler data behind the slices.
    @Test(arguments: [1, 2]) func shortLengthsAreRead(lengthSize: Int) async throws {
        let folder = try TemporaryFolder()
        let usual = try await TestMovie.make("usual.mp4", in: folder, Self.coded)
        let path = folder.path("short.mp4")
        try await shortened(usual.path, lengthSize: lengthSize).write(to: URL(fileURLWithPath: path))
        let hashes = try await StitchedMovie(path: usual.path).frameHashes()
        #expect(try await StitchedMovie(path: path).frameHashes() == hashes, "the test's own file is sound")
        try await checkCopy(of: TestMovie(path: path), in: folder, hashes: hashes)
    }

    /// Copies frames 30 to 120, and compares what ffmpeg decodes of them.
    private func checkCopy(of movie: TestMovie, in folder: TemporaryFolder, hashes: [String]) async throws {
        let text = """
            { "schema": "edit/1", "format": { "size": [64, 48], "frameRate": "25" }, "assets": { "a": "a" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "in": "30f", "duration": "90f" }] }],
              "outputs": [{ "preset": "h264" }] }
            """
        let edit = try PlannedEdit(text, ["a": movie], preset: nil, copies: true)
        let plan = try edit.plan(nil)
        #expect(plan.encoded == [], "\(String(describing: plan.encoded))")
        let copied = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        #expect(hashes.count == 120)
        #expect(try await copied.frameHashes() == Array(hashes[30...]))
        #expect(try await copied.decoderMessages() == "")
    }

    /// An MP4 file whose samples keep their places and sizes: the lengths of their units have fewer bytes, and filler
    /// data take what that saves.
    private func shortened(_ path: String, lengthSize: Int) async throws -> Data {
        var file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let record = try #require(Data(file).range(of: Data("avcC".utf8)))
        file[record.upperBound + 4] = 0xFC | UInt8(lengthSize - 1)
        let entries = ["-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path]
        let lines = try await Shell.run("ffprobe", entries).text.split(separator: "\n")
        #expect(lines.count == 120)
        for line in lines {
            let numbers = line.split(separator: ",").compactMap { Int($0) }
            let (size, position) = (numbers[0], numbers[1])
            var sample: [UInt8] = []
            var place = position
            while place < position + size {
                let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
                try #require(length < 1 << 8 * lengthSize)
                sample += bigEndian(length, lengthSize) + file[place + 4..<place + 4 + length]
                place += 4 + length
            }
            let rest = size - sample.count - lengthSize
            sample += bigEndian(rest, lengthSize) + [0x0C] + [UInt8](repeating: 0xFF, count: rest - 2) + [0x80]
            file.replaceSubrange(position..<position + size, with: sample)
        }
        return Data(file)
    }

    private func bigEndian(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
