import Foundation
import Media
import Shared
import TestSupport
import Testing

/// Real, untidy files, where `CUTFARM_FOOTAGE` says they are.
struct FootageTests {
    private static let folder = ProcessInfo.processInfo.environment["CUTFARM_FOOTAGE"]

    @Test(
        .enabled(if: folder != nil, "set CUTFARM_FOOTAGE to the folder of sample media"),
        arguments: [
            ("01_nebula.mp4", 251), ("02_blackhole.mp4", 251), ("03_nebula.mp4", 250), ("04_quasar.mp4", 251),
            ("05_blackhole.mp4", 250),
        ]
    )
    func randomAccessEqualsLinearDecode(name: String, count: Int) async throws {
        let path = try #require(Self.folder) + "/" + name
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
        .enabled(if: folder != nil, "set CUTFARM_FOOTAGE to the folder of sample media"),
        arguments: [("keep-going.m4a", 1_102_848), ("star-gazing.m4a", 846_720), ("voice-kennedy.m4a", 230_336)]
    )
    func musicIsCountedOnce(name: String, count: Int64) throws {
        let path = try #require(Self.folder) + "/" + name
        let facts = try AssetProbe.probe(FileByteSource(path: path)).facts
        #expect(facts.video.isEmpty)
        #expect(facts.defaultAudio?.sampleCount == count)
        let stream = try #require(facts.defaultAudio)
        #expect(try Int64(readAll(path, stream)[0].count) == count)
    }
}
