import Client
import Foundation
import Sandbox
import CompositionModel
import WireProtocol

/// What was measured of a job before: fetched once for all of its tasks that need it, kept in memory until another
/// job's is asked for. A piece of a minute and a half is seven kilobytes.
actor ReadingShelf {
    private let connection: CoordinatorConnection
    private var job: JobID?
    private var readings: [ContentDigest: Data] = [:]

    init(connection: CoordinatorConnection) { self.connection = connection }

    /// Writes what the task of `grant` needs into `folder`.
    /// - Returns: files by round and piece; equal ones are one file.
    /// - Throws: `ClientError` (`lease_lost` when the attempt is), `RenderFailed`, and what writing gives.
    func write(for grant: LeaseGrant, into folder: String) async throws -> [[String]] {
        if job != grant.job { (job, readings) = (grant.job, [:]) }
        let rounds = try await patiently { try await connection.readings(of: grant.attempt) }.rounds
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
        let data = try await patiently { try await connection.artifact(digest) }
        guard ContentDigest(of: data) == digest else {
            throw RenderFailed(.unexpected("The reading \(digest) arrived with other bytes."))
        }
        // Another job may have come meanwhile.
        if job == owner { readings[digest] = data }
        return data
    }
}
