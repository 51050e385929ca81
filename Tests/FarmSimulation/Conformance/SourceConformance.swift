import CompositionModel
package import Farm
import Foundation
import WireProtocol

/// Holds what one store knows of sources against another: the same seeded random operations on both.
package struct SourceConformance: Sendable {
    private let seed: UInt64
    private let operations: Int

    package init(seed: UInt64, operations: Int = 400) { (self.seed, self.operations) = (seed, operations) }

    /// What an operation answered.
    private enum Answer: Hashable {
        case source(SourceRecord?)
        case held(Bool)
        case count(Int)
    }

    private typealias Claimed = (id: ContentDigest, claim: UUID)

    private enum Operation {
        case ask(SourceOrder, String)
        case look(ContentDigest)
        case claim(UUID)
        case report(ContentDigest, UUID, SourceReport)
        case forget(Int64)
    }

    /// - Returns: the first difference, and how many reports were held; nil for no difference.
    package func compare(
        _ first: any ClockedFarmStore,
        _ second: any ClockedFarmStore
    ) async throws -> (difference: String?, heldCount: Int) {
        var random = SeededGenerator(seed: seed)
        var (now, claimed, heldCount): (FarmTime, [Claimed], Int) = (FarmConformance.start, [], 0)
        for step in 0..<operations {
            now = now.adding(milliseconds: Int64.random(in: 0...20_000, using: &random))
            try await first.setClock(now)
            try await second.setClock(now)
            let operation = next(&random, claimed.suffix(3))
            let (expected, actual) = (try await answer(first, operation), try await answer(second, operation))
            if case .held(true) = expected { heldCount += 1 }
            if case .claim(let claim) = operation, case .source(let source?) = expected {
                claimed.append((source.id, claim))
            }
            guard expected == actual else {
                return ("seed \(seed), step \(step): \(operation)\n  \(expected)\n  \(actual)", heldCount)
            }
        }
        return (nil, heldCount)
    }

    private func answer(_ store: any ClockedFarmStore, _ operation: Operation) async throws -> Answer {
        switch operation {
        case .ask(let order, let owner): .source(try await store.askForSource(order, owner: owner))
        case .look(let id): .source(try await store.source(id))
        case .claim(let claim): .source(try await store.claimSource(by: claim))
        case .report(let id, let claim, let report): .held(try await store.reportSource(id, by: claim, report))
        case .forget(let age): .count(try await store.forgetSources(untouchedFor: age))
        }
    }

    private func next(_ random: inout SeededGenerator, _ claimed: ArraySlice<Claimed>) -> Operation {
        let owner = Bool.random(using: &random) ? "owner" : "other"
        let digest = ContentDigest(of: Data("\(Int.random(in: 0..<2, using: &random))".utf8))
        let order = SourceOrder(
            address: "https://a.test/\(Int.random(in: 0..<3, using: &random))",
            digest: Bool.random(using: &random) ? digest : nil
        )
        let id = SourceRecord.identifier(of: order, owner: owner)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2: return .ask(order, owner)
        case 2: return .look(id)
        case 3..<5:
            let digits = String(UInt64.random(in: 1_000_000_000...9_999_999_999, using: &random))
            let claim = UUID(uuidString: "00000000-0000-4000-8000-00\(digits)") ?? UUID()
            return .claim(claim)
        case 5: return .forget(Int64.random(in: 0...200_000, using: &random))
        default:
            let last = claimed.randomElement(using: &random) ?? (id, UUID())
            // Now and then somebody reports of what is not theirs.
            let reported = Int.random(in: 0..<5, using: &random) == 0 ? id : last.id
            return .report(reported, last.claim, report(&random, digest))
        }
    }

    private func report(_ random: inout SeededGenerator, _ asset: ContentDigest) -> SourceReport {
        let facts = SourceFacts(byteCount: Bool.random(using: &random) ? 9 : nil, entityTag: "\"tag\"")
        let failure = Failure(code: "source_missing", message: "None “ü”.", isPermanent: true)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .ready(asset, facts)
        case 1: return .failed(failure)
        case 2: return .interrupted(failure, isFruitless: Bool.random(using: &random))
        case 3: return .released
        default: return .progress(byteCount: Int64.random(in: 0...9, using: &random), facts)
        }
    }
}
