import Foundation
import Planning
import TestSupport

/// Tests/Oracles/mix_oracle.py: the documented formulas in numpy, on what the ffmpeg command decodes.
struct MixOracle: Decodable {
    var samples: Int64
    var worstSteps: Int
    var differenceDecibels: Double
    var idealDecibels: Double

    static func isInstalled() async throws -> Bool {
        try await Shell.run("python3", ["-c", "import numpy, scipy"]).exitCode == 0
    }

    /// - Parameters:
    ///   - samples: raw, 24 bits, interleaved.
    ///   - paths: of the task's assets.
    static func judge(
        _ samples: Data,
        of task: SoundTask,
        _ paths: [String],
        in folder: TemporaryFolder
    ) async throws -> MixOracle {
        let (taskPath, samplesPath) = (folder.path("task.json"), folder.path("rendered.s24"))
        try JSONEncoder().encode(task).write(to: URL(fileURLWithPath: taskPath))
        try samples.write(to: URL(fileURLWithPath: samplesPath))
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Oracles/mix_oracle.py").path
        let outcome = try await Shell.run("python3", [script, taskPath, samplesPath] + paths)
        guard let result = try? JSONDecoder().decode(MixOracle.self, from: outcome.output) else {
            throw NoAnswer(description: "mix_oracle.py: " + outcome.text + outcome.errors)
        }
        return result
    }
}
