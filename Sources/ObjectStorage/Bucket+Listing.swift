import Curl
import Foundation

/// An object in a list of a bucket.
package struct ListedObject: Sendable, Hashable {
    /// The name in the bucket.
    package let key: String
    /// The number of bytes.
    package let byteCount: Int64
    /// The entity tag with its quotes.
    package let entityTag: String
}

/// A part of the list of a bucket.
package struct ObjectPage: Sendable, Hashable {
    /// The objects, ascending by the bytes of their keys.
    package let objects: [ListedObject]
    /// What asks for the next page; nil after the last.
    package let next: String?
}

extension Bucket {
    /// Lists objects whose keys begin with `prefix`, page by page.
    /// - Parameters:
    ///   - page: what ``ObjectPage/next`` of the page before said; nil for the first.
    ///   - limit: the most objects on the page: 1 to 1000.
    /// - Throws: ``BucketError``.
    package func list(
        prefix: String = "",
        page: String? = nil,
        limit: Int = 1000
    ) async throws(BucketError) -> ObjectPage {
        var query = [
            (name: "list-type", value: "2"), ("prefix", prefix), ("max-keys", String(limit)), ("encoding-type", "url"),
        ]
        if let page { query.append(("continuation-token", page)) }
        let response = try await send(.get, "", "listing", query: query)
        guard let list = XMLElement(document: response.body), list.name == "ListBucketResult" else {
            throw BucketError(.refused, "listing the bucket \(location.bucket): the answer is no list of objects.")
        }
        let isEncoded = list["EncodingType"]?.text == "url"
        var objects: [ListedObject] = []
        for element in list.all("Contents") {
            guard let written = element["Key"]?.text, let byteCount = element["Size"].flatMap({ Int64($0.text) }),
                let key = isEncoded ? written.replacing("+", with: " ").removingPercentEncoding : written
            else {
                throw BucketError(.refused, "listing the bucket \(location.bucket): an object has no key or no size.")
            }
            objects.append(ListedObject(key: key, byteCount: byteCount, entityTag: element["ETag"]?.text ?? ""))
        }
        let next = list["NextContinuationToken"]?.text
        guard list["IsTruncated"]?.text == "true" else { return ObjectPage(objects: objects, next: nil) }
        guard let next, !next.isEmpty else {
            throw BucketError(.refused, "listing the bucket \(location.bucket): the list ends before its end.")
        }
        return ObjectPage(objects: objects, next: next)
    }
}
