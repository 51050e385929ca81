import Curl
import Farm
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// The client against a real service: OpenStack Swift. Where it is not installed, one line says so.
@Suite struct BucketTests {
    private static let server = Task { try await ObjectServer.start() }
    private static let keys = BucketCredentials(accessKey: "test:tester", secretKey: "testing")

    /// A new bucket of the service, through a proxy where one is named; nil without the service.
    private func makeBucket(
        through url: String? = nil,
        _ addressing: BucketLocation.Addressing = .path,
        keys: BucketCredentials = keys
    ) async throws -> Bucket? {
        guard let server = try await Self.server.value else { return nil }
        let name = "b" + UUID().uuidString.lowercased()
        let endpoint = addressing == .path ? url ?? server.url : "http://s3.localhost:\(server.port)"
        let location = try BucketLocation(
            bucket: name,
            region: ObjectServer.region,
            endpoint: endpoint,
            addressing: addressing
        )
        let bucket = Bucket(location, keys, clock: PauseClock())
        _ = try await bucket.send(.put, "", "making")
        return bucket
    }

    /// A proxy before the service, and a new bucket behind it.
    private func makeDisturbedBucket() async throws -> (FaultProxy, Bucket)? {
        guard let server = try await Self.server.value else { return nil }
        let proxy = try await FaultProxy(before: server.port)
        return try await makeBucket(through: proxy.url).map { (proxy, $0) }
    }

    private func read(_ bucket: Bucket, _ key: String, _ range: Range<Int64>? = nil) async throws -> Data {
        let got = Mutex(Data())
        try await bucket.get(key, range) { bytes in got.withLock { $0.append(contentsOf: bytes) } }
        return got.withLock(\.self)
    }

    private func kind(_ body: () async throws -> Void) async -> BucketError.Kind? {
        do {
            try await body()
            return nil
        } catch { return (error as? BucketError)?.kind }
    }

    private static let data = Data("hello, bucket".utf8)

