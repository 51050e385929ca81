import CompositionModel
import Foundation
import Media
import TestSupport
import Testing
import Timing

/// Every frame of every kind of movie, in order and at random, against ffmpeg's own linear decode.
@Suite(.serialized)
struct PictureReaderTests {
    /// ffmpeg's decode of all frames, in the reader's pixel format.
    private func linearDecode(_ path: String, _ stream: VideoStreamFacts) async throws -> [ContentDigest] {
        let data = try await Shell.ffmpeg([
            "-flags", "+bitexact", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo",
            "-pix_fmt", stream.pixelFormat,
            "-",
        ])
        guard stream.frameCount > 0 else { return [] }
        let length = data.count / Int(stream.frameCount)
        return stride(from: 0, to: data.count, by: length).map {
            ContentDigest(of: data[$0..<min($0 + length, data.count)])
        }
    }

    @Test(arguments: MovieKind.all)
    func everyFrameInAnyOrder(kind: MovieKind) async throws {
        let folder = try TemporaryFolder()
        let path = try await kind.make(in: folder)
        let source = try FileByteSource(path: path)
        let (facts, indexes) = try AssetProbe.probe(source)
        let stream = try #require(facts.defaultVideo)
        #expect(stream.frameCount == Int64(kind.expected.count))
        #expect(stream.isVariableRate == kind.isVariable)
        if !kind.isVariable { #expect(stream.frameRate.description == kind.rate) }
        let oracle = try await linearDecode(path, stream)
        var concealed: [RationalTime] = []
        let reader = try PictureReader(source: source, stream: stream, index: indexes[0], threads: 2) {
            concealed.append($0)
        }
        var digests: [ContentDigest] = []
        for frame in 0..<Int(stream.frameCount) {
            let picture = try reader.picture(frame: frame)
            #expect(try number(picture) == kind.expected[frame])
            digests.append(picture.digest())
        }
        #expect(digests == oracle && concealed.isEmpty)
        try checkRandomAccess(source, stream, indexes[0], digests)
    }

    private func number(_ picture: Picture) throws -> Int {
        let converter = PictureConverter()
        let (width, height) = (picture.width, picture.height)
        return TestPictures.number(of: try converter.convert(picture, toWidth: width, height: height, color: .bt709))
    }

    private func checkRandomAccess(
        _ source: FileByteSource,
        _ stream: VideoStreamFacts,
        _ index: FrameIndex,
        _ digests: [ContentDigest]
    ) throws {
        var concealed: [RationalTime] = []
        let reader = try PictureReader(source: source, stream: stream, index: index, threads: 1) {
            concealed.append($0)
        }
        defer { #expect(concealed.isEmpty) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            let frame = Int.random(in: digests.indices, using: &generator)
            let start = try index.time(ofShownFrame: frame)
            #expect(try reader.picture(at: start).digest() == digests[frame], "frame \(frame)")
        }
    }

    /// A source that counts what is read.
    @Test func forwardReadingDecodesOnce() async throws {
        let folder = try TemporaryFolder()
        let kind = try #require(MovieKind.all.first { $0.name == "short GOP" })
        let path = try await kind.make(in: folder)
        let source = CountingSource(try FileByteSource(path: path))
        let (facts, indexes) = try AssetProbe.probe(source)
        let reader = try PictureReader(source: source, stream: facts.video[0], index: indexes[0], threads: 2)
        source.bytesRead = 0
        for frame in 0..<kind.count { _ = try reader.picture(frame: frame) }
        #expect(source.bytesRead <= source.byteCount)
        for frame in (kind.count - 4)..<kind.count { _ = try reader.picture(frame: frame) }
        #expect(source.bytesRead <= source.byteCount)
    }

    /// On the way to a frame far behind its entry point, pictures that no other refers to are not decoded. Each frame
    /// is reached by a reader that has decoded nothing before, and is followed by the next ones.
    @Test(arguments: ["long GOP", "short GOP", "open GOP ts", "interlaced", "H.264 avi", "HEVC CRA"])
    func onTheWayOnlyWhatIsReferredToIsDecoded(name: String) async throws {
        let folder = try TemporaryFolder()
        let kind = try #require(MovieKind.all.first { $0.name == name })
        let source = try FileByteSource(path: try await kind.make(in: folder))
        let (facts, indexes) = try AssetProbe.probe(source)
        func reader() throws -> PictureReader {
            try PictureReader(source: source, stream: facts.video[0], index: indexes[0], threads: 1)
        }
        let forwards = try reader()
        let count = Int(facts.video[0].frameCount)
        let digests = try (0..<count).map { try forwards.picture(frame: $0).digest() }
        #expect(forwards.pictureCount >= count)
        for frame in stride(from: 0, to: count - 3, by: 7) {
            let reader = try reader()
            for next in frame..<frame + 3 {
                #expect(try reader.picture(frame: next).digest() == digests[next], "frame \(next)")
            }
        }
        let far = try reader()
        _ = try far.picture(frame: count - 1)
        if name == "long GOP" { #expect(far.decodedCount == count && far.pictureCount < count * 3 / 4) }
    }

    /// Backwards every group of pictures is decoded once, apart from the few packets past its end that bring out its
    /// last pictures; when memory is short it is decoded in pieces, and the pictures are the same.
    @Test(arguments: ["long GOP", "short GOP", "open GOP", "MPEG-2 ts", "HEVC CRA", "ts NTSC", "edit list", "VP9"])
    func backwardReadingDecodesOnce(name: String) async throws {
        let folder = try TemporaryFolder()
        let kind = try #require(MovieKind.all.first { $0.name == name })
        let source = try FileByteSource(path: try await kind.make(in: folder))
        let (facts, indexes) = try AssetProbe.probe(source)
        let (stream, index) = (facts.video[0], indexes[0])
        let forwards = try PictureReader(source: source, stream: stream, index: index, threads: 1)
        let count = Int(stream.frameCount)
        let digests = try (0..<count).map { try forwards.picture(frame: $0).digest() }
        func backwards(bytes: Int) throws -> Int {
            let reader = try PictureReader(
                source: source,
                stream: stream,
                index: index,
                threads: 1,
                backwardBytes: bytes
            )
            for frame in (0..<count).reversed() {
                #expect(try reader.picture(frame: frame, direction: .backwards).digest() == digests[frame], "\(frame)")
            }
            return reader.decodedCount
        }
        let pictureBytes = stream.width * stream.height * 3 / 2
        let groups = max(1, stream.keyframes.count)
        #expect(try backwards(bytes: 1 << 30) <= count + 30 + 12 * groups)
        #expect(try backwards(bytes: pictureBytes * 10) <= count * (count / groups / 10 + 2) + 12 * count / 10)
    }

    @Test func outsideIsAnError() async throws {
        let folder = try TemporaryFolder()
        let path = try await MovieKind.all[0].make(in: folder)
        let source = try FileByteSource(path: path)
        let (facts, indexes) = try AssetProbe.probe(source)
        let reader = try PictureReader(source: source, stream: facts.video[0], index: indexes[0], threads: 1)
        #expect(throws: MediaError.self) { try reader.picture(frame: 120) }
        #expect(throws: MediaError.self) { try reader.picture(at: RationalTime(-1, 1000)) }
        #expect(throws: MediaError.self) { try reader.picture(at: facts.video[0].duration) }
        #expect(try TestPictures.number(of: reader.picture(at: RationalTime(119, 25))) == 119)
    }

    /// A frame is named by its place in the file, for whoever looks for it in a player.
    @Test func aLostFrameIsNamedWithItsTime() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("damaged.mov")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-c:v", "png", path])
        let (facts, indexes) = try AssetProbe.probe(FileByteSource(path: path))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(indexes[0].packets[30].position))
        try file.write(contentsOf: Data(count: 64))
        try file.close()
        let source = try FileByteSource(path: path)
        let reader = try PictureReader(source: source, stream: facts.video[0], index: indexes[0], threads: 1)
        _ = try reader.picture(frame: 29)
        let error = #expect(throws: MediaError.self) { try reader.picture(frame: 30) }
        #expect(error?.failure.code == "decode_failed")
        #expect(error?.failure.message.contains("Frame 30 of stream 0, at 1.2 s,") == true)
        _ = try reader.picture(frame: 31)
    }

    /// The index of another file is noticed, not believed.
    @Test func foreignIndexIsRefused() async throws {
        let folder = try TemporaryFolder()
        let path = try await MovieKind.all[0].make(in: folder)
        let source = try FileByteSource(path: path)
        var (facts, indexes) = try AssetProbe.probe(source)
        for packet in indexes[0].packets.indices { indexes[0].packets[packet].position += 1 }
        let reader = try PictureReader(source: source, stream: facts.video[0], index: indexes[0], threads: 1)
        #expect(throws: MediaError.self) { try reader.picture(frame: 60) }
        facts.video = []
    }
}

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

final class CountingSource: ByteSource {
    private let source: FileByteSource
    var bytesRead: Int64 = 0

    init(_ source: FileByteSource) { self.source = source }

    var byteCount: Int64 { source.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = try source.read(into: buffer, at: offset)
        bytesRead += Int64(count)
        return count
    }
}
