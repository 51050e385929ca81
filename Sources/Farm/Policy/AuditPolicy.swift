import CompositionModel
import Foundation
package import WireProtocol

/// Which tasks are audited, and when two machines count as two.
package enum AuditPolicy {
    /// The number of different results after which a task is given up: the fault is then not one machine's.
    static let mostClaims = 5

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

    /// Checks that an audit is possible with the workers that are here.
    /// - Parameter workers: every worker that is ``FarmPolicy/isEligible(_:at:)`` now.
    /// - Throws: ``FarmStoreError/noAuditor(_:)`` when fewer than two different machines render.
    package static func admit(_ audit: AuditShare?, with workers: [WorkerRecord]) throws(FarmStoreError) {
        guard audit != nil else { return }
        let renderers = workers.filter { $0.kinds.contains(where: audits) }
        guard let first = renderers.min(by: { $0.name < $1.name }) else {
            throw .noAuditor(
                "An audit needs workers on two machines, and none is connected; start them, or leave the audit out."
            )
        }
        guard renderers.contains(where: { one in renderers.contains(where: one.isOtherMachine) }) else {
            throw .noAuditor(
                "An audit needs workers on two machines, and only “\(first.name.visible)” is connected; start a worker on "
                    + "another machine, or leave the audit out."
            )
        }
    }
}

extension WorkerRecord {
    /// Whether another worker may audit what this one made: it has another name, and runs on another machine as far as
    /// both say which they run on.
    package func isOtherMachine(_ other: WorkerRecord) -> Bool {
        Set(identities).isDisjoint(with: other.identities)
    }

    /// What tells the worker's machine from others: two workers with any of these in common are one machine.
    package var identities: [String] { Self.identities(name: name, machine: machine) }

    /// The identities of a worker of this name on this machine.
    package static func identities(name: String, machine: String?) -> [String] {
        ["name:\(name)"] + (machine.map { ["machine:\($0)"] } ?? [])
    }
}
