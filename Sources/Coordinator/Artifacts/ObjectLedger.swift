import CompositionModel
import Farm

/// What the database knows of the farm's bucket: which object holds which bytes.
///
/// No key is used twice. So an object that nothing refers to is removed without a lock: whoever stores the same bytes
/// meanwhile stores them under another key, and a removal that comes late removes nothing of theirs. What is looked up
/// stays for a while, so that it is still there when the database refers to it.
protocol ObjectLedger: Sendable {
    /// The objects that hold these bytes. Each stays for half of `milliseconds` at least, whether or not anything refers
    /// to it.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func objects(
        of digests: [ContentDigest],
        keptFor milliseconds: Int64
    ) async throws(FarmStoreError) -> [ContentDigest: StoredObject]

    /// Notes an object that is in the bucket. Where another holds the same bytes already, this one becomes unwanted.
    /// - Returns: the object that holds the bytes from now on; nil for one that is unwanted already and about to go.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    @discardableResult
    func note(_ object: StoredObject, keptFor milliseconds: Int64) async throws(FarmStoreError) -> StoredObject?

    /// Notes that an object does not hold its bytes any more: it is gone, or has other bytes. No row names it then.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func forget(_ object: StoredObject) async throws(FarmStoreError)

    /// The digests whose objects need not stay by themselves any more, ascending, after `digest`.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func settledObjects(
        after digest: ContentDigest?,
        limit: Int
    ) async throws(FarmStoreError) -> [ContentDigest]

    /// Forgets the objects of those digests to which nothing refers and which need not stay by themselves. They become
    /// unwanted.
    /// - Returns: the number of objects.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func forgetUnreferenced(_ digests: [ContentDigest]) async throws(FarmStoreError) -> Int

    /// The keys of unwanted objects, ascending, after `key`.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func unwantedObjects(after key: String?, limit: Int) async throws(FarmStoreError) -> [String]

    /// Notes that these are gone from the bucket.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func noteRemoved(_ keys: [String]) async throws(FarmStoreError)

    /// The ones of `keys` that no object has: neither one that holds bytes, nor an unwanted one, nor one that a client
    /// sends (``BucketUpload``).
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func unknownObjects(_ keys: [String]) async throws(FarmStoreError) -> [String]

    /// Where the farm's artifacts are (``ArtifactPlace``); nil for a farm that has none yet.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func artifactPlace() async throws(FarmStoreError) -> String?

    /// Notes where the farm's artifacts are, if that is not known.
    /// - Returns: where they are.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func setArtifactPlace(_ place: String) async throws(FarmStoreError) -> String
}
