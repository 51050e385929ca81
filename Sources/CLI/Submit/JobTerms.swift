import ArgumentParser
import Client
import Farm
import Foundation
import WireProtocol

/// When a job may be worked on, and who is told of it, as the options of a command or the keys of a manifest's line say it. What a line does not
/// say is the command's.
struct JobTerms: Sendable, Hashable, Decodable {
    /// The wall time at which the job's window opens.
    var after: String?
    /// The wall time at which it closes.
    var until: String?
    /// The days on which it opens.
    var days: String?
    /// The IANA name of the time zone of these times; nil is the zone of this machine.
    var timeZone: String?
    /// The jobs that must be completed first, by their identifiers or beginnings of them.
    var afterJobs: [String]?
    /// The time until which the job should be completed: RFC 3339, or a wall time of ``timeZone``.
    var deadline: String?
    /// The address of the webhook that is told of the job's events.
    var webhook: String?
    /// The share of the parts that a second machine renders again, such as `2%`.
    var audit: String?
    /// What a worker must have, such as `tag=room-2`.
    var require: [String]?

    /// These terms, and those of `other` where these say nothing.
    func filled(from other: JobTerms) -> JobTerms {
        JobTerms(
            after: after ?? other.after,
            until: until ?? other.until,
            days: days ?? other.days,
            timeZone: timeZone ?? other.timeZone,
            afterJobs: afterJobs ?? other.afterJobs,
            deadline: deadline ?? other.deadline,
            webhook: webhook ?? other.webhook,
            audit: audit ?? other.audit,
            require: require ?? other.require
        )
    }

    /// The window; nil when none of its times is given.
    /// - Throws: ``CommandFailure`` with a sentence that says what is wrong.
    func window() throws(CommandFailure) -> JobWindow? {
        guard after != nil || until != nil else {
            guard days == nil else {
                throw .terms("Days belong to a window: say also from when (after) until when (until).")
            }
            return nil
        }
        guard let after, let until else {
            throw .terms("A window has two ends: say both after (such as 22:00) and until (such as 06:00).")
        }
        let window = JobWindow(
            after: try Self.wall(after),
            until: try Self.wall(until),
            days: try days.map { (text) throws(CommandFailure) in
                guard let days = WeekdaySet(text) else {
                    throw .terms("“\(text)” names no days of the week; write them as mon-fri or sat,sun.")
                }
                return days
            },
            timeZone: timeZone ?? TimeZone.current.identifier
        )
        if let problem = window.problem { throw .terms(problem) }
        return window
    }

    /// The instant of the deadline; nil when there is none. Wall times that clocks skip or show twice are read as
    /// ``ZoneClock/instant(of:)`` says.
    /// - Throws: ``CommandFailure`` with a sentence that says what is wrong.
    func deadlineInstant() throws(CommandFailure) -> Date? {
        guard let deadline else { return nil }
        guard let written = WrittenInstant(deadline) else {
            throw .terms(
                "“\(deadline)” is no deadline; write it as 2026-12-01T06:00, or 2026-12-01T06:00:00+01:00 with an offset."
            )
        }
        if let date = written.date { return date }
        let name = timeZone ?? TimeZone.current.identifier
        guard let zone = TimeZone(identifier: name) else { throw .terms(JobWindow.unknownZone(name)) }
        return Date(timeIntervalSince1970: Double(ZoneClock(zone).instant(of: written.wallSeconds)))
    }

    /// The share of parts to audit; nil for none, also where 0% is said.
    /// - Throws: ``CommandFailure`` with a sentence that says what is wrong.
    func auditShare() throws(CommandFailure) -> AuditShare? {
        guard let audit, !["0", "0%"].contains(audit) else { return nil }
        guard let share = AuditShare(audit) else { throw .terms(AuditShare.problem(audit) + ", or 0% for none.") }
        return share
    }

    /// What a worker must have; nil for nothing.
    /// - Throws: ``CommandFailure`` with a sentence that says what is wrong.
    func requirements() throws(CommandFailure) -> [WorkerRequirement]? {
        guard let require, !require.isEmpty else { return nil }
        var all: [WorkerRequirement] = []
        for text in require {
            guard let one = WorkerRequirement(text) else { throw .terms(WorkerRequirement.problem(text) + ".") }
            all.append(one)
        }
        guard all.count <= WorkerRequirement.most else {
            throw .terms("A job has \(WorkerRequirement.most) requirements of workers at the most.")
        }
        return all
    }

