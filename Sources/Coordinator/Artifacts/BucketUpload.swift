import CompositionModel
import Farm
import Foundation
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

    /// Notes that its client is still there.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func touch(_ upload: BucketUpload) async throws(FarmStoreError)

    /// Notes that all parts are there: ``BucketUpload/State/sending`` becomes ``BucketUpload/State/waiting``.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func noteArrival(of upload: BucketUpload) async throws(FarmStoreError)

    /// Forgets an upload. Its object and its parts become unwanted.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func forget(_ upload: BucketUpload) async throws(FarmStoreError)

    /// Forgets the uploads that nothing was heard of for some time. Their objects and parts become unwanted.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func forgetUploads(untouchedFor milliseconds: Int64) async throws(FarmStoreError)

    /// Some of the uploads that are to be given up at the service.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func unwantedUploads(limit: Int) async throws(FarmStoreError) -> [MultipartUpload]

    /// Notes that an upload was given up.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func noteAborted(_ upload: MultipartUpload) async throws(FarmStoreError)

    /// How long all parts of an upload have been there, in milliseconds; nil while some are missing.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func waitingTime(of upload: BucketUpload) async throws(FarmStoreError) -> Int64?

    /// Gives the upload that has waited longest to a worker, for `milliseconds`; the same claim gets the same upload. One whose
    /// worker was not heard of waits again; after the third time it is refused.
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

    /// Makes the upload's object the one that holds its bytes, as ``ObjectLedger/note(_:keptFor:)`` does, if the claim is the
    /// upload's.
    /// - Returns: the object that holds the bytes from now on; nil when the claim is no longer the upload's.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func noteProbed(_ id: ProbeID, keptFor milliseconds: Int64) async throws(FarmStoreError) -> StoredObject?

    /// Ends a claim.
    /// - Returns: whether the claim was the upload's.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func endProbe(_ id: ProbeID, _ outcome: ProbeOutcome) async throws(FarmStoreError) -> Bool

    /// Notes what the workers that ask a coordinator may take.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func noteProbers(of coordinator: UUID, _ probers: Probers) async throws(FarmStoreError)

    /// Whether a worker that finds these facts, and may take as many bytes, asked within some time.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func hasProber(_ wanted: Probers, within milliseconds: Int64) async throws(FarmStoreError) -> Bool
}

/// Workers that ask for something to probe.
struct Probers: Sendable, Hashable {
    /// The version of the facts that they find.
    var factsVersion: Int
    /// The most bytes for which one has room.
    var byteLimit: Int64
}

/// How the probing of an upload ended.
enum ProbeOutcome: Sendable, Hashable {
    /// It is an asset, and the row goes.
    case taken
    /// It is none.
    case refused(Problem)
    /// The worker was not heard of any more; after the third time that is the file's fault.
    case silent
    /// The worker could not read it, which says nothing of the file. After the fifth time its client sends it to the
    /// coordinator.
    case unread
    /// The worker leaves.
    case handedBack

    /// The silences after which an upload is refused.
    static let mostSilences = 3
    /// The failures after which it goes to the coordinator.
    static let mostFailures = 5

    /// The refusal of an upload whose workers were not heard of any more.
    static let silence = Problem(
        status: 422,
        code: "probe_limit",
        title: "Refused",
        detail: "\(mostSilences) workers were not heard of any more while they read this file; repair or remux it."
    )
}
