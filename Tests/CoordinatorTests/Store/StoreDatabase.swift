import CompositionModel
import Farm
import Foundation
import Logging
import PostgreSQL
import TestDatabase
import WireProtocol

@testable import Coordinator

/// A real store in a database of its own.
enum StoreDatabase {
    static func make() async throws -> ConnectionTarget {
        try await TestPostgreSQL.shared.database(like: "farm") { target in
            _ = try await PostgresFarmStore.open(target, logger: quietStoreLogger)
        }
    }

    static func open(
        _ target: ConnectionTarget,
        policy: FarmPolicy = FarmPolicy(),
        seed: UInt64? = nil,
        connections: Int = 4,
        logger: Logger = quietStoreLogger
    ) async throws -> PostgresFarmStore {
        try await PostgresFarmStore.open(
            target,
            policy: policy,
            identifiers: seed.map { IdentifierSource(seed: $0) } ?? IdentifierSource(),
            connections: connections,
            // A busy machine is no failure of a test.
            checkoutLimit: .seconds(24 * 3600),
            logger: logger
        )
    }

    static func store(policy: FarmPolicy = FarmPolicy(), connections: Int = 4) async throws -> PostgresFarmStore {
        try await open(make(), policy: policy, connections: connections)
    }
}

let quietStoreLogger = Logger(label: "test.store") { _ in SwiftLogNoOpLogHandler() }

extension FarmStore {
    func register(_ name: String, kinds: [TaskKind] = TaskKind.allCases) async throws -> WorkerID {
        let registration = WorkerRegistration(name: name, kinds: kinds, slots: 1, rendererVersion: 1, libraries: [:])
        return try await registerWorker(registration).worker
    }

    func acquire(
        _ worker: WorkerID,
        kinds: [TaskKind] = TaskKind.allCases,
        capacity: Int = 1,
        poll: PollID = PollID(uuid: UUID())
    ) async throws -> [LeaseGrant] {
        let poll = LeasePoll(worker: worker, poll: poll, kinds: kinds, capacity: capacity, waitMilliseconds: 0)
        guard case .granted(let grants) = try await acquireLeases([poll])[0] else { return [] }
        return grants
    }

    func complete(_ grant: LeaseGrant, by worker: WorkerID) async throws -> CompletionOutcome {
        try await complete(
            grant.attempt,
            TaskCompletion(
                worker: worker,
                artifact: ContentDigest(of: Data(grant.task.description.utf8)),
                byteCount: 1,
                unitCount: 1,
                statistics: TaskStatistics()
            )
        )
    }
}
