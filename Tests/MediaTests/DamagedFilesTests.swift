import CompositionModel
import Foundation
import Media
import TestSupport
import Testing

/// Seeded damage anywhere in a file: an answer or one ``MediaError``, never a crash or an endless loop.
struct DamagedFilesTests {
    @Test(arguments: ["a.mp4", "b.mp4", "a.mkv", "a.ts", "a.mpg", "a.avi"])
    func anyBytesAreSurvived(name: String) async throws {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1:r=48000", "-c:v",
                name == "a.mpg" ? "mpeg2video" : "libx264", "-bf", "2", "-g", "10",
            ] + (name == "b.mp4" ? ["-movflags", "+frag_keyframe"] : []) + [folder.path(name)]
        )
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
        var generator = SeededGenerator(seed: UInt64(name.utf8.reduce(0) { $0 * 31 + Int($1) }))
        var failures = 0
        for round in 0..<40 {
            let bytes = damage(data, heavily: round % 4 == 0, using: &generator)
            do { try use(MemorySource(bytes)) } catch is MediaError { failures += 1 }
        }
        // A program stream has no index that could be wrong.
        #expect(failures > 0 || name == "a.mpg")
    }

    /// Some bytes anywhere, or in the first tenth, where indexes and headers are.
    private func damage(_ data: Data, heavily: Bool, using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = [UInt8](data)
        let end = Bool.random(using: &generator) ? bytes.count : bytes.count / 10
        for _ in 0..<(heavily ? 200 : 5) {
            bytes[Int.random(in: 0..<end, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        if heavily { bytes.removeLast(Int.random(in: 0..<(bytes.count / 2), using: &generator)) }
        return bytes
    }

    private func use(_ source: MemorySource) throws {
        let (facts, indexes) = try AssetProbe.probe(source)
        for (stream, index) in zip(facts.video, indexes) {
            let reader = try PictureReader(source: source, stream: stream, index: index, threads: 1)
            for frame in [0, Int(stream.frameCount) - 1, Int(stream.frameCount) / 2] {
                _ = try? reader.picture(frame: frame)
            }
        }
        for stream in facts.audio {
            let reader = try SoundReader(source: source, stream: stream)
            var blocks = 0
            while blocks < 500, try reader.next() != nil { blocks += 1 }
        }
    }
}

private final class MemorySource: ByteSource {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var byteCount: Int64 { Int64(bytes.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        let count = min(buffer.count, bytes.count - Int(offset))
        buffer.copyBytes(from: bytes[Int(offset)..<(Int(offset) + count)])
        return count
    }
}
