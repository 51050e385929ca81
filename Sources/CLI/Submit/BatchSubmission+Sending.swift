import Client
import CompositionModel
import Farm
import WireProtocol

extension BatchSubmission {
    /// Submits the only line.
    func submit(_ line: Prepared, _ tally: BatchTally) async throws {
        try await submitter(line).submit(
            line.file,
            outputs: line.outputs,
            options: line.options,
            row: row(of: line)
        ) { submitted in
            tally.add(submitted)
            announce(submitted, line.entry)
        }
    }

    /// What names a line that may be submitted again.
    private func row(of line: Prepared) -> SubmittedRow? {
        guard defaults.isRepeatable else { return nil }
        let entry = line.entry
        let deliveries = line.deliveries.undated
        return SubmittedRow(
            name: rowPrefix + (deliveries[0]?.to ?? entry.writtenName ?? entry.output ?? entry.edit),
            title: title(of: line, deliveries),
            deliveries: deliveries
        )
    }

    /// The title of a line's jobs: rows that fill one template are told apart in lists by the file that they make.
    /// - Returns: nil for the name of the edit's file.
    private func title(of line: Prepared, _ deliveries: [Int: DeliveryOrder]) -> String? {
        if let title = line.entry.title { return title }
        guard !line.entry.parameters.isEmpty, let made = deliveries[0]?.to ?? line.entry.output else { return nil }
        return made.split(separator: "/").last.map(String.init)
    }

    private func submitter(_ line: Prepared) -> EditSubmitter {
        EditSubmitter(
            connection: connection,
            delivery: delivery,
            priority: line.entry.priority ?? defaults.priority,
            title: title(of: line, line.deliveries.today),
            conditions: line.conditions,
            deliveries: line.deliveries.today
        )
    }

    /// A submission of a line, ready to be sent.
    struct Pending: Sendable {
        let line: Prepared
        let ordered: EditSubmitter.Ordered
    }

    /// The bytes of edits that a batch has at the most, unless one alone has more.
    static let batchBytes = 4 << 20

    /// Lines that were sent, and what came of each.
    private struct Sent {
        let lines: [Pending]
        let answers: [JobBatchAnswer]?
    }

    /// Brings the media of lines to the farm and submits them, while more lines come. What is ready goes in one batch, whose
    /// jobs are accepted or refused each by itself; the next one is made ready while the farm plans it.
    func submit(_ lines: AsyncStream<Prepared>, _ ready: Gathering<Pending>, _ tally: BatchTally) async throws {
        try await JointWork.run {
            defer { ready.finish() }
            for await line in lines {
                try await order(line, tally) { ready.add($0, weight: $0.ordered.submission.weight) }
            }
            try Task.checkCancellation()
        } _: {
            var refused: Set<String> = []
            while true {
                let batch = await ready.next()
                guard !batch.isEmpty else { return }
                try await note(Sent(lines: batch, answers: answers(batch)), &refused, tally)
            }
        }
    }

    /// Brings the media of a line to the farm, and makes its submissions.
    private func order(_ line: Prepared, _ tally: BatchTally, _ onOrdered: (Pending) -> Void) async throws {
        do {
            for ordered in try await submitter(line).order(
                line.file,
                outputs: line.outputs,
                options: line.options,
                row: row(of: line)
            ) {
                onOrdered(Pending(line: line, ordered: ordered))
            }
        } catch {
            try tally.refuse(try CommandFailure.recognised(error).placed(at: line.place), false)
        }
    }

    /// Notes what came of lines, in their order.
    /// - Parameter refused: the places of the lines that were refused: one with several outputs is refused once.
    private func note(_ sent: Sent, _ refused: inout Set<String>, _ tally: BatchTally) async throws {
        for (number, one) in sent.lines.enumerated() {
            do {
                let job = try await job(of: one, answer: sent.answers.map { $0[number] })
                var told: Set<Finding> = []
                submitter(one.line).tell(job, one.line.file, &told)
                let submitted = EditSubmitter.Submitted(job: job, output: one.ordered.output)
                tally.add(submitted)
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

    /// What came of each, as the farm says; nil when it takes no batch like this, so that each is to be sent alone.
    private func answers(_ pending: [Pending]) async throws -> [JobBatchAnswer]? {
        var answers: [JobBatchAnswer] = []
        // A farm that would take too long answers the first ones, and takes the others as another batch.
        while answers.count < pending.count {
            let left = pending[answers.count...]
            guard let some = try await submit(JobBatch(jobs: left.map(\.ordered.submission))),
                (1...left.count).contains(some.count)
            else { return nil }
            answers += some
        }
        return answers
    }

    /// The farm's answer to a batch; nil when it takes none like this.
    private func submit(_ batch: JobBatch) async throws -> [JobBatchAnswer]? {
        do {
            return try await RetrySchedule.farm(for: .seconds(20)).run(on: connection.clock) {
                try await connection.submit(batch)
            }
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
        let (line, ordered) = (pending.line, pending.ordered)
        let submitter = submitter(line)
        func order() async throws -> JobSubmission {
            try await submitter.order(
                line.file,
                outputs: line.outputs,
                options: line.options,
                row: row(of: line),
                only: ordered.output
            )
        }
        guard let problem = answer?.problem else {
            return try await submitter.send(ordered.submission, of: line.file, again: order)
        }
        return try await submitter.send(after: problem, of: line.file, again: order)
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

extension JobSubmission {
    /// The bytes of its edit and of those that it nests.
    fileprivate var weight: Int { editText.utf8.count + (nested?.values.reduce(0) { $0 + $1.weight } ?? 0) }
}

extension NestedSubmission {
    fileprivate var weight: Int { editText.utf8.count + (nested?.values.reduce(0) { $0 + $1.weight } ?? 0) }
}
