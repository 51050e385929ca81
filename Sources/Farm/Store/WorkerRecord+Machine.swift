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

    /// The machine of these identities; nil when they name none.
    static func machine(in identities: [String]) -> String? {
        identities.first { $0.hasPrefix("machine:") }.map { String($0.dropFirst("machine:".count)) }
    }
}
