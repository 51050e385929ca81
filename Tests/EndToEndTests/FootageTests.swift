import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing

/// Real clips through a real farm, judged by Tests/Oracles, which share no code with the product.
@Suite(.serialized)
struct FootageTests {
    private static let files = [
        ("nebula", "01_nebula.mp4"), ("blackhole", "02_blackhole.mp4"), ("nebula2", "03_nebula.mp4"),
        ("quasar", "04_quasar.mp4"), ("jittery", "05_blackhole.mp4"), ("music", "keep-going.m4a"),
        ("stars", "star-gazing.m4a"),
    ]

    @Test(.enabled(if: SampleMedia.folder != nil, "set CUTFARM_FOOTAGE to the folder of sample media"))
    func picturesAndMixAreAsPredicted() async throws {
        let folder = try #require(SampleMedia.folder)
        let cutfarm = try Cutfarm()
        let tests = Programs.repository.appendingPathComponent("Tests")
        let edit = tests.appendingPathComponent("EndToEndTests/footage-edit.json").path
        let pairs = Self.files.map { "\($0.0)=\(folder)/\($0.1)" }
        let options = pairs.flatMap { ["--asset", $0] } + ["--preset", "lossless"]
        let movie = cutfarm.folder.path("out.mkv")
        try await render(edit, options + ["-o", movie], cutfarm)
        let composition = try cutfarm.write("composition.json", try await cutfarm.composition(of: edit, options))
        let oracles = tests.appendingPathComponent("Oracles").path
        let pictures = try await Shell.run("python3", [oracles + "/picture_oracle.py", composition, movie] + pairs)
        #expect(pictures.exitCode == 0, "\(pictures.text)\(pictures.errors)")
        let plan = try await cutfarm.plans(of: edit, options)[0]
        let sound = try await judgeSound(try #require(plan.sound), movie, folder, cutfarm, oracles)
        #expect(sound.exitCode == 0, "\(sound.text)\(sound.errors)")
    }

    /// Through a farm of two workers, each of which does its part.
    private func render(_ edit: String, _ options: [String], _ cutfarm: Cutfarm) async throws {
        let farm = try await TestFarm(cutfarm)
        let workers = try [farm.worker("one"), farm.worker("two")]
        let report = try await farm.show(try await farm.submit(edit, options + ["--watch"]))
        for name in ["one", "two"] { #expect(report.shares[name, default: 0] >= 2, "\(report.shares)") }
        try await farm.stop(workers)
    }

    private func judgeSound(
        _ task: SoundTask,
        _ movie: String,
        _ folder: String,
        _ cutfarm: Cutfarm,
        _ oracles: String
    ) async throws -> Shell.Outcome {
        let path = try cutfarm.write("task.json", String(decoding: try JSONEncoder().encode(task), as: UTF8.self))
        var files: [ContentDigest: String] = [:]
        for (_, name) in Self.files {
            let line = try await Shell.run("sha256sum", [folder + "/" + name]).text
            files[try #require(ContentDigest(hex: String(line.prefix(64))))] = folder + "/" + name
        }
        let assets = try task.assets.map { try #require(files[$0]) }
        return try await Shell.run("python3", [oracles + "/mix_oracle.py", path, movie] + assets)
    }
}
