import Farm
import Foundation
import Hummingbird
import WireProtocol

/// What the farm did in a period.
struct ReportRoutes: RouteGroup {
    let store: any FarmStore
    let outlook: JobOutlook

    func add(to table: RouteTable) {
        table.on(.get, "/v1/report", .view, query: ["since", "until", "owner"]) { request, _ in
            let now = try await store.now()
            return try await .json(report(of: FarmPeriod(request, now: now)))
        }
    }

    private func report(of period: FarmPeriod) async throws -> FarmReport {
        let tally = try await store.tally(of: period)
        var report = FarmReport(
            since: period.since.date,
            until: period.until.date,
            owner: period.owner,
            totals: tally.totals,
            machines: tally.machines
        )
        report.failed = try await jobs(.failed, period)
        report.completed = try await jobs(.completed, period)
        report.undelivered = try await jobs(.undelivered, period)
        report.unfinished = try await jobs(.unfinished, period)
        let late = try await jobs(.late, period)
        let known = Set(late.map(\.job.id))
        let willBeLate = report.unfinished.filter { $0.job.deadlineWarning != nil && !known.contains($0.job.id) }
        report.late = Array((late + willBeLate).prefix(FarmReport.mostJobs))
        for work in tally.slowest {
            guard let job = try await store.job(work.job) else { continue }
            report.slowest.append(ReportedJob(job: job, workMilliseconds: work.milliseconds))
        }
        return report
    }

    private func jobs(_ list: FarmPeriodList, _ period: FarmPeriod) async throws -> [ReportedJob] {
        let jobs = try await store.jobs(of: list, in: period, limit: FarmReport.mostJobs)
        return try await outlook.describing(jobs).map { ReportedJob(job: $0, advice: FailureAdvice.sentence($0)) }
    }
}

extension FarmPeriod {
    /// Reads `?since=&until=&owner=`.
    /// - Parameter now: the end of a period that names none.
    /// - Throws: status 400 for instants that are not RFC 3339, no beginning, and an end that is not after it.
    fileprivate init(_ request: Request, now: FarmTime) throws(Problem) {
        let filter = try JobFilter(request)
        guard let since = try request.instant("since") else {
            throw .parameter("since", "", "the beginning of the period, as 2026-12-01T18:00:00Z")
        }
        let until = try request.instant("until") ?? now
        guard since < until else {
            throw .parameter("until", until.date.formatted(.iso8601), "later than “since”")
        }
        self.init(since: since, until: until, owner: filter.owner)
    }
}

extension Request {
    /// An instant of the address's query; nil where there is none of this name.
    /// - Throws: status 400 for anything else.
    fileprivate func instant(_ name: String) throws(Problem) -> FarmTime? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        // A plus that was not escaped is a space in a query.
        guard let date = WrittenInstant(String(text).replacing(" ", with: "+"))?.date else {
            throw .parameter(name, text, "an instant as 2026-12-01T18:00:00Z")
        }
        return FarmTime(date)
    }
}
