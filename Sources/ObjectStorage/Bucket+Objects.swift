package import Curl
import Foundation

/// What the service says of an object.
package struct ObjectFacts: Sendable, Hashable {
    /// The number of bytes.
    package let byteCount: Int64
    /// The entity tag with its quotes; another one after every change.
    package let entityTag: String
    /// The version, in a bucket that keeps versions; nil in others.
    package let version: String?

    init?(byteCount: Int64?, _ headers: [String: String]) {
        guard let byteCount, let entityTag = headers["etag"] else { return nil }
        self.init(byteCount: byteCount, entityTag: entityTag, version: headers["x-amz-version-id"])
    }

    init(byteCount: Int64, entityTag: String, version: String? = nil) {
        (self.byteCount, self.entityTag, self.version) = (byteCount, entityTag, version)
    }
}

extension Bucket {
    /// The answers to a request to store an object.
    package enum Stored: Sendable, Hashable {
        /// The object is these bytes now.
        case stored
        /// There was an object of this key, which stays as it was: perhaps these bytes, by a request whose answer was lost.
        case existed
    }

    /// Asks for an object without its bytes.
    /// - Throws: ``BucketError``; its kind is `missing` when there is none.
    package func head(_ key: String, version: String? = nil) async throws(BucketError) -> ObjectFacts {
        let response = try await send(.head, key, "asking for", query: Self.query(version))
        guard
            let facts = ObjectFacts(byteCount: response.headers["content-length"].flatMap(Int64.init), response.headers)
        else { throw BucketError(.refused, "asking for \(key): the answer has no length or no entity tag.") }
        return facts
    }

    /// Reads an object from a byte on. A request that is cut in the middle is not sent again: the caller asks for the rest,
    /// naming the entity tag, so that no bytes of two objects are mixed.
    /// - Parameters:
    ///   - range: the bytes that are asked for; nil for all. It must begin before the object's end.
    ///   - entityTag: the object's tag, with quotes; another object is refused. Nil takes whatever is there.
    ///   - sink: takes the bytes in order, on a thread that may block. What it throws ends the transfer.
    /// - Throws: ``BucketError``; its kind is `conditionFailed` when the object is another, `unreachable` when the
    ///   transfer was cut.
    package func get(
        _ key: String,
        _ range: Range<Int64>? = nil,
        ifMatch entityTag: String? = nil,
        version: String? = nil,
        into sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws(BucketError) {
        var headers: [(name: String, value: String)] = []
        if let range { headers.append(("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")) }
        if let entityTag { headers.append(("If-Match", entityTag)) }
        let response = try await send(
            .get,
            key,
            "reading",
            query: Self.query(version),
            headers: headers,
            sink: sink
        )
        guard range == nil || response.status == 206 else {
            throw BucketError(.refused, "reading \(key): the service answers a range with the whole object.")
        }
    }

    /// Stores an object in one request; of at most 5 GiB.
    /// - Parameter ifAbsent: whether an object that there is stays as it is.
    /// - Throws: ``BucketError``; its kind is `noConditions` where the service cannot do that (OpenStack Swift 2.30).
    package func put(_ key: String, _ body: Body, ifAbsent: Bool = false) async throws(BucketError) -> Stored {
        let headers = [(name: "Content-Type", value: "application/octet-stream")]
        do {
            _ = try await send(.put, key, "storing", headers: headers + Self.condition(ifAbsent), body: body)
            return .stored
        } catch {
            guard ifAbsent, error.kind == .conditionFailed else { throw error }
            return .existed
        }
    }

    /// Removes an object; that there is none is no error.
    /// - Throws: ``BucketError``.
    package func delete(_ key: String) async throws(BucketError) {
        do {
            _ = try await send(.delete, key, "removing")
        } catch {
            guard error.kind == .missing else { throw error }
        }
    }

    /// The address by which anybody may carry out one request on an object, until a time.
    /// - Parameters:
    ///   - seconds: the time that the address holds: 1 to 604 800 (a week); the service may hold temporary keys' shorter.
    ///   - headers: headers that the request must have, as they are here.
    package func signedAddress(
        _ method: HTTPRequest.Method,
        _ key: String,
        seconds: Int,
        query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = []
    ) -> String {
        signature(method, key, query: query, headers: headers).signedAddress(seconds: min(max(seconds, 1), 604_800))
    }

    static func condition(_ ifAbsent: Bool) -> [(name: String, value: String)] {
        ifAbsent ? [("If-None-Match", "*")] : []
    }

    private static func query(_ version: String?) -> [(name: String, value: String)] {
        version.map { [("versionId", $0)] } ?? []
    }
}
