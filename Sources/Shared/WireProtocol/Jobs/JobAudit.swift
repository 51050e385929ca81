/// How the audit of a job stands: which share of its parts is rendered by two machines, and what came of it.
package struct JobAudit: Sendable, Hashable, Codable {
    /// The share that was ordered.
    package var share: AuditShare
    /// The number of tasks that were chosen, when the job was stored.
    package var chosen: Int
    /// The number of those whose part two machines made alike.
    package var audited: Int
    /// The number of times that machines made one part differently.
    package var differed: Int

    package init(share: AuditShare, chosen: Int, audited: Int = 0, differed: Int = 0) {
        self.share = share
        self.chosen = chosen
        self.audited = audited
        self.differed = differed
    }

    /// What a line of a list says, such as `12 of 20 audited`.
    package var words: String {
        let count = "\(audited) of \(chosen) audited"
        return differed == 0 ? count : "\(count), \(differed) differed"
    }
}
