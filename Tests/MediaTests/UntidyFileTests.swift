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
    /// Only where it is asked for, because some seeds show differences that no rule explains yet: 29 (an edit list that
    /// enters a group of pictures in its middle, twice: a picture does not come out of the decoder) and 44 (padding is
    /// heard where no header says a duration).
    @Test(.enabled(if: TestSeeds.isThorough || ProcessInfo.processInfo.environment["CUTFARM_SEED"] != nil))
    func everyFileIsReadAsItWasMade() async throws {
        var counts: [String: Int] = [:]
        for seed in TestSeeds.asked(usual: 50, thorough: 1000) {
            let folder = try TemporaryFolder()
            let file: UntidyFile
            do { file = try await UntidyFile.make(seed: seed, in: folder.url) } catch {
                Issue.record("seed \(seed) cannot be made: \(error)")
                continue
            }
            let reading = try await UntidyReading(file, in: folder.url)
            for rule in reading.rules { counts[rule.rawValue, default: 0] += 1 }
            for difference in reading.differences { print("seed \(seed): \(file.words)\n    \(difference)") }
            #expect(reading.differences.isEmpty, "seed \(seed): \(file.words)")
        }
        for (rule, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count) × \(rule)") }
    }
}
