public import CompositionModel
import Foundation
import Planning
import Timing

/// The body of every error answer: RFC 9457 problem details with a stable `code`.
public struct Problem: Sendable, Hashable, Codable, Error {
    /// The HTTP status, 400 … 599.
    public var status: Int
    /// The stable code, such as `lease_lost`, `asset_missing`, `invalid_edit` or `unauthorized`.
    public var code: String
    /// A few words, the same for every case of the code.
    public var title: String
    /// One sentence that says what is wrong, where, and what to do.
    public var detail: String
    /// The findings about the submitted edit; nil for problems of other kinds.
    public var findings: [Finding]?
    /// The digests to upload first; nil for problems of other kinds.
    public var missing: [ContentDigest]?

    public init(
        status: Int,
        code: String,
        title: String,
        detail: String,
        findings: [Finding]? = nil,
        missing: [ContentDigest]? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.findings = findings
        self.missing = missing
    }
}
