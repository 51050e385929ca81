public import CompositionModel
import Foundation
import Planning
import Timing

/// Body of every error: RFC 9457 problem details with a stable `code`.
public struct Problem: Sendable, Hashable, Codable, Error {
    public var status: Int
    /// Such as `lease_lost`, `asset_missing`, `invalid_edit`, `unauthorized`.
    public var code: String
    /// Few words, the same for every case of the code.
    public var title: String
    /// One sentence: what is wrong, where, and what to do.
    public var detail: String
    public var findings: [Finding]?
    /// Digests that must be uploaded first.
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
