package import CompositionModel
package import Foundation
package import WireProtocol

/// The row of a source, which is a value: a store reads it, decides by its methods, and writes it.
///
///     waiting ─claimed─► fetching ─its bytes are an asset─► ready
///        ◄─interrupted──┘        └─it cannot be had──────► failed
///        ◄─asked for again────────────────────(ready, failed)
package struct SourceRecord: Sendable, Hashable, Codable {
    /// The identifier: it follows from the owner and the order, so that the same order gives the same row.
    package let id: ContentDigest
    /// The name that belongs to the token by which it was asked for.
    package let owner: String
    /// What was asked for.
    package let order: SourceOrder
    /// How far it is.
    package private(set) var state = SourceState.waiting
    /// The number of bytes that are here.
    package private(set) var receivedByteCount: Int64 = 0
    /// The most bytes that were ever here since it was last asked for.
    package private(set) var furthestByteCount: Int64 = 0
    /// What the server said of the file of which ``receivedByteCount`` bytes are here; nil before it answered.
    package private(set) var facts: SourceFacts?
    /// The asset that the file was when all of it was last fetched; nil before.
    package private(set) var asset: ContentDigest?
    /// What the server said of the file when it was ``asset``.
    package private(set) var assetFacts: SourceFacts?
    /// The reason why it failed, or why the last attempt did.
    package private(set) var failure: Failure?
    /// The attempts in a row that failed in passing without having brought a byte.
    package private(set) var fruitlessCount = 0
    /// Who fetches it.
    package private(set) var claim: UUID?
    /// When it may be claimed: the end of a pause, or of a claim that is not renewed. Nil in final states.
    package private(set) var due: FarmTime?
    /// When it was last asked for, or changed.
    package private(set) var touched: FarmTime

    /// The time in which a claim must be renewed.
    package static let claimMilliseconds: Int64 = 60_000
    /// The fruitless attempts after which a source has failed: with their pauses, about two hours.
    package static let mostFruitless = 30
    /// The unfinished sources that one owner may have.
    package static let mostUnfinished = 10_000

    /// Makes the row of what is asked for the first time.
    package init(_ order: SourceOrder, owner: String, at now: FarmTime) {
        (id, self.owner, self.order) = (Self.identifier(of: order, owner: owner), owner, order)
        (due, touched) = (now, now)
    }

    /// The identifier of what an owner asks for.
    package static func identifier(of order: SourceOrder, owner: String) -> ContentDigest {
        let words = [owner, order.address, order.digest?.hex ?? "", order.entityTag ?? "", order.version ?? ""]
        // Lengths before the words tell "ab" + "c" from "a" + "bc".
        return ContentDigest(of: Data(words.map { "\($0.utf8.count) \($0)" }.joined(separator: "\n").utf8))
    }

    /// Whether it is neither ready nor failed.
    package var isUnfinished: Bool { state == .waiting || state == .fetching }

    /// Whether it waits to be fetched, or whoever fetched it fell silent.
    package func isDue(at now: FarmTime) -> Bool { due.map { $0 <= now } ?? false }

    /// It is asked for again: one that failed is tried anew, one that is ready is looked at anew, since its file may have
    /// changed.
    package mutating func ask(at now: FarmTime) {
        touched = now
        guard !isUnfinished else { return }
        (state, failure, fruitlessCount, due) = (.waiting, nil, 0, now)
        furthestByteCount = 0
    }

    /// Somebody begins to fetch it.
    package mutating func take(by claim: UUID, at now: FarmTime) {
        (state, self.claim) = (.fetching, claim)
        due = now.adding(milliseconds: Self.claimMilliseconds)
    }

    /// Follows what is said by whoever fetches it.
    /// - Returns: whether `claim` still holds it; if not, nothing changes.
    package mutating func follow(_ report: SourceReport, by claim: UUID, at now: FarmTime) -> Bool {
        guard state == .fetching, self.claim == claim else { return false }
        touched = now
        switch report {
        case .progress(let byteCount, let facts):
            // A server that begins anew each time brings nothing that was not here before.
            if byteCount > furthestByteCount { (furthestByteCount, fruitlessCount) = (byteCount, 0) }
            (receivedByteCount, self.facts) = (byteCount, facts ?? self.facts)
            due = now.adding(milliseconds: Self.claimMilliseconds)
        case .ready(let asset, let facts):
            (self.asset, assetFacts, self.facts) = (asset, facts, nil)
            receivedByteCount = facts.byteCount ?? receivedByteCount
            end(.ready, nil)
        case .failed(let failure): end(.failed, failure)
        case .interrupted(let failure, let isFruitless):
            let isBehind = receivedByteCount < furthestByteCount
            fruitlessCount = isFruitless || isBehind ? fruitlessCount + 1 : 0
            guard fruitlessCount < Self.mostFruitless else {
                end(.failed, failure)
                return true
            }
            (state, self.failure, self.claim) = (.waiting, failure, nil)
            due = now.adding(milliseconds: Self.pause(after: fruitlessCount))
        case .released: (state, self.claim, due) = (.waiting, nil, now)
        }
        return true
    }

    private mutating func end(_ state: SourceState, _ failure: Failure?) {
        (self.state, self.failure, claim, due) = (state, failure, nil, nil)
    }

    /// 1 s, then twice as long each time, up to 5 minutes.
    private static func pause(after fruitlessCount: Int) -> Int64 {
        min(1000 << Int64(min(max(fruitlessCount - 1, 0), 20)), 300_000)
    }

    /// The source as its owner sees it.
    package var view: SourceView {
        SourceView(
            id: id,
            address: order.address,
            state: state,
            receivedByteCount: receivedByteCount,
            byteCount: (facts ?? assetFacts)?.byteCount,
            asset: state == .ready ? asset : nil,
            waiting: isUnfinished ? failure?.message : nil,
            failure: state == .failed ? failure : nil
        )
    }
}

/// What a server says of a file.
package struct SourceFacts: Sendable, Hashable, Codable {
    /// The number of bytes; nil where it is not said.
    package var byteCount: Int64?
    /// The strong entity tag with its quotes; nil where there is none.
    package var entityTag: String?

    /// Names the facts.
    package init(byteCount: Int64?, entityTag: String?) { (self.byteCount, self.entityTag) = (byteCount, entityTag) }
}

/// What whoever fetches a source says of it.
package enum SourceReport: Sendable, Hashable {
    /// So many bytes are here. It also renews the claim.
    case progress(byteCount: Int64, SourceFacts?)
    /// The bytes are this asset.
    case ready(ContentDigest, SourceFacts)
    /// It cannot be had.
    case failed(Failure)
    /// It could not be had this time, or not all of it.
    case interrupted(Failure, isFruitless: Bool)
    /// Whoever fetched it leaves.
    case released
}
