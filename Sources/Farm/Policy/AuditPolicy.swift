package import WireProtocol

/// Whether a job can be audited. Which of its tasks are is chosen by ``AuditChoice``.
package enum AuditPolicy {
    /// The number of different results after which a task is given up: the fault is then not one machine's.
    static let mostClaims = 5

    /// Checks that an audit is possible with the workers that are here.
    /// - Parameter workers: every worker that is ``FarmPolicy/isEligible(_:at:)`` now.
    /// - Throws: ``FarmStoreError/noAuditor(_:)`` when fewer than two different machines render.
    package static func admit(_ audit: AuditShare?, with workers: [WorkerRecord]) throws(FarmStoreError) {
        guard audit != nil else { return }
        let renderers = workers.filter { $0.kinds.contains(where: AuditChoice.audits) }
        guard let first = renderers.min(by: { $0.name < $1.name }) else {
            throw .noAuditor(
                "An audit needs workers on two machines, and none is connected; start them, or leave the audit out."
            )
        }
        guard renderers.contains(where: { one in renderers.contains(where: one.isOtherMachine) }) else {
            let names = Set(renderers.map(\.name)).sorted().prefix(5).map { "“\($0.visible)”" }
            let there =
                names.count < 2
                ? "only “\(first.name.visible)” is connected"
                : "\(names.joined(separator: ", ")) are on one, as far as they say"
            throw .noAuditor(
                "An audit needs workers on two machines, and \(there); start a worker on another machine, or leave the "
                    + "audit out."
            )
        }
    }
}
