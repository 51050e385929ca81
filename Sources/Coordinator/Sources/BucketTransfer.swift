import Farm
import Foundation
package import ObjectStorage
import Synchronization
import WireProtocol

/// Fetches an object of a bucket, by ranges where a part of it is here.
struct BucketTransfer: Sendable {
    let service: SourceBuckets

    /// Fetches what is not here yet.
    /// - Parameters: as those of ``WebTransfer/fetch(_:into:known:partial:)``.
    /// - Returns: whether it is still the `known` one, so that nothing came.
    /// - Throws: ``SourceFault``; what a transfer throws.
    func fetch(
        _ address: SourceAddress,
        into draft: SourceDraft,
        known: SourceFacts?,
        partial: SourceFacts?
    ) async throws -> Bool {
        let bucket = try service.bucket(address.host)
        let (key, version) = (address.key, draft.order.version)
        let object = try await bucket.head(key, version: version)
        let facts = SourceFacts(byteCount: object.byteCount, entityTag: object.entityTag)
        if let tag = known?.entityTag, tag == facts.entityTag { return true }
        if let tag = partial?.entityTag, tag != facts.entityTag, draft.order.version == nil {
            let here = try await blocking { try draft.resume(partial) }
            guard here == 0 else { throw SourceFault.changed(address.shown) }
        }
        let offset = try await blocking {
            let offset = try draft.resume(facts)
            // What is here of this state of the object stays.
            try draft.begin(facts, at: min(offset, object.byteCount))
            return min(offset, object.byteCount)
        }
        guard offset < object.byteCount else { return false }
        let range = offset..<object.byteCount
        let fault = Mutex<(any Error & Sendable)?>(nil)
        do {
            try await bucket.get(key, range, ifMatch: object.entityTag, version: version) { bytes in
                do { try draft.append(bytes) } catch {
                    fault.withLock { $0 = error }
                    throw error
                }
            }
        } catch {
            throw fault.withLock { $0 } ?? error
        }
        return false
    }
}

/// The S3 service whose buckets are named by `s3://` addresses, and the keys to it.
package struct SourceBuckets: Sendable {
    /// The address of the service; nil is Amazon's.
    package var endpoint: String?
    /// The region of the buckets.
    package var region = "us-east-1"
    /// How addresses name a bucket.
    package var addressing = BucketLocation.Addressing.path
    /// The keys; nil refuses all `s3://` addresses.
    package var credentials: BucketCredentials?

    /// Names no keys: no bucket can be read.
    package init() {}

    /// - Throws: ``SourceFault`` without keys, and for a name that no bucket has.
    func bucket(_ name: String) throws(SourceFault) -> Bucket {
        guard let credentials else {
            throw SourceFault("source_not_allowed", "This coordinator has no keys for s3://; its start names them.")
        }
        do throws(BucketLocation.Invalid) {
            let location = try BucketLocation(bucket: name, region: region, endpoint: endpoint, addressing: addressing)
            return Bucket(location, credentials)
        } catch {
            throw SourceFault("source_address", error.description)
        }
    }
}
