package import CompositionModel
import Foundation
import Planning
import Timing

/// The body of every error answer: RFC 9457 problem details with a stable `code`.
package struct Problem: Sendable, Hashable, Codable, Error {
    /// The HTTP status, 400 … 599.
    package var status: Int
    /// The stable code, such as `lease_lost`, `asset_missing`, `invalid_edit` or `unauthorized`.
    package var code: String
    /// A few words, the same for every case of the code.
    package var title: String
    /// One sentence that says what is wrong, where, and what to do.
    package var detail: String
    /// The findings about the submitted edit; nil for problems of other kinds.
    package var findings: [Finding]?
    /// The digests to upload first; nil for problems of other kinds.
    package var missing: [ContentDigest]?

    package init(
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
