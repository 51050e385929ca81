import CompositionModel
import Foundation
import Media
import TestSupport
import Testing

/// Real, untidy files, where `CUTFARM_FOOTAGE` says they are.
struct FootageTests {
    @Test(
        .enabled(if: SampleMedia.folder != nil, "set CUTFARM_FOOTAGE to the folder of sample media"),
        arguments: [
            ("01_nebula.mp4", 251), ("02_blackhole.mp4", 251), ("03_nebula.mp4", 250), ("04_quasar.mp4", 251),
            ("05_blackhole.mp4", 250),
        ]
    )
    func randomAccessEqualsLinearDecode(name: String, count: Int) async throws {
        let path = try #require(SampleMedia.folder) + "/" + name
        let source = try FileByteSource(path: path)
        let (facts, indexes) = try AssetProbe.probe(source)
        let stream = facts.video[0]
        #expect(stream.frameCount == Int64(count))
        let data = try await Shell.ffmpeg([
            "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framehash", "-",
        ])
        let oracle = String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "" }
        #expect(oracle.count == count)
        let reader = try PictureReader(source: source, stream: stream, index: indexes[0], threads: 2)
        for frame in [0, 1, 2, 100, 101, 240, 60, count - 1] {
            #expect(try reader.picture(frame: frame).digest().hex == oracle[frame], "frame \(frame)")
        }
    }

    @Test(
        .enabled(if: SampleMedia.folder != nil, "set CUTFARM_FOOTAGE to the folder of sample media"),
        arguments: [
            ("keep-going.m4a", 1_102_848), ("star-gazing.m4a", 846_720),
            // Two notes each; the second ones fit the length of the track.
            ("voice-kennedy.m4a", 229_673), ("voice-reagan.m4a", 363_825),
        ]
    )
    func musicIsCountedOnce(name: String, count: Int64) throws {
        let path = try #require(SampleMedia.folder) + "/" + name
        let facts = try AssetProbe.probe(FileByteSource(path: path)).facts
        #expect(facts.video.isEmpty)
        #expect(facts.defaultAudio?.sampleCount == count)
        let stream = try #require(facts.defaultAudio)
        #expect(try Int64(readAll(path, stream)[0].count) == count)
    }

    /// Sample 0 is the first that is meant to be heard: behind the priming where the file names it (three have nothing
    /// but iTunes' note, 2112 samples), else the first that is there.
    @Test(
        .enabled(if: SampleMedia.folder != nil, "set CUTFARM_FOOTAGE to the folder of sample media"),
        arguments: [
            ("01_nebula.mp4", 0), ("02_blackhole.mp4", 0), ("04_quasar.mp4", 0), ("keep-going.m4a", 0),
            ("star-gazing.m4a", 2112), ("voice-kennedy.m4a", 2112), ("voice-reagan.m4a", 2112), ("voice-sagan.m4a", 0),
        ]
    )
    func sampleZeroIsTheFirstToBeHeard(name: String, priming: Int) async throws {
        let path = try #require(SampleMedia.folder) + "/" + name
        #expect(try Self.notedPriming(path) ?? 0 == priming)
        for stream in try AssetProbe.probe(FileByteSource(path: path)).facts.audio {
            // Every sample of every packet, whatever the container says of it.
            let data = try await Shell.ffmpeg(
                ["-flags2", "+skip_manual", "-i", path, "-map", "0:\(stream.streamIndex)", "-t", "6"]
                    + ["-c:a", "pcm_f32le", "-f", "f32le", "-"]
            )
            let raw = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            let own = try readAll(path, stream)[0]
            let packets = stride(from: 0, to: raw.count, by: stream.channels).map { raw[$0] }
            func difference(_ shift: Int) -> Float {
                (0..<200_000).map { abs(own[$0] - packets[$0 + shift]) }.max() ?? 1
            }
            #expect(difference(priming) < 1e-5, "stream \(stream.streamIndex)")
            // Some of the films are silent.
            let isSilent = own[..<200_000].allSatisfy { abs($0) < 1e-3 }
            #expect(isSilent || difference(priming + 1) > 1e-3, "stream \(stream.streamIndex): a shift would be seen")
        }
    }

    /// iTunSMPB's second number, found in the bytes themselves.
    private static func notedPriming(_ path: String) throws -> Int? {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let found = bytes.range(of: Data("iTunSMPB".utf8)) else { return nil }
        let note = bytes[found.upperBound..<found.upperBound + 60].drop { $0 != UInt8(ascii: " ") }
        let words = String(decoding: note, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1], radix: 16) : nil
    }
}
