import Client
import CompositionModel
import Foundation
import Sandbox

extension CoordinatorConnection {
    /// Fetches a whole artifact and checks it against its digest; asks again while the coordinator does not answer.
    /// - Parameter name: what the artifact is, for the sentence about other bytes.
    /// - Throws: `RenderFailed` when other bytes arrive; `ClientError` when the coordinator refuses;
    ///   `CancellationError`.
    func verifiedArtifact(_ digest: ContentDigest, called name: String) async throws -> Data {
        let data = try await patiently { try await artifact(digest) }
        guard await OwnThread.run({ ContentDigest(of: data) == digest }) else {
            throw RenderFailed(.unexpected("The \(name) \(digest) arrived with other bytes."))
        }
        return data
    }
}
