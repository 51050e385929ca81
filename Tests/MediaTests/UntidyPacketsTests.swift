import CompositionModel
import Foundation
import Media
import TestSupport
import Testing
import Timing

/// Packets that hold nothing, or of which the container says too little.
@Suite struct UntidyPacketsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes `name` of 30 numbered pictures at 25 a second and a tone that begins `offset` seconds after them.
    private func make(_ name: String, _ coding: [String], offset: Double? = nil) async throws -> FileByteSource {
        let (raw, size) = (folder.path("raw.yuv"), TestPictures.size)
        try TestPictures.raw(count: 30).write(to: URL(fileURLWithPath: raw))
        var input = [
            "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(size.width)x\(size.height)", "-r", "25", "-i", raw,
        ]
        if let offset { input += ["-itsoffset", "\(offset)", "-f", "lavfi", "-i", "sine=440:r=48000:d=1.5"] }
        try await Shell.ffmpeg(input + coding + [folder.path(name)])
        return try FileByteSource(path: folder.path(name))
    }

    private func seconds(_ time: RationalTime) -> Double { Double(time.numerator) / Double(time.denominator) }

    /// Of a program stream only some pictures have times, and the sound goes by the same clock.
    @Test(arguments: [0.0, 0.25]) func soundOfAProgramStreamIsHeardWhereItWasMade(offset: Double) async throws {
        let coding = ["-c:v", "mpeg2video", "-q:v", "3", "-bf", "2", "-c:a", "mp2"]
        let facts = try AssetProbe.probe(try await make("a.mpg", coding, offset: offset)).facts
        #expect(facts.defaultVideo?.frameCount == 30)
        #expect(abs(seconds(try #require(facts.defaultAudio).start) - offset) < 0.03)
    }

    /// Where pictures are left out, AVI has chunks of no bytes, and the picture before stays.
    @Test(arguments: ["mjpeg", "mpeg4"]) func emptyChunksOfAVIAreNoPictures(codec: String) async throws {
        let coding = ["-vf", "select='not(between(n,5,9))'", "-fps_mode", "vfr", "-c:v", codec, "-q:v", "2"]
        let source = try await make("a.avi", coding)
        let (facts, indexes) = try AssetProbe.probe(source)
        let stream = try #require(facts.defaultVideo)
        let reader = try PictureReader(source: source, stream: stream, index: indexes[0], threads: 1)
        var (numbers, times): ([Int], [RationalTime]) = ([], [])
        for frame in 0..<Int(stream.frameCount) {
            let picture = try reader.picture(frame: frame)
            let (width, height) = (picture.width, picture.height)
            let plain = try PictureConverter().convert(picture, toWidth: width, height: height, color: .bt709)
            numbers.append(TestPictures.number(of: plain))
            times.append(try stream.time(ofFrame: Int64(frame)))
        }
        #expect(numbers == Array(0..<5) + Array(10..<30))
        #expect(times == (try numbers.map { try RationalTime(Int64($0), 25) }))
    }

    /// Without its index, as when it is written to a pipe, AVI does not say which packets are keys.
    @Test func keysOfFFV1AreReadFromItsPackets() async throws {
        let source = try await make("even.avi", ["-c:v", "ffv1", "-g", "5"])
        let keys = try AssetProbe.probe(source).facts.defaultVideo?.keyframes
        #expect(keys == [0, 5, 10, 15, 20, 25])
        let piped = try await Shell.ffmpeg(["-i", folder.path("even.avi"), "-c", "copy", "-f", "avi", "-"])
        try piped.write(to: URL(fileURLWithPath: folder.path("piped.avi")))
        let other = try FileByteSource(path: folder.path("piped.avi"))
        let (facts, indexes) = try AssetProbe.probe(other)
        let stream = try #require(facts.defaultVideo)
        #expect(stream.keyframes == keys)
        let reader = try PictureReader(source: other, stream: stream, index: indexes[0], threads: 1)
        let picture = try reader.picture(frame: 8)
        let (width, height) = (picture.width, picture.height)
        let plain = try PictureConverter().convert(picture, toWidth: width, height: height, color: .bt709)
        #expect(TestPictures.number(of: plain) == 8)
    }
}
