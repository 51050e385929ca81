import Client
import CompositionModel
import Foundation
import Sandbox
import Threads

extension CoordinatorConnection {
    /// Fetches a whole artifact and checks its digest; repeats the request while the coordinator does not answer.
    /// - Parameter name: The artifact's name in the sentence about wrong bytes.
    /// - Throws: `RenderFailed` when other bytes arrive; `ClientError` when the coordinator refuses;
    ///   `CancellationError`.
    func verifiedArtifact(_ digest: ContentDigest, called name: String) async throws -> Data {
        let data = try await patiently(on: clock) { try await artifact(digest) }
        guard await DedicatedThread.run({ ContentDigest(of: data) == digest }) else {
            throw RenderFailed(.unexpected("The \(name) \(digest) arrived with other bytes."))
        }
        return data
    }
}
