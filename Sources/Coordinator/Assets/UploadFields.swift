import HTTPTypes
import Hummingbird
import WireProtocol

/// The fields of a request that uploads in several pieces (draft-ietf-httpbis-resumable-upload §4.1), which are structured
/// fields (RFC 9651).
struct UploadFields: Sendable, Hashable {
    /// The first byte of the body, counted from the first of the whole; nil when it is not said.
    let offset: Int64?
    /// Whether the body ends the upload; nil when it is not said, as in a request that does not want to be resumed.
    let isComplete: Bool?
    /// The number of bytes of the whole; nil when it is not said.
    let length: Int64?

    /// - Throws: status 400 for a field that is not understood.
    init(_ headers: HTTPFields) throws(Problem) {
        offset = try UploadFields.integer(.uploadOffset, headers)
        length = try UploadFields.integer(.uploadLength, headers)
        isComplete =
            switch headers[.uploadComplete] {
            case nil: nil
            case "?1": true
            case "?0": false
            case let text?: throw .notUnderstood("Upload-Complete is ?1 or ?0, and not “\(text)”.")
            }
    }

    /// RFC 9651 §3.3.1 allows 15 digits. What the draft sends here is never negative.
    private static func integer(_ name: HTTPField.Name, _ headers: HTTPFields) throws(Problem) -> Int64? {
        guard let text = headers[name] else { return nil }
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let value = Int64(text)
        else { throw .notUnderstood("\(name.rawName) is a number of bytes from 0 on, and not “\(text)”.") }
        return value
    }
}
