import Client
import CompositionModel
import Farm
import WireProtocol

extension BatchSubmission {
    /// Submits one line by itself.
    func submit(_ line: Prepared, _ tally: inout BatchTally, _ isOnly: Bool) async throws {
        do {
            try await submitter(line).submit(
                line.file,
                outputs: line.outputs,
                options: line.options,
                row: row(of: line)
            ) { submitted in
                tally.submitted.append(submitted)
                announce(submitted, line.entry)
            }
        } catch {
            try tally.refuse(try CommandFailure.recognised(error).placed(at: line.place), isOnly)
        }
    }

    /// What names a line that may be submitted again.
    private func row(of line: Prepared) -> String? {
        guard defaults.isRepeatable else { return nil }
        return rowPrefix + (line.deliveries[0]?.to ?? line.entry.output ?? line.entry.edit)
    }

    private func submitter(_ line: Prepared) -> EditSubmitter {
        EditSubmitter(
            connection: connection,
            delivery: delivery,
            priority: line.entry.priority ?? defaults.priority,
            title: line.entry.title,
            conditions: line.conditions,
            deliveries: line.deliveries
        )
    }

    /// A submission of a line, ready to be sent.
    private struct Pending {
        let line: Prepared
        let ordered: EditSubmitter.Ordered
    }

    /// The bytes of edits from which a batch is sent.
    private static let batchBytes = 4 << 20

    /// Lines that were sent, and what came of each.
    private struct Sent {
        let lines: ArraySlice<Pending>
        let answers: [JobBatchAnswer]?
    }

    /// Sends the lines in batches, each of whose jobs is accepted or refused by itself. The farm plans one batch while the
    /// next one is made ready here.
    func submitTogether(_ lines: [Prepared], _ tally: inout BatchTally) async throws {
        var refused: Set<String> = []
        try await withThrowingTaskGroup(of: [Sent].self) { group in
            var pending: [Pending] = []
            var byteCount = 0
            for line in lines {
                do {
                    for ordered in try await submitter(line).order(
                        line.file,
                        outputs: line.outputs,
                        options: line.options,
                        row: row(of: line)
                    ) {
                        pending.append(Pending(line: line, ordered: ordered))
                        byteCount += ordered.submission.editText.utf8.count
                    }
                } catch {
                    try tally.refuse(try CommandFailure.recognised(error).placed(at: line.place), false)
                }
                guard pending.count >= 100 || byteCount >= Self.batchBytes else { continue }
                if let sent = try await group.next() { try await note(sent, &refused, &tally) }
                group.addTask { [pending] in try await send(pending) }
                (pending, byteCount) = ([], 0)
            }
            if let sent = try await group.next() { try await note(sent, &refused, &tally) }
            try await note(send(pending), &refused, &tally)
        }
    }

    private func send(_ pending: [Pending]) async throws -> [Sent] {
        var sent: [Sent] = []
        for start in stride(from: 0, to: pending.count, by: JobBatch.mostJobs) {
            let part = pending[start..<min(start + JobBatch.mostJobs, pending.count)]
            sent.append(Sent(lines: part, answers: try await answers(part)))
        }
        return sent
    }

    /// Notes what came of lines, in their order.
    /// - Parameter refused: the places of the lines that were refused: one with several outputs is refused once.
    private func note(_ sent: [Sent], _ refused: inout Set<String>, _ tally: inout BatchTally) async throws {
        for part in sent {
            for (number, one) in part.lines.enumerated() {
                do {
                    let job = try await job(of: one, answer: part.answers.map { $0[number] })
                    var told: Set<Finding> = []
                    submitter(one.line).tell(job, one.line.file, &told)
                    let submitted = EditSubmitter.Submitted(job: job, output: one.ordered.output)
                    tally.submitted.append(submitted)
                    announce(submitted, one.line.entry)
                } catch {
                    let failure = try CommandFailure.recognised(error).placed(at: one.line.place)
                    guard refused.insert(one.line.place).inserted else {
                        try tally.note(failure)
                        continue
                    }
                    try tally.refuse(failure, false)
                }
            }
        }
    }

    /// What came of each, as the farm says; nil when it takes no batch like this, so that each is to be sent alone.
    private func answers(_ pending: ArraySlice<Pending>) async throws -> [JobBatchAnswer]? {
        let batch = JobBatch(jobs: pending.map(\.ordered.submission))
        do {
            let answers = try await RetrySchedule.farm(for: .seconds(20)).run(on: connection.clock) {
                try await connection.submit(batch)
            }
            return answers.count == pending.count ? answers : nil
        } catch let error as ClientError where !error.isTransient {
            switch error {
            // An earlier version, or one submission that fits into no batch: alone it is accepted, or says what is wrong.
            case .problem, .notUnderstood: return nil
            default: throw error
            }
        }
    }

    private func job(of pending: Pending, answer: JobBatchAnswer?) async throws -> JobView {
        if let job = answer?.job { return job }
        if let problem = answer?.problem { throw EditSubmitter.refusal(problem, of: pending.line.file) }
        return try await submitter(pending.line).send(pending.ordered.submission, of: pending.line.file)
    }

    private func announce(_ submitted: EditSubmitter.Submitted, _ entry: ManifestEntry) {
        if let onSubmitted { return onSubmitted(submitted.job) }
        guard !json else {
            try? JSONOutput.print(submitted.job)
            return
        }
        Console.print(onlyIDs ? "\(submitted.job.id)" : "\(submitted.job.id)  \(entry.edit)")
    }
}
