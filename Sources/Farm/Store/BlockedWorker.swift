/// A name on the blocklist: no worker of it is granted anything, nor may register, until somebody lifts that. Nor does any other
/// worker of a machine that an audit found faulty.
package struct BlockedWorker: Sendable, Hashable {
    /// The workers' name.
    package var name: String
    /// The reason, as a sentence.
    package var reason: String
    /// The time when it was blocked.
    package var since: FarmTime
    /// Whether an audit found the machine faulty and what it made has still to be withdrawn. Until then nothing is joined.
    package var isFaulty: Bool
    /// The machines that audits found faulty when workers of the name ran on them, ascending.
    package var machines: [String]

    /// Makes a row.
    package init(name: String, reason: String, since: FarmTime, isFaulty: Bool = false, machines: [String] = []) {
        self.name = name
        self.reason = reason
        self.since = since
        self.isFaulty = isFaulty
        self.machines = machines
    }

    /// Whether a worker of this name on this machine is kept off.
    package func keepsOff(name: String, machine: String?) -> Bool {
        name == self.name || machine.map(machines.contains) ?? false
    }

    /// What tells the workers that are kept off from others (``WorkerRecord/identities``).
    package var identities: Set<String> {
        let own = Set(WorkerRecord.identities(name: name, machine: nil))
        return machines.reduce(into: own) { $0.formUnion(WorkerRecord.identities(name: name, machine: $1)) }
    }

    /// The entry that keeps a worker off; of several the one of its own name.
    package static func entry(of name: String, on machine: String?, in entries: [BlockedWorker]) -> BlockedWorker? {
        entries.first { $0.name == name } ?? entries.first { $0.keepsOff(name: name, machine: machine) }
    }
}
