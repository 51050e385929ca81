import Client
import CompositionModel
import Foundation
import Sandbox
import WireProtocol

/// The measurements of a job's earlier stages: fetched once for all tasks that need them, and kept in memory until those
/// of another job are asked for. A piece of a minute and a half has seven kilobytes.
actor ReadingCache {
    private let connection: CoordinatorConnection
    private var job: JobID?
    private var readings: [ContentDigest: Data] = [:]

    init(connection: CoordinatorConnection) { self.connection = connection }

    /// Writes the measurements that a task needs.
    /// - Returns: the paths by round and piece; equal measurements are one file.
    /// - Throws: `ClientError` (`lease_lost` when the attempt is), `RenderFailed` when other bytes arrive, `CocoaError`
    ///   when a file cannot be written; `CancellationError`.
    func write(for grant: LeaseGrant, into folder: String) async throws -> [[String]] {
        if job != grant.job { (job, readings) = (grant.job, [:]) }
        let rounds = try await patiently(on: connection.clock) { try await connection.readings(of: grant.attempt) }
            .rounds
        var paths: [ContentDigest: String] = [:]
        for digest in rounds.joined() where paths[digest] == nil {
            let path = folder + "/reading-" + digest.hex
            try await reading(digest, of: grant.job).write(to: URL(fileURLWithPath: path))
            paths[digest] = path
        }
        return rounds.map { round in round.compactMap { paths[$0] } }
    }

    private func reading(_ digest: ContentDigest, of owner: JobID) async throws -> Data {
        if let known = readings[digest] { return known }
        let data = try await connection.verifiedArtifact(digest, called: "reading")
        // Another job may have replaced this one meanwhile.
        if job == owner { readings[digest] = data }
        return data
    }
}
