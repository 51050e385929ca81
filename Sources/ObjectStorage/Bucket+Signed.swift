import Curl
package import Foundation

/// A request that somebody without keys may send until its signature is about a quarter of an hour old.
package struct SignedRequest: Sendable, Hashable {
    /// The address.
    package let address: String
    /// The headers that it must have, those that sign it among them.
    package let headers: [(name: String, value: String)]

    package static func == (one: SignedRequest, other: SignedRequest) -> Bool {
        one.address == other.address && one.headers.map(\.name) == other.headers.map(\.name)
            && one.headers.map(\.value) == other.headers.map(\.value)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        for header in headers {
            hasher.combine(header.name)
            hasher.combine(header.value)
        }
    }
}

extension Bucket {
    /// The request that stores exactly the bytes of a digest: the service compares what comes with what was signed.
    /// - Parameter digest: the SHA-256 of the bytes as 64 digits.
    package func signedPut(_ key: String, of digest: String) -> SignedRequest {
        let headers = [(name: "Content-Type", value: "application/octet-stream")]
        let signature = signature(.put, key, query: [], headers: headers)
        return SignedRequest(address: signature.address, headers: signature.signedHeaders(payload: digest))
    }

    /// The request that sends exactly the bytes of a digest as a part of an upload.
    /// - Parameters:
    ///   - number: the place in the object: 1 to 10 000.
    ///   - digest: the SHA-256 of the bytes as 64 digits.
    ///   - byteCount: the number of bytes, which is signed too.
    package func signedPart(
        _ number: Int,
        of upload: MultipartUpload,
        _ digest: String,
        byteCount: Int64
    ) -> SignedRequest {
        let headers = [(name: "Content-Length", value: String(byteCount))]
        let query = [(name: "partNumber", value: String(number)), ("uploadId", upload.id)]
        let signature = signature(.put, upload.key, query: query, headers: headers)
        return SignedRequest(address: signature.address, headers: signature.signedHeaders(payload: digest))
    }

    /// Stores bytes in a request that is signed for a digest which they need not have: a service that compares refuses it.
    /// - Throws: ``BucketError``.
    package func put(_ key: String, _ data: Data, signedAs digest: String) async throws(BucketError) {
        _ = try await send(.put, key, "storing", body: .data(data), signedAs: digest)
    }

    /// Bytes of an object, at most 64 MiB. Of a range that goes past its end those that there are.
    /// - Throws: ``BucketError``; its kind is `missing` when there is no such object.
    package func bytes(of key: String, _ range: Range<Int64>) async throws(BucketError) -> Data {
        let header = (name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        let response = try await send(.get, key, "reading", headers: [header])
        guard response.status == 206, response.body.count <= range.count else {
            throw BucketError(.refused, "reading \(key): the service answers a range with the whole object.")
        }
        return response.body
    }
}
