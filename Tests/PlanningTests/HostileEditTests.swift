import CompositionModel
import EditSamples
import Foundation
import TestSupport
import Testing

/// However little a submission sends, what it costs is bounded: in steps, which are the same on every machine, in bytes
/// that are stored and in memory.
@Suite struct HostileEditTests {
    /// In a process of its own, so that nothing else counts for its memory. `make bench` does the same with 10,000 seeds.
    @Test func aShortTextCostsLittle() async throws {
        let folder = URL(fileURLWithPath: Programs.cutfarm).deletingLastPathComponent()
        let program = folder.appendingPathComponent("PlanningBench").path
        let outcome = try await Shell.run(program, ["1", TestSeeds.isThorough ? "400" : "24"])
        func most(_ figure: String) throws -> Int {
            let line = outcome.text.split(separator: "\n").first { $0.hasPrefix("\(figure): ") }
            let words = try #require(line, "\(outcome.text)").split(separator: " ")
            return try #require(Int(words[1]))
        }
        let accepted = outcome.text.split(separator: "\n").first?.split(separator: " ").dropLast().last
        // What is refused at once costs nothing.
        #expect(accepted.flatMap { Int($0) }.map { $0 >= 4 } == true, "\(outcome.text)")
        #expect(try most("steps") <= 1_500_000, "\(outcome.text)")
        #expect(try most("stored") <= 128, "MiB: \(outcome.text)")
        #expect(try most("memory") <= 256, "MiB: \(outcome.text)")
    }

    /// Seeds that cost much: when nobody waits for the result, hardly a step is made.
    @Test(arguments: [36, 104, 171] as [UInt64])
    func whatNobodyWaitsForIsStopped(seed: UInt64) async throws {
        let meter = WorkMeter()
        let edit = HostileEdit(seed: seed)
        let read = try #require(edit.read())
        await WorkMeter.$current.withValue(meter) {
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                #expect(edit.plan(read) == 0)
            }.value
        }
        #expect(meter.steps < 1000)
        #expect(meter.steps > 0)
    }
}
