import Curl
import Foundation

/// An object that arrives in parts.
package struct MultipartUpload: Sendable, Hashable {
    /// The key that the object will have.
    package let key: String
    /// The service's name of the upload.
    package let id: String

    /// Names an upload that was begun.
    package init(key: String, id: String) { (self.key, self.id) = (key, id) }
}

/// A part that arrived.
package struct UploadedPart: Sendable, Hashable {
    /// The place in the object: 1 to 10 000.
    package let number: Int
    /// The entity tag with its quotes.
    package let entityTag: String
    /// The number of bytes.
    package let byteCount: Int64
}

extension Bucket {
    /// Begins an upload in parts. One that is neither completed nor aborted is kept, and costs, until it is.
    /// - Throws: ``BucketError``.
    package func beginUpload(_ key: String) async throws(BucketError) -> MultipartUpload {
        let headers = [(name: "Content-Type", value: "application/octet-stream")]
        let response = try await send(.post, key, "beginning an upload of", query: [("uploads", "")], headers: headers)
        guard let id = XMLElement(document: response.body)?["UploadId"]?.text, !id.isEmpty else {
            throw BucketError(.refused, "beginning an upload of \(key): the answer names no upload.")
        }
        return MultipartUpload(key: key, id: id)
    }

    /// The uploads of this key that have begun and not ended.
    /// - Throws: ``BucketError``.
    package func uploads(of key: String) async throws(BucketError) -> [MultipartUpload] {
        try await uploads(below: key).filter { $0.key == key }
    }

    /// The uploads that have begun and not ended of keys that begin with `prefix`, by key.
    /// - Parameter limit: the most uploads that one request lists: 1 to 1000.
    /// - Throws: ``BucketError``.
    package func uploads(below prefix: String, limit: Int = 1000) async throws(BucketError) -> [MultipartUpload] {
        var uploads: [MultipartUpload] = []
        var marker: MultipartUpload?
        while true {
            var query = [(name: "uploads", value: ""), ("prefix", prefix), ("max-uploads", String(limit))]
            if let marker { query += [("key-marker", marker.key), ("upload-id-marker", marker.id)] }
            let response = try await send(.get, "", "listing uploads of", query: query)
            guard let list = XMLElement(document: response.body), list.name == "ListMultipartUploadsResult" else {
                throw BucketError(.refused, "listing uploads of \(prefix): the answer is no list of uploads.")
            }
            for element in list.all("Upload") {
                guard let upload = MultipartUpload(element["Key"], element["UploadId"]) else {
                    throw BucketError(.refused, "listing uploads of \(prefix): an upload has no key or no id.")
                }
                uploads.append(upload)
            }
            guard list["IsTruncated"]?.text == "true" else { return uploads }
            // OpenStack Swift names no marker after a page of one upload.
            let next = MultipartUpload(list["NextKeyMarker"], list["NextUploadIdMarker"]) ?? uploads.last
            guard let next, next != marker else {
                throw BucketError(.refused, "listing uploads of \(prefix): the list ends before its end.")
            }
            marker = next
        }
    }

    /// Sends a part; one of this number that arrived before is replaced. All parts but the last have at least 5 MiB.
    /// - Throws: ``BucketError``; its kind is `missing` for an upload that is no longer known.
    package func send(
        _ body: Body,
        as number: Int,
        of upload: MultipartUpload
    ) async throws(BucketError) -> UploadedPart {
        let query = [(name: "partNumber", value: String(number)), ("uploadId", upload.id)]
        let response = try await send(.put, upload.key, "sending part \(number) of", query: query, body: body)
        guard let entityTag = response.headers["etag"] else {
            throw BucketError(.refused, "sending part \(number) of \(upload.key): the answer has no entity tag.")
        }
        return UploadedPart(number: number, entityTag: entityTag, byteCount: body.byteCount)
    }

    /// The parts that arrived, ascending.
    /// - Throws: ``BucketError``; its kind is `missing` for an upload that is no longer known.
    package func parts(of upload: MultipartUpload) async throws(BucketError) -> [UploadedPart] {
        var parts: [UploadedPart] = []
        var marker: String?
        repeat {
            var query = [(name: "uploadId", value: upload.id)]
            if let marker { query.append(("part-number-marker", marker)) }
            let response = try await send(.get, upload.key, "listing parts of", query: query)
            guard let list = XMLElement(document: response.body), list.name == "ListPartsResult" else {
                throw BucketError(.refused, "listing parts of \(upload.key): the answer is no list of parts.")
            }
            for element in list.all("Part") {
                guard let number = element["PartNumber"].flatMap({ Int($0.text) }), let tag = element["ETag"]?.text,
                    let byteCount = element["Size"].flatMap({ Int64($0.text) })
                else {
                    throw BucketError(.refused, "listing parts of \(upload.key): a part has no number, tag or size.")
                }
                parts.append(UploadedPart(number: number, entityTag: tag, byteCount: byteCount))
            }
            marker = list["IsTruncated"]?.text == "true" ? list["NextPartNumberMarker"]?.text : nil
        } while marker != nil
        return parts.sorted { $0.number < $1.number }
    }

    /// Makes the object of the parts, in the order of their numbers.
    /// - Parameter ifAbsent: whether an object that there is stays as it is; the upload is still there then.
    /// - Throws: ``BucketError``. After one that is transient the object may be there: ask for it.
    package func complete(
        _ upload: MultipartUpload,
        _ parts: [UploadedPart],
        ifAbsent: Bool = false
    ) async throws(BucketError) -> Stored {
        let list = parts.sorted { $0.number < $1.number }.map { part in
            "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(part.entityTag.xmlEscaped)</ETag></Part>"
        }
        let text = "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>"
        let headers = [(name: "Content-Type", value: "application/xml")] + Self.condition(ifAbsent)
        do throws(BucketError) {
            let response = try await send(
                .post,
                upload.key,
                "completing",
                query: [("uploadId", upload.id)],
                headers: headers,
                body: .data(Data(text.utf8))
            )
            // The status is sent before the parts are joined: an error may stand in the body of a success.
            if XMLElement(document: response.body)?.name == "CompleteMultipartUploadResult" { return .stored }
            throw BucketError(failed: response, "completing \(upload.key) in the bucket \(location.bucket)", now: now())
        } catch {
            guard ifAbsent, error.kind == .conditionFailed else { throw error }
            return .existed
        }
    }

    /// Forgets an upload and its parts; that it is not known is no error.
    /// - Throws: ``BucketError``.
    package func abort(_ upload: MultipartUpload) async throws(BucketError) {
        do {
            _ = try await send(.delete, upload.key, "giving up the upload of", query: [("uploadId", upload.id)])
        } catch {
            guard error.kind == .missing else { throw error }
        }
    }
}

extension Bucket.Body {
    /// The number of bytes that are sent.
    var byteCount: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(_, let range): range.upperBound - range.lowerBound
        }
    }
}

extension MultipartUpload {
    /// The upload that two elements of an answer name; nil when one is missing or empty.
    fileprivate init?(_ key: XMLElement?, _ id: XMLElement?) {
        guard let key = key?.text, let id = id?.text, !key.isEmpty, !id.isEmpty else { return nil }
        self.init(key: key, id: id)
    }
}
