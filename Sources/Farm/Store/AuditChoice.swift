import CompositionModel
import Foundation
package import WireProtocol

/// The choice of the tasks of a job that are audited.
package enum AuditChoice {
    /// Whether a task is chosen: by the SHA-256 of its job and position, as a number of 64 bits. So each task is chosen
    /// with the probability of the share, whatever becomes of the others, and always the same ones of a job: of a worker
    /// that spoils k parts at least one is audited with the probability 1 - (1 - share)^k.
    package static func chooses(_ position: Int, of job: JobID, _ share: AuditShare) -> Bool {
        let digest = ContentDigest(of: Data("audit \(job) \(position)".utf8))
        let number = digest.hex.prefix(16).reduce(UInt64(0)) { $0 << 4 | UInt64($1.hexDigitValue ?? 0) }
        return number % 10_000 < UInt64(share.perTenThousand)
    }

    /// Whether a task of this kind can be audited: all but the joining, which makes no part.
    package static func audits(_ kind: TaskKind) -> Bool { kind != .stitch }
}