    /// What the terms come to on a farm.
    /// - Throws: ``CommandFailure`` with a sentence that says what is wrong; `ClientError`; `CancellationError`.
    func conditions(on farm: CoordinatorConnection) async throws -> JobConditions {
        var earlier: [JobID] = []
        for text in afterJobs ?? [] {
            guard let job = try? JobArgument(argument: text) else {
                throw CommandFailure.terms(
                    "“\(text)” is no job to begin after; an id is job_ and a UUID, or the beginning of one."
                )
            }
            let id = try await job.job(of: farm)
            if !earlier.contains(id) { earlier.append(id) }
        }
        return JobConditions(
            window: try window(),
            afterJobs: earlier.isEmpty ? nil : earlier,
            deadline: try deadlineInstant(),
            webhook: webhook,
            audit: try auditShare(),
            requirements: try requirements()
        )
    }

    private static func wall(_ text: String) throws(CommandFailure) -> WallTime {
        guard let time = WallTime(text) else {
            throw .terms("“\(text)” is no time of day; write it as 22:00, from 00:00 to 23:59.")
        }
        return time
    }
}

/// When the farm may work on a job.
struct JobConditions: Sendable {
    /// The hours in which its work may begin; nil is always.
    var window: JobWindow?
    /// The jobs that must be completed before it; nil when there are none.
    var afterJobs: [JobID]?
    /// The time until which it should be completed; nil when there is none.
    var deadline: Date?
    /// The webhook that is told of its events; nil for none.
    var webhook: String?
    /// The share of its parts that is audited; nil for none.
    var audit: AuditShare?
    /// What a worker must have; nil for nothing.
    var requirements: [WorkerRequirement]?

    /// The submission under these conditions.
    /// - Parameter delivery: where the coordinator puts its movie by itself.
    func applied(to submission: JobSubmission, _ delivery: DeliveryOrder?) -> JobSubmission {
        var submission = submission
        (submission.window, submission.afterJobs, submission.deadline) = (window, afterJobs, deadline)
        submission.webhook = webhook
        submission.delivery = delivery
        (submission.audit, submission.requirements) = (audit, requirements)
        return submission
    }
}

extension CommandFailure {
    fileprivate static func terms(_ sentence: String) -> CommandFailure { CommandFailure(.usage, sentence) }
}

/// The options that say when jobs may be worked on.
struct JobTermsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Begin work only from this time of day on …", valueName: "22:00"))
    var after: String?

    @Option(help: ArgumentHelp("… until this one; what runs then is finished.", valueName: "06:00"))
    var until: String?

    @Option(help: ArgumentHelp("The days on which that window opens, such as mon-fri.", valueName: "days"))
    var days: String?

    @Option(
        name: .customLong("time-zone"),
        help: ArgumentHelp("The zone of these times, such as Europe/Berlin; else this machine's.", valueName: "name")
    )
    var timeZone: String?

    @Option(help: ArgumentHelp("Begin once this job is completed; may be given several times.", valueName: "job"))
    var afterJob: [String] = []

    @Option(
        help: ArgumentHelp(
            "Warn when the job will not be completed by then, such as 2026-12-01T06:00.",
            valueName: "time"
        )
    )
    var deadline: String?

    @Option(
        help: ArgumentHelp(
            "Tell this webhook of yours when the job ended or is late (cutfarm webhooks).",
            valueName: "url"
        )
    )
    var webhook: String?

    @Option(
        help: ArgumentHelp(
            "Have this share of the parts rendered by two machines, and publish nothing on which they differ.",
            valueName: "2%"
        )
    )
    var audit: String?

    @Option(
        help: ArgumentHelp(
            "Only workers that have this get tasks: tag=NAME, memory=8GB or encoder=libx265; may be given several times.",
            valueName: "what"
        )
    )
    var require: [String] = []

    /// What the options say.
    var terms: JobTerms {
        JobTerms(
            after: after,
            until: until,
            days: days,
            timeZone: timeZone,
            afterJobs: afterJob.isEmpty ? nil : afterJob,
            deadline: deadline,
            webhook: webhook,
            audit: audit,
            require: require.isEmpty ? nil : require
        )
    }

    func validate() throws {
        do {
            _ = try terms.window()
            _ = try terms.deadlineInstant()
            _ = try terms.auditShare()
            _ = try terms.requirements()
        } catch {
            throw ValidationError(error.lines.joined(separator: " "))
        }
    }
}
