import EditSamples
import TestSupport
import Testing

@testable import CompositionModel
@testable import Planning

/// What an edit did not touch keeps its borders and its keys.
@Suite struct PlanLocalityTests {
    let assets = Dictionary(
        uniqueKeysWithValues: (0..<8).map { ("s\($0)", SampleAsset.minute("s\($0)", gop: 30 + 7 * Int64($0))) }
    )

    private func items(_ numbers: inout SplitMix) -> [String] {
        (0..<60).map { _ in
            let asset = Int.random(in: 0..<8, using: &numbers)
            let start = Int.random(in: 0..<1000, using: &numbers)
            let count = Int.random(in: 40..<450, using: &numbers)
            return "{ \"asset\": \"s\(asset)\", \"in\": \"\(start)f\", \"duration\": \"\(count)f\" }"
        }
    }

    /// Where a segment begins in the time of its media, and all that makes its bytes.
    private struct MediaBorder: Hashable {
        var source: SliceSource?
        var digest: ContentDigest?
        var reason: BorderReason
        var key: ContentDigest
    }

    private func borders(_ items: [String]) throws -> [MediaBorder] {
        try Compiled(editText(items, assets: assets.keys.sorted()), assets).plan().segments.map { segment in
            let source = segment.task.instructions[0].layers.first?.from
            let digest = source.map { segment.task.assets[$0.asset] }
            return MediaBorder(source: source, digest: digest, reason: segment.startBorder, key: segment.key)
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func aClipInsertedAtTheStartMovesNoBorderFarFromIt(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let items = items(&numbers)
        let before = try borders(items)
        let after = try borders([#"{ "asset": "s3", "in": "3s", "duration": "171f" }"#] + items)
        #expect(before.count > 40)
        #expect(Array(after.suffix(before.count - 6)) == Array(before.suffix(before.count - 6)))
    }

    @Test(arguments: [UInt64(5), 6, 7, 8])
    func aTrimmedClipMovesNoBorderFarFromIt(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        var items = items(&numbers)
        let before = try borders(items)
        items[30] = #"{ "asset": "s1", "in": "7f", "duration": "211f" }"#
        let after = try borders(items)
        let kept = Set(before).intersection(after)
        #expect(kept.count >= before.count - 10)
        #expect(after.prefix(10) == before.prefix(10))
        #expect(Array(after.suffix(10)) == Array(before.suffix(10)))
    }

    @Test func aLongClipKeepsItsBordersWhenItsStartIsTrimmed() throws {
        let whole = try borders([#"{ "asset": "s2", "duration": "60s" }"#])
        let trimmed = try borders([#"{ "asset": "s2", "in": "162f", "duration": "1338f" }"#])
        #expect(Set(whole.dropFirst(3)).isSubset(of: trimmed))
    }
}
