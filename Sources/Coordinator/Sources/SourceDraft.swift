import CompositionModel
import Farm
import Foundation
import Storage
import Synchronization
import WireProtocol

/// The bytes of one source while they come. A transfer tells it the head of the answer and then the bytes, on a thread that
/// may block; others look how far it is.
final class SourceDraft: Sendable {
    private struct State {
        var partial: PartialSource?
        var facts: SourceFacts?
        var byteCount: Int64 = 0
    }

    private let artifacts: ArtifactStore
    private let id: ContentDigest
    let order: SourceOrder
    /// The address as errors show it.
    private var address: String { SourceAddress.shown(order.address) }
    /// The most bytes that it may have.
    private let limit: Int64
    private let space: SpaceWatch
    private let state = Mutex(State())

    init(_ source: SourceRecord, artifacts: ArtifactStore, limit: Int64, space: SpaceWatch) {
        (id, order, self.artifacts, self.limit, self.space) = (source.id, source.order, artifacts, limit, space)
    }

    /// How many bytes are here, and what the server said.
    var progress: (byteCount: Int64, facts: SourceFacts?) { state.withLock { ($0.byteCount, $0.facts) } }

    /// Takes up what came of the file while it was like that.
    /// - Returns: the number of bytes that are here.
    /// - Throws: ``SourceFault`` while somebody else has it; ``StorageError``.
    func resume(_ facts: SourceFacts?) throws -> Int64 {
        guard let tag = facts?.entityTag else { return 0 }
        return try state.withLock { state in
            guard let partial = try artifacts.partialSource(id, tag: tag) else {
                throw SourceFault.taken(address)
            }
            (state.partial, state.facts, state.byteCount) = (partial, facts, partial.byteCount)
            return state.byteCount
        }
    }

    /// Hears the head of an answer whose bytes begin at `offset` of the file.
    /// - Parameter facts: the length and tag of the whole file.
    /// - Throws: ``SourceFault`` for a file that is too large, has another tag than is asked for, or was changed since it
    ///   began to come; ``DiskShortage``; ``StorageError``.
    func begin(_ facts: SourceFacts, at offset: Int64) throws {
        if let tag = order.entityTag, tag != facts.entityTag {
            let found = facts.entityTag ?? "none"
            throw SourceFault("source_changed", "\(address) has the entity tag \(found) and not \(tag).")
        }
        if let byteCount = facts.byteCount, byteCount > limit { throw tooLarge(byteCount) }
        try state.withLock { state in
            if state.byteCount > 0, let before = state.facts?.entityTag, before != facts.entityTag {
                throw SourceFault.changed(address)
            }
            guard offset == 0 || offset == state.byteCount else { throw SourceFault.changed(address) }
            if let byteCount = facts.byteCount, let shortage = space.shortage(for: byteCount - offset) {
                throw shortage
            }
            if state.partial == nil || state.facts?.entityTag != facts.entityTag {
                guard let partial = try artifacts.partialSource(id, tag: facts.entityTag) else {
                    throw SourceFault.taken(address)
                }
                state.partial = partial
            }
            try state.partial?.cut(to: offset)
            (state.facts, state.byteCount) = (facts, offset)
        }
    }

    /// Appends bytes of the answer.
    /// - Throws: ``SourceFault`` when there are too many; ``DiskShortage``; ``StorageError``.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            let byteCount = state.byteCount + Int64(bytes.count)
            guard byteCount <= limit else { throw tooLarge(byteCount) }
            if state.facts?.byteCount == nil, let shortage = space.shortage(for: Int64(bytes.count)) { throw shortage }
            try state.partial?.append(bytes)
            state.byteCount = byteCount
        }
    }

    /// Makes the whole visible in the store. Blocks as long as hashing takes.
    /// - Throws: ``SourceFault`` when some is missing; ``StorageError``, also for another digest than was asked for.
    func commit() throws -> (hashed: HashedBytes, publication: Publication, facts: SourceFacts) {
        let now = state.withLock { $0 }
        guard let partial = now.partial, let facts = now.facts, facts.byteCount ?? now.byteCount == now.byteCount else {
            throw SourceFault("source_unreachable", "\(address) ended too early.", isPermanent: false)
        }
        let (hashed, publication) = try partial.commit(expecting: order.digest)
        return (hashed, publication, SourceFacts(byteCount: now.byteCount, entityTag: facts.entityTag))
    }

    /// Leaves the bytes to others.
    func close() { state.withLock { $0.partial = nil } }

    private func tooLarge(_ byteCount: Int64) -> SourceFault {
        SourceFault(
            "source_too_large",
            "\(address) has \(byteCount) bytes or more, and \(limit) are the most here."
        )
    }
}
