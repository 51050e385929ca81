import CompositionModel
import Hummingbird
import ServiceLifecycle
import WireProtocol

/// Workers that read back and probe what clients sent to the farm's bucket.
struct ProbeRoutes: RouteGroup {
    /// Takes in what they found; nil for a farm whose artifacts are in a folder.
    let intake: BucketIntake?
    let dispatcher: ProbeDispatcher?
    let admission: WorkerAdmission

    /// The longest wait of a poll, in milliseconds.
    private static let longestWait = 30_000

    func add(to table: RouteTable) {
        table.on(.post, "/v1/probes:poll", .worker) { request, context in
            try request.requireJSON()
            try request.checkLength(Int64(BodyLimit.small))
            try await request.invite(context)
            return try await request.answeringUnlessTheClientLeaves { body in
                let poll = try await Request.decode(ProbePoll.self, body, .init(byteCount: BodyLimit.small), context)
                return try .json(try await grants(poll))
            }
        }
        table.on(.post, "/v1/probes/{id}/renew", .worker) { _, context in
            let id: ProbeID = try context.identifier()
            guard let intake, let dispatcher else { throw Problem.leaseLost }
            await dispatcher.noteRenewal(of: id)
            return try .json(try await intake.renew(id))
        }
        table.on(.post, "/v1/probes/{id}/complete", .worker) { request, context in
            let id: ProbeID = try context.identifier()
            let record = try await request.json(AssetRecord.self, .record, context)
            guard let intake else { throw Problem.leaseLost }
            try await intake.take(record, from: id)
            await dispatcher?.noteEnd(of: id)
            return .noContent
        }
        table.on(.post, "/v1/probes/{id}/fail", .worker) { request, context in
            let id: ProbeID = try context.identifier()
            let failure = try await request.json(ProbeFailure.self, upTo: BodyLimit.small, context)
            guard let intake else { throw Problem.leaseLost }
            try await intake.fail(id, failure)
            await dispatcher?.noteEnd(of: id)
            return .noContent
        }
    }

    private func grants(_ poll: ProbePoll) async throws -> ProbeGrants {
        guard let intake, let dispatcher else { throw Problem.sentHere }
        try await admission.check(poll.registration)
        guard poll.factsVersion == AssetFacts.currentVersion else {
            throw Problem.conflict(
                "version_mismatch",
                "This worker finds facts of version \(poll.factsVersion) and the farm needs \(AssetFacts.currentVersion)."
            )
        }
        guard poll.byteLimit >= 0, poll.waitMilliseconds >= 0 else {
            throw Problem.unprocessable("invalid_request", "A poll's byteLimit and waitMilliseconds are 0 or more.")
        }
        let wait = Duration.milliseconds(min(poll.waitMilliseconds, Self.longestWait))
        return await cancelWhenGracefulShutdown {
            while let claim = await dispatcher.poll(poll.registration.name, byteLimit: poll.byteLimit, for: wait) {
                if (try? await intake.isKnown(claim)) != true { return ProbeGrants(grant: intake.grant(claim)) }
            }
            return ProbeGrants(grant: nil)
        }
    }
}
