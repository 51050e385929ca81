import CompositionModel
import Foundation
import Media
import TestSupport
import Testing
import Timing

/// Files with the habits of real footage: what was made of each is known, and so every reading of them can be held
/// against it. A difference between our reading and FFmpeg's is right only by a rule of docs/media.md, "Where FFmpeg
/// reads otherwise".
@Suite(.serialized) struct UntidyFileTests {
    @Test func everyFileIsReadAsItWasMade() async throws {
        var counts: [String: Int] = [:]
        for seed in TestSeeds.asked(usual: 16, thorough: 1000) {
            let folder = try TemporaryFolder()
            let file: UntidyFile
            do { file = try await UntidyFile.make(seed: seed, in: folder.url) } catch {
                Issue.record("seed \(seed) cannot be made: \(error)")
                continue
            }
            let reading = try await UntidyReading(file, in: folder.url)
            for rule in reading.rules { counts[rule.rawValue, default: 0] += 1 }
            for difference in reading.differences { print("seed \(seed): \(file.words)\n    \(difference)") }
            func judge() { #expect(reading.differences.isEmpty, "seed \(seed): \(file.words)") }
            if let limit = reading.limit, !reading.differences.isEmpty {
                counts["known limit: \(limit.rawValue)", default: 0] += 1
                withKnownIssue(Comment(rawValue: limit.rawValue)) { judge() }
            } else {
                judge()
            }
        }
        for (rule, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count) × \(rule)") }
    }
}
