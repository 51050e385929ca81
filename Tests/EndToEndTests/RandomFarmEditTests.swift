import Foundation
import TestSupport
import Testing
import WireProtocol

/// Random edits of everything through a whole farm: fonts found, numbered and drawn pictures made into assets, parts
/// stitched. RenderingTests does hundreds of them without one.
@Suite(.serialized, .enabled(if: RandomMedia.hasFonts, "DejaVu and Noto fonts are needed"))
struct RandomFarmEditTests {
    private static let seeds = TestSeeds.asked(usual: 2, thorough: 12)
    private static let counts = TestSeeds.asked([1, 2, 7, 31], usual: [1, 7])

    @Test func framesAndSoundAreTheSameForAnyNumberOfSegments() async throws {
        let cutfarm = try Cutfarm()
        try await RandomMedia.make(in: cutfarm.folder.url.path)
        let farm = try await TestFarm(cutfarm)
        let workers = try [farm.worker("one"), farm.worker("two")]
        for seed in Self.seeds {
            let edit = RandomEdit(seed: seed)
            let path = try cutfarm.write("\(seed).json", edit.text)
            var pictures: Set<[String]> = []
            var sounds: Set<Data> = []
            for count in Self.counts {
                let movie = cutfarm.folder.path("\(seed)-\(count).mkv")
                let options = ["--preset", "lossless", "--segments", "\(count)", "--watch", "-o", movie]
                let report = try await farm.show(try await farm.submit(path, options))
                #expect(report.pictures.count == count, "seed \(seed)")
                #expect(report.tasks.allSatisfy { $0.statistics?.warnings == nil }, "seed \(seed)")
                pictures.insert(try await frames(movie))
                let samples = ["-i", movie, "-map", "0:a", "-c:a", "pcm_s24le", "-f", "md5", "-"]
                sounds.insert(try await Shell.ffmpeg(samples))
            }
            #expect(pictures.count == 1 && sounds.count == 1, "seed \(seed):\n\(edit.text)")
            #expect(pictures.first?.count == edit.frameCount)
            if edit.isH264 { try await expectH264(edit, path, farm) }
        }
        try await farm.stop(workers)
    }

    /// In H.264 the bytes of a movie are those of a farm of one worker that makes the same segments.
    private func expectH264(_ edit: RandomEdit, _ path: String, _ farm: TestFarm) async throws {
        let movie = farm.cutfarm.folder.path("\(edit.seed).mp4")
        let options = ["--preset", "h264", "--segments", "5"]
        let report = try await farm.show(try await farm.submit(path, options + ["--watch", "-o", movie]))
        #expect(report.pictures.count == 5)
        let alone = try await farm.cutfarm.render(path, to: "\(edit.seed)-alone.mp4", options + ["--workers", "1"])
        let bytes = try [movie, alone].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(bytes[0] == bytes[1], "seed \(edit.seed)")
        #expect(try await frames(movie).count == edit.frameCount)
    }

    /// MD5 of every decoded frame.
    private func frames(_ movie: String) async throws -> [String] {
        let lines = try await Shell.ffmpeg(["-i", movie, "-map", "0:v", "-f", "framemd5", "-"])
        return String(decoding: lines, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: " ").last.map(String.init)
        }
    }
}
