import CompositionModel
import Foundation
import Testing
import WireProtocol

@testable import Farm

@Suite struct SourceRecordTests {
    private let start = FarmTime(milliseconds: 1_000_000)
    private let claim = UUID()
    private let other = UUID()
    private let asset = ContentDigest(of: Data("asset".utf8))
    private let failure = Failure(code: "source_unreachable", message: "Away.", isPermanent: false)

    private func claimed() -> SourceRecord {
        var source = SourceRecord(SourceOrder(address: "https://a.test/b"), owner: "owner", at: start)
        source.take(by: claim, at: start)
        return source
    }

    private func follow(_ source: inout SourceRecord, _ report: SourceReport, by claim: UUID? = nil) -> Bool {
        source.follow(report, by: claim ?? self.claim, at: start)
    }

    /// A server that cannot go on where a transfer was cut begins anew each time: that comes to an end.
    @Test func beginningAnewEachTimeIsFruitless() {
        var source = claimed()
        for attempt in 1...SourceRecord.mostFruitless + 1 {
            #expect(source.isUnfinished, "\(attempt)")
            source.take(by: claim, at: start)
            for received in [5, 10, Int64(50 - attempt)] {
                _ = follow(&source, .progress(byteCount: received, nil))
            }
            _ = follow(&source, .interrupted(failure, isFruitless: attempt > 1))
        }
        #expect(source.state == .failed)
    }

    /// The same order of the same owner is one source, and nothing else is.
    @Test func theIdentifierFollowsFromTheOrder() {
        let orders = [
            SourceOrder(address: "a"), SourceOrder(address: "a", digest: asset),
            SourceOrder(address: "a", entityTag: "b"),
            SourceOrder(address: "a", version: "b"), SourceOrder(address: "ab"),
        ]
        let all = orders.flatMap { order in
            ["", "a"].map { SourceRecord.identifier(of: order, owner: $0) }
        }
        #expect(Set(all).count == 10)
        #expect(
            SourceRecord.identifier(of: orders[0], owner: "a") == SourceRecord.identifier(of: orders[0], owner: "a")
        )
    }

    @Test func aClaimThatIsNotRenewedIsAnothers() {
        var source = claimed()
        #expect(!source.isDue(at: start.adding(milliseconds: 59_999)))
        let late = start.adding(milliseconds: 60_000)
        #expect(source.isDue(at: late))
        source.take(by: other, at: late)
        let isHeld = follow(&source, .ready(asset, SourceFacts(byteCount: 1, entityTag: nil)))
        #expect(!isHeld && source.state == .fetching)
    }

    @Test func passingFailuresAreRepeatedUntilTheyAreTooMany() {
        var source = claimed()
        for attempt in 1..<SourceRecord.mostFruitless {
            _ = follow(&source, .interrupted(failure, isFruitless: true))
            #expect(source.state == .waiting && source.view.waiting == "Away.")
            let pause = source.due?.milliseconds(since: start)
            #expect(pause == [1000, 2000, 4000, 8000][min(attempt, 4) - 1] || attempt > 4 && pause ?? 0 <= 300_000)
            source.take(by: claim, at: start)
        }
        // A byte that came begins the count anew.
        var lucky = source
        _ = follow(&lucky, .progress(byteCount: 1, nil))
        _ = follow(&lucky, .interrupted(failure, isFruitless: false))
        #expect(lucky.state == .waiting && lucky.due == start.adding(milliseconds: 1000))
        _ = follow(&source, .interrupted(failure, isFruitless: true))
        #expect(source.state == .failed && source.view.failure == failure && source.due == nil)
        source.ask(at: start)
        #expect(source.state == .waiting && source.view.failure == nil && source.isDue(at: start))
    }

    /// What the server says of a new state of the file is not taken for what it said of the asset.
    @Test func theAssetKeepsItsOwnFacts() {
        var source = claimed()
        let (old, new) = (SourceFacts(byteCount: 1, entityTag: "\"a\""), SourceFacts(byteCount: 2, entityTag: "\"b\""))
        _ = follow(&source, .ready(asset, old))
        #expect(source.assetFacts == old && source.facts == nil && source.view.asset == asset)
        source.ask(at: start)
        source.take(by: claim, at: start)
        _ = follow(&source, .progress(byteCount: 1, new))
        _ = follow(&source, .interrupted(failure, isFruitless: false))
        #expect(source.assetFacts == old && source.facts == new && source.view.asset == nil)
    }

    @Test func aSourceIsStoredAsItIs() throws {
        var source = claimed()
        _ = follow(&source, .progress(byteCount: 3, SourceFacts(byteCount: 9, entityTag: "\"ü\"")))
        #expect(try JSONDecoder().decode(SourceRecord.self, from: JSONEncoder().encode(source)) == source)
    }
}
