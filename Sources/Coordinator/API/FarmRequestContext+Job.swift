import Farm
import WireProtocol

extension FarmRequestContext {
    /// The job that the request's path names.
    /// - Throws: `FarmStoreError.unknownJob` when there is none, a `Problem` for a path that names no job.
    func job(in store: any FarmStore) async throws -> JobView {
        guard let job = try await store.job(try identifier()) else { throw FarmStoreError.unknownJob }
        return job
    }
}