    @Test(arguments: BucketLocation.Addressing.allCases)
    func objectsAreStoredReadListedAndRemoved(addressing: BucketLocation.Addressing) async throws {
        guard let bucket = try await makeBucket(addressing) else { return }
        let keys = ["a/b c+d", "a/ü=&?#%", "a/日本.mov", "a/..x/~", "z"]
        for key in keys { #expect(try await bucket.put(key, .data(Self.data)) == .stored) }
        for key in keys {
            #expect(try await read(bucket, key) == Self.data)
            #expect(try await bucket.head(key).byteCount == 13)
        }
        #expect(try await read(bucket, "z", 7..<10) == Data("buc".utf8))
        #expect(try await read(bucket, "z", 7..<100) == Data("bucket".utf8))
        let listed = try await bucket.list(prefix: "a/")
        #expect(Set(listed.objects.map(\.key)) == Set(keys.dropLast()) && listed.next == nil)
        #expect(listed.objects.allSatisfy { $0.byteCount == 13 })
        var (found, page): ([String], String?) = ([], nil)
        repeat {
            let list = try await bucket.list(page: page, limit: 2)
            #expect((1...2).contains(list.objects.count))
            found += list.objects.map(\.key)
            page = list.next
        } while page != nil
        #expect(Set(found) == Set(keys) && found.count == keys.count)
        for _ in 0..<2 { try await bucket.delete("z") }
        #expect(await kind { _ = try await bucket.head("z") } == .missing)
        #expect(await kind { _ = try await read(bucket, "z") } == .missing)
    }

    @Test func anObjectThatThereIsStays() async throws {
        guard let (proxy, bucket) = try await makeDisturbedBucket() else { return }
        // This service has no such condition and says so; what others answer comes from the proxy.
        #expect(await kind { _ = try await bucket.put("key", .data(Self.data), ifAbsent: true) } == .noConditions)
        #expect(await kind { _ = try await bucket.head("key") } == .missing)
        try proxy.script([.refusal(412, "PreconditionFailed")])
        #expect(try await bucket.put("key", .data(Self.data), ifAbsent: true) == .existed)
        // Another request is under way and may fail: nothing is stored yet, and it is asked again.
        try proxy.script([.refusal(409, "ConditionalRequestConflict"), .refusal(412, "PreconditionFailed")])
        let before = proxy.log.count
        #expect(try await bucket.put("key", .data(Self.data), ifAbsent: true) == .existed)
        #expect(proxy.log.count - before == 2, "\(proxy.log)")
        let folder = try TemporaryFolder()
        try Self.data.write(to: URL(fileURLWithPath: folder.path("file")))
        for stored in [Bucket.Stored.stored, .existed] {
            #expect(try await bucket.store(file: folder.path("file"), byteCount: 13, as: "key") == stored)
        }
        #expect(try await read(bucket, "key") == Self.data)
        #expect(try await bucket.put("key", .data(Data("other".utf8))) == .stored)
        #expect(try await read(bucket, "key") == Data("other".utf8))
    }

    @Test func anotherObjectIsNotRead() async throws {
        guard let bucket = try await makeBucket() else { return }
        _ = try await bucket.put("key", .data(Self.data))
        let tag = try await bucket.head("key").entityTag
        try await bucket.get("key", ifMatch: tag) { _ in }
        _ = try await bucket.put("key", .data(Data("another one!!".utf8)))
        #expect(await kind { try await bucket.get("key", ifMatch: tag) { _ in } } == .conditionFailed)
    }

    /// Each address allows one request on one object, for a time.
    @Test func aSignedAddressAllowsOneRequest() async throws {
        guard let bucket = try await makeBucket() else { return }
        _ = try await bucket.put("a b/ü", .data(Self.data))
        let client = CurlClient()
        let address = bucket.signedAddress(.get, "a b/ü", seconds: 60)
        #expect(try await client.send(HTTPRequest(.get, address)).body == Self.data)
        #expect(try await client.send(HTTPRequest(.put, address, body: .data(Self.data))).status == 403)
        #expect(try await client.send(HTTPRequest(.get, address.replacing("a%20b", with: "a%20c"))).status == 403)
        let put = bucket.signedAddress(.put, "new", seconds: 60)
        #expect(try await client.send(HTTPRequest(.put, put, body: .data(Self.data))).status == 200)
        #expect(try await read(bucket, "new") == Self.data)
        let past = Bucket(bucket.location, Self.keys, now: { Date().addingTimeInterval(-120) })
        let late = past.signedAddress(.get, "new", seconds: 60)
        #expect(try await client.send(HTTPRequest(.get, late)).status == 403)
    }

    /// What was sent before the sender ended is not sent again, and the object is whole.
    @Test func anUploadInPartsGoesOn() async throws {
        guard let (proxy, bucket) = try await makeDisturbedBucket() else { return }
        let folder = try TemporaryFolder()
        let part = 5 << 20
        let data = Data((0..<(3 * part + 17)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        try data.write(to: URL(fileURLWithPath: folder.path("file")))
        var hasty = bucket
        hasty.retrying.attempts = 1
        let before = proxy.log.count
        // Asked for, uploads listed, begun, parts listed, two parts, and the third is cut.
        try proxy.script([.none, .none, .none, .none, .none, .none, .cutRequest(1000)])
        let sent = Mutex<[Int64]>([])
        func store(_ bucket: Bucket) async throws -> Bucket.Stored {
            try await bucket.store(
                file: folder.path("file"),
                byteCount: Int64(data.count),
                as: "sha256/key",
                partByteCount: Int64(part)
            ) { count in sent.withLock { $0.append(count) } }
        }
        #expect(await kind { _ = try await store(hasty) } == .unreachable)
        #expect(proxy.log.dropFirst(before).count { $0.hasPrefix("PUT") } == 3)
        let middle = proxy.log.count
        #expect(try await store(bucket) == .stored)
        #expect(proxy.log.dropFirst(middle).count { $0.hasPrefix("PUT") } == 2)
        #expect(sent.withLock(\.self) == [1, 2, 2, 3].map { Int64($0 * part) } + [Int64(data.count)])
        let isWhole = try await read(bucket, "sha256/key") == data
        #expect(isWhole)
        #expect(try await store(bucket) == .existed)
        #expect(try await bucket.uploads(of: "sha256/key").isEmpty)
    }

    /// The answer to the request that completes an upload is lost: the object is there, and is found.
    @Test func aLostAnswerIsNoFailure() async throws {
        guard let (proxy, bucket) = try await makeDisturbedBucket() else { return }
        let folder = try TemporaryFolder()
        let data = Data(count: 6 << 20)
        try data.write(to: URL(fileURLWithPath: folder.path("file")))
        try proxy.script(Array(repeating: .none, count: 6) + [.cutAnswer(0)])
        let stored = try await bucket.store(
            file: folder.path("file"),
            byteCount: Int64(data.count),
            as: "key",
            partByteCount: 5 << 20
        )
        // The service may know that it carried the request out, or that the upload is gone.
        #expect([.stored, .existed].contains(stored))
        #expect(proxy.log.count { $0.hasPrefix("POST /") && $0.contains("uploadId") } == 2)
        #expect(try await bucket.head("key").byteCount == Int64(data.count))
    }

    @Test func uploadsAreListedPageByPage() async throws {
        guard let bucket = try await makeBucket() else { return }
        var begun: Set<MultipartUpload> = []
        for name in ["a", "a", "b", "c", "d"] { begun.insert(try await bucket.beginUpload("farm/" + name)) }
        _ = try await bucket.beginUpload("other/a")
        for limit in [1, 2, 1000] {
            let listed = try await bucket.uploads(below: "farm/", limit: limit)
            #expect(listed.count == 5 && Set(listed) == begun, "\(limit)")
        }
    }

    @Test func anUploadCanBeGivenUp() async throws {
        guard let bucket = try await makeBucket() else { return }
        let upload = try await bucket.beginUpload("key")
        let part = try await bucket.send(.data(Self.data), as: 1, of: upload)
        #expect(try await bucket.parts(of: upload) == [part])
        #expect(try await bucket.uploads(of: "key") == [upload])
        for _ in 0..<2 { try await bucket.abort(upload) }
        #expect(try await bucket.uploads(of: "key").isEmpty)
        #expect(await kind { _ = try await bucket.send(.data(Self.data), as: 1, of: upload) } == .missing)
        #expect(await kind { _ = try await bucket.complete(upload, [part]) } == .missing)
    }

    @Test(arguments: [(503, "SlowDown"), (500, "InternalError"), (502, ""), (429, "TooManyRequests")])
    func aBusyServiceIsAskedAgain(status: Int, code: String) async throws {
        guard let (proxy, bucket) = try await makeDisturbedBucket() else { return }
        let before = proxy.log.count
        try proxy.script(Array(repeating: .refusal(status, code.isEmpty ? "-" : code), count: 6))
        #expect(try await bucket.put("key", .data(Self.data)) == .stored)
        #expect(proxy.log.count - before == 7)
        try proxy.script(Array(repeating: .refusal(status, "SlowDown"), count: 7))
        #expect(await kind { _ = try await bucket.head("key") } == .busy)
        #expect(proxy.log.count - before == 14)
    }

    /// An answer that is cut is not begun again from its start, which would give bytes twice.
    @Test func aCutAnswerIsTheCallersAffair() async throws {
        guard let (proxy, bucket) = try await makeDisturbedBucket() else { return }
        _ = try await bucket.put("key", .data(Self.data))
        try proxy.script([.cutAnswer(5)])
        let got = Mutex(Data())
        let sink: @Sendable (UnsafeRawBufferPointer) -> Void = { bytes in got.withLock { $0.append(contentsOf: bytes) }
        }
        #expect(await kind { try await bucket.get("key", into: sink) } == .unreachable)
        #expect(got.withLock(\.self) == Data("hello".utf8))
        try await bucket.get("key", 5..<13, into: sink)
        #expect(got.withLock(\.self) == Self.data)
    }

    @Test func refusalsSayWhy() async throws {
        guard let bucket = try await makeBucket() else { return }
        func refusal(_ bucket: Bucket) async -> BucketError? {
            do {
                _ = try await bucket.list()
                return nil
            } catch { return error }
        }
        let location = bucket.location
        let wrong = await refusal(Bucket(location, BucketCredentials(accessKey: "test:tester", secretKey: "hidden")))
        #expect(wrong?.kind == .notAllowed && wrong?.description.contains("signature was not accepted") == true)
        #expect(wrong?.description.contains("hidden") == false)
        let other = await refusal(Bucket(location, BucketCredentials(accessKey: "test:other", secretKey: "other")))
        #expect(other?.kind == .notAllowed && other?.description.contains(location.bucket) == true)
        let late = await refusal(Bucket(location, Self.keys, now: { Date().addingTimeInterval(-3600) }))
        #expect(late?.kind == .clockSkew)
        // The answer's date has whole seconds, and comes some time after the request's.
        let behind = late?.description.firstMatch(of: #/is (\d+) s behind/#).flatMap { Int($0.1) }
        #expect((3599...7200).contains(behind ?? 0), "\(late?.description ?? "")")
        let none = try BucketLocation(
            bucket: "none",
            region: ObjectServer.region,
            endpoint: try await Self.server.value?.url
        )
        let missing = await refusal(Bucket(none, Self.keys))
        #expect(missing?.kind == .missing && missing?.description.contains("no such bucket") == true)
        let elsewhere = try BucketLocation(bucket: location.bucket, endpoint: try await Self.server.value?.url)
        let moved = await refusal(Bucket(elsewhere, Self.keys))
        #expect(moved?.description.contains(ObjectServer.region) == true)
    }

    @Test func anAddressThatIsRefusedIsNotAsked() async throws {
        guard var bucket = try await makeBucket() else { return }
        bucket.acceptsAddress = { $0.isPublic }
        let guarded = bucket
        #expect(await kind { _ = try await guarded.list() } == .addressRefused)
    }
}
