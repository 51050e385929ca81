import CompositionModel
import Farm
import Foundation
import Timing
import WireProtocol

/// The spans of a job that ended, from what the database keeps of it.
///
///     job       ├──────────────────────────────────────────────┤
///     submit    ├──┤  (plan inside it)
///     picture      ├────────────────────┤      one for each attempt, such as picture, sound, measure, stitch
///     queued       ├────┤
///     rendered          ├──────────┤           of a stitch: joined
///     uploaded                     ├────┤                   published
struct JobSpans {
    private let trace: JobTrace
    private let job: JobView
    private let root: String
    /// The end of the last attempt that was accepted of the stages seen so far, from when on the next ones are queued.
    private var opened: Date

    init(_ job: JobView, _ trace: JobTrace) {
        (self.job, self.trace) = (job, trace)
        root = Span.identifier("job", of: job.id)
        opened = job.created
    }

    /// The spans of the job and its submission.
    var own: [Span] {
        // Both were measured before the job was stored.
        let began = job.created.addingTimeInterval(-Double(trace.submitMilliseconds) / 1000)
        let planned = began.addingTimeInterval(Double(trace.planMilliseconds) / 1000)
        let submit = Span.identifier("submit", of: job.id)
        var whole = Span(
            name: "job",
            span: root,
            parent: trace.parent.span,
            start: began,
            end: max(job.finished ?? job.created, job.created),
            attributes: [
                "cutfarm.job": "\(job.id)", "cutfarm.title": job.title, "cutfarm.owner": job.owner,
                "cutfarm.state": job.state.rawValue, "cutfarm.preset": job.preset,
            ]
        )
        if job.state != .completed { whole.error = job.failure?.message ?? "The job was \(job.state.rawValue)." }
        return [
            whole, Span(name: "submit", span: submit, parent: root, start: began, end: job.created),
            Span(
                name: "plan",
                span: Span.identifier("plan", of: job.id),
                parent: submit,
                start: began,
                end: min(planned, job.created)
            ),
        ]
    }

    /// The spans of the attempts at a task. Tasks come by position: those that wait for others come behind them.
    mutating func spans(of task: TaskView) -> [Span] {
        var queued = task.kind == .stitch ? opened : job.created
        var spans: [Span] = []
        for attempt in task.attempts {
            guard let ended = attempt.ended else { continue }
            spans += self.spans(of: attempt, at: task, queued: min(queued, attempt.started), ended: ended)
            queued = ended
            if attempt.state == .completed { opened = max(opened, ended) }
        }
        return spans
    }

    private func spans(of attempt: AttemptView, at task: TaskView, queued: Date, ended: Date) -> [Span] {
        let own = Span.identifier("attempt", of: attempt.id)
        var whole = Span(
            name: task.kind.rawValue,
            span: own,
            parent: root,
            start: queued,
            end: ended,
            attributes: [
                "cutfarm.task": "\(task.id)", "cutfarm.attempt": "\(attempt.id)", "cutfarm.worker": attempt.workerName,
                "cutfarm.position": "\(task.position)", "cutfarm.state": attempt.state.rawValue,
            ]
        )
        if let frames = task.frames { whole.attributes["cutfarm.frames"] = "\(frames.start)+\(frames.count)" }
        if attempt.state != .completed { whole.error = attempt.failure?.message ?? "It was \(attempt.state.rawValue)." }
        func part(_ name: String, _ start: Date, _ end: Date) -> Span {
            let span = Span.identifier(name, of: attempt.id)
            return Span(name: name, span: span, parent: own, start: start, end: end)
        }
        var spans = [whole, part("queued", queued, attempt.started)]
        guard attempt.state == .completed, let statistics = task.statistics else { return spans }
        let isStitch = task.kind == .stitch
        let made = min(attempt.started.addingTimeInterval(Double(statistics.wallMilliseconds) / 1000), ended)
        spans.append(part(isStitch ? "joined" : "rendered", attempt.started, made))
        spans.append(part(isStitch ? "published" : "uploaded", made, ended))
        return spans
    }
}
