import CompositionModel
import Farm
import ObjectStorage
import WireProtocol

/// An asset that a client sends to the farm's bucket in parts, until a worker has read it back and probed it.
struct BucketUpload: Sendable, Hashable {
    /// How far it is.
    enum State: String, Sendable {
        /// Parts are missing.
        case sending
        /// All parts are there, and no worker is at it.
        case waiting
        /// A worker reads it back.
        case probing
        /// It is no asset, and its object is about to go.
        case refused
    }

    /// Whose client sends it.
    let owner: String
    /// The SHA-256 that it is said to have.
    let digest: ContentDigest
    /// The number of bytes that it is said to have, at least 1.
    let byteCount: Int64
    /// The object's name and the service's name of the upload.
    let upload: MultipartUpload
    /// How far it is.
    var state = State.sending
    /// Why it is refused; nil for every other state.
    var problem: Problem?

    /// The object that its parts become.
    var object: StoredObject { StoredObject(digest: digest, key: upload.key, byteCount: byteCount) }

    /// The parts, which follow from the length alone.
    var sizes: PartSizes { PartSizes(byteCount: byteCount) }
}

/// What the database knows of the assets that clients send to the farm's bucket.
///
/// A worker that probes one holds a claim for a while, and renews it. What it says counts as long as the claim is in the
/// row. An object belongs to no digest (``ObjectLedger``) before a worker has read it back.
protocol BucketUploadLedger: Sendable {
    /// Begins an upload, unless its owner has one of the same digest and length. One of another length, and one that was
    /// refused, makes room for it.
    /// - Parameters:
    ///   - count: the most uploads that the owner may have.
    ///   - byteCount: the most bytes that the owner's uploads may come to.
    /// - Returns: the upload that there is.
    /// - Throws: ``FarmStoreError/overQuota(_:)``; others when the database does not answer.
    func begin(
        _ upload: BucketUpload,
        atMost count: Int,
        _ byteCount: Int64
    ) async throws(FarmStoreError) -> BucketUpload

    /// An owner's upload of a digest.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func bucketUpload(_ digest: ContentDigest, of owner: String) async throws(FarmStoreError) -> BucketUpload?

    /// Notes that a part is about to come.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func touch(_ upload: BucketUpload) async throws(FarmStoreError)

    /// Notes that all parts are there: ``BucketUpload/State/sending`` becomes ``BucketUpload/State/waiting``.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func noteArrival(of upload: BucketUpload) async throws(FarmStoreError)

    /// Forgets an upload. Its object becomes unwanted.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func forget(_ upload: BucketUpload) async throws(FarmStoreError)

    /// Forgets the uploads that nothing was heard of for some time. Their objects become unwanted.
    /// - Returns: those of which parts were missing.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func forgetUploads(untouchedFor milliseconds: Int64) async throws(FarmStoreError) -> [MultipartUpload]

    /// Gives the upload that has waited longest to a worker, for `milliseconds`. One whose worker was not heard of waits
    /// again; after the third time it is refused.
    /// - Parameter byteCount: the most bytes for which the worker has room.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func claimProbe(
        _ id: ProbeID,
        upTo byteCount: Int64,
        for milliseconds: Int64
    ) async throws(FarmStoreError) -> BucketUpload?

    /// Renews a claim.
    /// - Returns: the upload; nil when the claim is no longer the upload's.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func renewProbe(_ id: ProbeID, for milliseconds: Int64) async throws(FarmStoreError) -> BucketUpload?

    /// Ends a claim.
    /// - Returns: whether the claim was the upload's.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func endProbe(_ id: ProbeID, _ outcome: ProbeOutcome) async throws(FarmStoreError) -> Bool

    /// Notes that a worker asks which finds facts of a version.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func noteProber(factsVersion: Int) async throws(FarmStoreError)

    /// Whether such a worker asked within some time.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func hasProber(factsVersion: Int, within milliseconds: Int64) async throws(FarmStoreError) -> Bool
}

/// How the probing of an upload ended.
enum ProbeOutcome: Sendable, Hashable {
    /// It is an asset, and the row goes.
    case taken
    /// It is none.
    case refused(Problem)
    /// The worker failed at it; after the third time it is refused with this.
    case failed(Problem)
    /// The worker leaves.
    case handedBack

    /// The failures after which an upload is refused.
    static let mostFailures = 3

    /// The refusal of an upload whose workers were not heard of any more.
    static let silence = Problem.unprocessable(
        "probe_limit",
        "\(mostFailures) workers were not heard of any more while they read this file; repair or remux it."
    )
}
