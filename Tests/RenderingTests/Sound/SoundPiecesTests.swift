import Foundation
import Shared
import TestSupport
import Testing

@testable import Rendering

/// Seeded random mixes: the same PCM for any number of pieces. `CUTFARM_THOROUGH=1` mixes 200, `CUTFARM_SEED=17` that one
/// alone.
@Suite struct SoundPiecesTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isThorough = environment["CUTFARM_THOROUGH"] != nil
    private static let counts = [1, 2, 7, 31]

    private static var seeds: [Int] {
        if let seed = environment["CUTFARM_SEED"].flatMap({ Int($0) }) { return [seed] }
        return Array(1...(isThorough ? 200 : 20))
    }

    @Test func anyNumberOfPiecesGivesTheSameSamples() async throws {
        let folder = try TemporaryFolder()
        var movies: [String: TestMovie] = [:]
        for source in RandomSoundEdit.sources {
            movies[source.name] = try await TestMovie.make(source.file, in: folder, source.arguments)
        }
        #expect(movies.values.allSatisfy { $0.facts.defaultAudio?.cells?.starts.count == 1 })
        for seed in Self.seeds {
            let mix = RandomSoundEdit(seed: seed)
            try Self.check(mix, movies, folder)
            await Task.yield()
        }
    }

    private static func check(_ mix: RandomSoundEdit, _ movies: [String: TestMovie], _ folder: TemporaryFolder) throws {
        let edit = try PlannedEdit(mix.text, movies, nested: ["part": mix.part])
        var digests: Set<ContentDigest> = []
        // 31 pieces of a few seconds cost as much as all else: every fifth time.
        for count in isThorough || mix.seed % 5 == 1 ? counts : counts.dropLast() {
            let plan = try edit.plan(count)
            #expect(plan.soundPieces.count == count || plan.soundPieces.count == 1, "seed \(mix.seed)")
            #expect(plan.soundPieces.map(\.task.sampleCount).reduce(0, +) == plan.sampleCount)
            let bytes = try plan.soundPieces.reduce(into: Data()) { $0 += try edit.bytes(of: $1.task, in: folder) }
            #expect(Int64(bytes.count) == plan.sampleCount * 6)
            #expect(Set(bytes.prefix(600_000)).count > 200, "seed \(mix.seed) is silent")
            digests.insert(ContentDigest(of: bytes))
        }
        #expect(digests.count == 1, "seed \(mix.seed): \(mix.text)\n\(mix.part)")
    }
}
