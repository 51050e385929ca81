/// What a worker asks before it sends an artifact: where it may send it, other than to the coordinator.
package struct UploadQuestion: Codable, Sendable, Hashable {
    /// The length of the artifact in bytes.
    package var byteCount: Int64

    package init(byteCount: Int64) { self.byteCount = byteCount }
}

/// A request of the method PUT that stores an artifact's bytes, and no others, in the farm's bucket.
package struct UploadOrder: Codable, Sendable, Hashable {
    /// The name of the object in the bucket.
    package var object: String
    /// The address to which the bytes are sent.
    package var address: String
    /// The headers that the request must have.
    package var headers: [String: String]

    package init(object: String, address: String, headers: [String: String]) {
        (self.object, self.address, self.headers) = (object, address, headers)
    }
}

/// What a worker says once it has carried out an ``UploadOrder``.
package struct UploadNotice: Codable, Sendable, Hashable {
    /// The name of the object in the bucket.
    package var object: String
    /// The length of the artifact in bytes.
    package var byteCount: Int64

    package init(object: String, byteCount: Int64) { (self.object, self.byteCount) = (object, byteCount) }
}
