package import CompositionModel
package import WireProtocol

extension FarmTables {
    /// The tasks that wait though there is a part for them (``FarmStore/offers(limit:)``).
    package func offers(limit: Int) -> [PartOffer] {
        var offers: [String: [PartOffer]] = [:]
        for job in jobs where !job.record.state.isFinal {
            for place in job.tasks where tasks[place].record.state == .queued && tasks[place].record.claims.isEmpty {
                guard let part = tasks[place].partName.flatMap({ parts[$0] }) else { continue }
                offers[job.record.owner, default: []].append(PartOffer(task: tasks[place].record.id, part: part))
            }
        }
        let turns = offers.values.flatMap { $0.sorted { $0.task < $1.task }.enumerated() }
        let ordered = turns.sorted { ($0.offset, $0.element.task) < ($1.offset, $1.element.task) }
        return ordered.prefix(max(0, limit)).map(\.element)
    }

    /// Completes tasks with parts that are there (``FarmStore/take(_:)``).
    package mutating func take(_ offers: [PartOffer], at now: FarmTime) -> [TaskID] {
        offers.sorted { $0.task < $1.task }.compactMap { offer in
            guard let index = taskIndex[offer.task], let part = parts[offer.part.name],
                part.artifact == offer.part.artifact, tasks[index].partName == part.name,
                var decision = decision(onTaskAt: index)
            else { return nil }
            decision.take(part, at: now)
            guard !decision.changes.isEmpty else { return nil }
            write(decision.changes, at: now)
            parts[part.name]?.used = max(part.used, now)
            parts[part.name]?.uses += 1
            return offer.task
        }
    }

    /// The part of a name; nil when there is none.
    package func part(_ name: PartName) -> PartRecord? { parts[name] }

    /// The parts, the most recently used first (``FarmStore/parts(limit:)``).
    package func parts(limit: Int) -> [PartRecord] {
        Array(parts.values.sorted(by: PartRecord.isUsedLater).prefix(max(0, limit)))
    }

    /// The totals over all kept parts.
    package func partTotals() -> PartTotals {
        var totals = PartTotals()
        var saved: Int128 = 0
        for part in parts.values {
            totals.count += 1
            totals.uses += part.uses
            saved += Int128(part.uses) * Int128(part.statistics.cpuMilliseconds)
        }
        totals.savedMilliseconds = Int64(clamping: saved)
        totals.byteCount = storedParts().reduce(0) { $0 + $1.byteCount }
        return totals
    }

    /// The bytes of parts, as they are on the disk: those that several parts have are there once.
    private func storedParts() -> [(artifact: ContentDigest, byteCount: Int64, used: FarmTime)] {
        Dictionary(grouping: parts.values, by: \.artifact).map { artifact, parts in
            (artifact, parts.map(\.byteCount).max() ?? 0, parts.map(\.used).max() ?? FarmTime(milliseconds: 0))
        }
    }

    /// Stores a part that was made elsewhere, unless there is one of its name.
    package mutating func putPart(_ part: PartRecord) {
        if parts[part.name] == nil { parts[part.name] = part }
    }

    /// Forgets the parts of these bytes.
    package mutating func forgetParts(_ artifacts: [ContentDigest]) {
        let gone = Set(artifacts)
        parts = parts.filter { !gone.contains($0.value.artifact) }
    }

    /// The bytes that workers of a name made (``FarmStore/artifacts(madeBy:)``).
    package func artifacts(madeBy worker: String) -> [ContentDigest] {
        artifacts { name, _ in name == worker }.sorted { $0.description < $1.description }
    }

    /// The bytes that workers made whose name and machine `isMaker` accepts, and those that were made by what they
    /// measured.
    func artifacts(_ isMaker: (String, String?) -> Bool) -> Set<ContentDigest> {
        var found = Set(parts.values.filter { isMaker($0.workerName, $0.machine) }.map(\.artifact))
        let kept = jobs.filter { pruned[$0.record.id] == nil }
        for row in kept.flatMap({ tasks[$0.tasks] })
        where row.attempts.contains(where: { $0.state == .completed && isMaker($0.workerName, $0.machine) }) {
            if let artifact = row.record.artifact { found.insert(artifact) }
        }
        var known = 0
        while known < found.count {
            known = found.count
            for job in kept { found.formUnion(artifacts(of: job, madeBy: found)) }
        }
        return found
    }

    /// What a job made of measurements: of later rounds, and the sound.
    private func artifacts(of job: JobRow, madeBy measured: Set<ContentDigest>) -> [ContentDigest] {
        let rows = tasks[job.tasks].map(\.record)
        let stages = rows.filter { $0.kind == .measure && $0.artifact.map(measured.contains) ?? false }.map(\.stage)
        guard let first = stages.min() else { return [] }
        return rows.filter { $0.stage > first && [.measure, .sound].contains($0.kind) }.compactMap(\.artifact)
    }

    /// Removes parts on which no unfinished job counts (``FarmStore/removeParts(_:)``).
    package mutating func removeParts(_ selection: PartSelection, at now: FarmTime) -> [PartRecord] {
        var (wanted, artifacts): (Set<PartName>, Set<ContentDigest>) = ([], [])
        for job in jobs where !job.record.state.isFinal {
            for row in tasks[job.tasks] {
                if let artifact = row.record.artifact { artifacts.insert(artifact) }
                if row.record.state == .queued, let name = row.partName { wanted.insert(name) }
            }
        }
        func isCountedOn(_ part: PartRecord) -> Bool { wanted.contains(part.name) || artifacts.contains(part.artifact) }
        let needed = Set(parts.values.filter(isCountedOn).map(\.artifact))
        // What may not go comes first: else it would take the place of what may.
        let stored = storedParts().sorted { left, right in
            if needed.contains(left.artifact) != needed.contains(right.artifact) {
                return needed.contains(left.artifact)
            }
            return left.used == right.used
                ? left.artifact.description < right.artifact.description : left.used > right.used
        }
        var total: Int64 = 0
        var totals: [ContentDigest: Int64] = [:]
        for bytes in stored {
            total += bytes.byteCount
            totals[bytes.artifact] = total
        }
        let chosen = parts.values.sorted(by: PartRecord.isUsedLater).filter { part in
            guard !isCountedOn(part) else { return false }
            return switch selection {
            case .all: true
            case .madeBy(let name): part.workerName == name
            case .unused(let age): part.used <= now.adding(milliseconds: -age)
            case .beyond(let bytes): totals[part.artifact, default: 0] > bytes
            }
        }
        for part in chosen { parts[part.name] = nil }
        return chosen
    }

    mutating func keepPart(of task: TaskRecord, by attempt: AttemptRecord, at now: FarmTime) {
        guard let index = taskIndex[task.id], let versions = tasks[index].payload.versions,
            let part = PartRecord(task, versions: versions, by: attempt, at: now)
        else { return }
        putPart(part)
    }

    /// Writes the row of a task, and counts who makes what.
    mutating func setRecord(_ task: TaskRecord, at index: Int) {
        let before = tasks[index].record.state
        tasks[index].record = task
        guard (before == .leased) != (task.state == .leased), let name = tasks[index].partName else { return }
        if task.state == .leased { making[name, default: []].insert(index) } else { making[name]?.remove(index) }
        if making[name]?.isEmpty == true { making[name] = nil }
    }

    /// Whether the task waits because its part is there, or is being made for another task.
    package func waitsForPart(_ row: TaskRow) -> Bool {
        guard policy.keepsParts, row.record.state == .queued, row.record.claims.isEmpty, let name = row.partName else {
            return false
        }
        return parts[name] != nil || making[name]?.contains(where: isMaking) == true
    }

    /// Whether a leased task comes to an end by itself: a live lease has not run out, or anybody may go on with it. One
    /// whose worker is gone does not while its job is paused, requires something of workers, or is audited: those who may
    /// go on with it may never come.
    private func isMaking(_ index: Int) -> Bool {
        let task = tasks[index].record
        guard let row = jobIndex[task.job] else { return false }
        let job = jobs[row].record
        return task.isOpen(in: job) && task.claims.isEmpty && job.requirements.isEmpty
            || !LeaseExpiry.freesTask(heldBy: tasks[index].attempts, sweptAt: expiry)
    }
}

extension FarmTables.TaskRow {
    /// The name of the part that the task makes; nil when it makes none.
    var partName: PartName? {
        guard let key = record.key, let versions = payload.versions else { return nil }
        return PartName(key: key, versions: versions)
    }
}
