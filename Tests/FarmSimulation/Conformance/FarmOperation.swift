import CompositionModel
import Farm
import WireProtocol

/// One operation on a store, as data: carried out on two stores, its answers are compared.
enum FarmOperation: Sendable, Hashable {
    case setClock(FarmTime)
    case now
    case insertJob(NewJob)
    case insertJobs([NewJob])
    case job(JobID)
    case jobs(JobFilter)
    case tasks(JobID)
    case page(JobID, from: Int, limit: Int)
    case chosen(JobID, [Int])
    case summary(owner: String?, search: String?)
    case standings([JobID])
    case layout(JobID)
    case spans(JobID)
    case accepted(JobID, AcceptedPart.Choice)
    case slice(JobDocument, JobID, Range<Int>)
    case cancel(JobID)
    case deadlines(limit: Int)
    case tellLate(JobID)
    case claimDeliveries([String], limit: Int)
    case renewDelivery(DueDelivery)
    case periodTally(FarmPeriod)
    case periodJobs(FarmPeriodList, FarmPeriod, limit: Int)
    case noteDelivery(DeliveryOutcome, DueDelivery)
    case events(after: Int64, job: JobID?, limit: Int)
    case registerWorker(WorkerRegistration)
    case workers
    case drain(WorkerID)
    case undrain(WorkerID)
    case blockedWorkers
    case block(String, String)
    case unblock(String)
    case withdrawFaulty
    case appendLog([LogLine], AttemptID, WorkerID)
    case log(AttemptID)
    case trimLogs(Int64)
    case tally
    case acquire([LeasePoll])
    case renew([WorkerBeat])
    case complete([AttemptCompletion])
    case fail(AttemptID, TaskFailure)
    case readings(AttemptID)
    case reject([ContentDigest], Failure)
    case task(AttemptID)
    case release(WorkerID, LeaseRelease)
    case sweep
    case putAsset(StoredAsset)
    case asset(ContentDigest)
    case prune(limit: Int)
    case control(JobID, JobControl)
    case offers(limit: Int)
    case take([PartOffer])
    case part(PartName)
    case parts(limit: Int)
    case partTotals
    case putPart(PartRecord)
    case removeParts(PartSelection)
    case forgetParts([ContentDigest])
    case artifacts(madeBy: String)
    case unreferenced([ContentDigest])

    func perform(on store: any ClockedFarmStore) async -> FarmAnswer {
        do throws(FarmStoreError) {
            return try await answer(of: store)
        } catch {
            return .error(error)
        }
    }

    private func answer(of store: any ClockedFarmStore) async throws(FarmStoreError) -> FarmAnswer {
        switch self {
        case .setClock(let now):
            try await store.setClock(now)
            return .nothing
        case .now: return .time(try await store.now())
        case .insertJob(let job): return .inserted(try await store.insertJob(job))
        case .insertJobs(let jobs): return .insertions(try await store.insertJobs(jobs))
        case .job(let id): return .job(try await store.job(id))
        case .jobs(let filter): return .jobs(try await store.jobs(filter))
        case .page(let job, let first, let limit):
            return .tasks(try await store.tasks(of: job, from: first, limit: limit))
        case .tasks(let job): return .tasks(try await store.tasks(of: job))
        case .slice(let document, let job, let range):
            return .slice(try await store.slice(of: document, of: job, range))
        case .cancel(let job): return .cancel(try await store.cancel(job))
        case .deadlines(let limit): return .jobs(try await store.jobsWithDeadlines(limit: limit))
        case .tellLate(let job): return .told(try await store.tellLate(job))
        case .periodTally(let period): return .periodTally(try await store.tally(of: period))
        case .periodJobs(let list, let period, let limit):
            return .jobs(try await store.jobs(of: list, in: period, limit: limit))
        case .claimDeliveries(let roots, let limit):
            return .deliveries(try await store.claimDeliveries(in: roots, limit: limit))
        case .renewDelivery(let claim):
            return .deliveries([try await store.renew(claim)].compactMap(\.self))
        case .noteDelivery(let outcome, let claim): return .told(try await store.note(outcome, of: claim))
        case .events(let sequence, let job, let limit):
            return .events(try await store.events(after: sequence, job: job, limit: limit))
        default: return try await workerAnswer(of: store)
        }
    }

    private func workerAnswer(of store: any ClockedFarmStore) async throws(FarmStoreError) -> FarmAnswer {
        switch self {
        case .registerWorker(let registration): return .registered(try await store.registerWorker(registration))
        case .workers: return .workers(try await store.workers())
        case .drain(let worker): try await store.drain(worker)
        case .blockedWorkers: return .blocked(try await store.blockedWorkers())
        case .block(let name, let reason): try await store.block(name, because: reason)
        case .unblock(let name): return .told(try await store.unblock(name))
        case .withdrawFaulty: return .withdrawn(try await store.withdrawFaulty())
        case .undrain(let worker): return .undrained(try await store.undrain(worker))
        case .appendLog(let lines, let attempt, let worker):
            return .logged(try await store.appendLog(lines, to: attempt, by: worker))
        case .log(let attempt): return .log(try await store.log(of: attempt))
        case .trimLogs(let bytes): return .count(try await store.trimLogs(to: bytes))
        case .tally: return .tally(try await store.tally())
        case .acquire(let polls): return .polls(try await store.acquireLeases(polls))
        case .renew(let beats): return .heartbeats(try await store.renewAll(beats))
        case .complete(let completions): return .completions(try await store.completeAll(completions))
        case .fail(let attempt, let failure): return .failure(try await store.fail(attempt, failure))
        case .readings(let attempt): return .readings(try await store.readings(of: attempt))
        case .reject(let artifacts, let failure):
            return .rejected(try await store.reject(artifacts, because: failure))
        case .task(let attempt): return .task(try await store.task(of: attempt))
        case .release(let worker, let release): try await store.release(worker, release)
        case .sweep: return .sweep(try await store.sweep())
        case .putAsset(let asset): try await store.putAsset(asset)
        case .asset(let digest): return .asset(try await store.asset(digest))
        default: return try await partAnswer(of: store)
        }
        return .nothing
    }

    private func partAnswer(of store: any ClockedFarmStore) async throws(FarmStoreError) -> FarmAnswer {
        switch self {
        case .control(let job, let control): return .control(try await store.control(job, control))
        case .prune(let limit): return .pruned(try await store.prune(limit: limit))
        case .chosen(let job, let positions): return .tasks(try await store.tasks(of: job, at: positions))
        case .summary(let owner, let search):
            return .summary(try await store.summary(owner: owner, search: search))
        case .standings(let jobs): return .standings(try await store.standings(of: jobs))
        case .spans(let job): return .spans(try await store.renderedSpans(of: job))
        case .layout(let job): return .layout(try await store.outputLayout(of: job))
        case .accepted(let job, let choice): return .accepted(try await store.acceptedParts(of: job, choice))
        case .offers(let limit): return .offers(try await store.offers(limit: limit))
        case .take(let offers): return .taken(try await store.take(offers))
        case .part(let name): return .parts([try await store.part(name)].compactMap { $0 })
        case .parts(let limit): return .parts(try await store.parts(limit: limit))
        case .partTotals: return .totals(try await store.partTotals())
        case .putPart(let part): try await store.putPart(part)
        case .removeParts(let selection): return .parts(try await store.removeParts(selection))
        case .forgetParts(let artifacts): try await store.forgetParts(artifacts)
        case .artifacts(let worker): return .digests(try await store.artifacts(madeBy: worker))
        case .unreferenced(let digests): return .digests(try await store.unreferenced(digests))
        default: break
        }
        return .nothing
    }
}

/// What a store answered.
enum FarmAnswer: Sendable, Hashable {
    case nothing
    case time(FarmTime)
    case inserted(JobInsertion)
    case deliveries([DueDelivery])
    case periodTally(FarmPeriodTally)
    case insertions([Result<JobInsertion, FarmStoreError>])
    case job(JobView?)
    case jobs([JobView])
    case tasks([TaskView])
    case summary(JobSummary)
    case standings([JobID: JobStanding])
    case layout(OutputLayout?)
    case spans([RenderedSpan])
    case accepted([AcceptedPart])
    case slice(DocumentSlice?)
    case cancel(CancelOutcome)
    case events([JobEvent])
    case registered(WorkerRegistered)
    case workers([WorkerView])
    case polls([PollOutcome])
    case heartbeats([BeatOutcome])
    case completions([CompletionOutcome])
    case failure(FailureOutcome)
    case readings([[ContentDigest]]?)
    case rejected([TaskID])
    case task(TaskRecord?)
    case sweep(SweepOutcome)
    case asset(StoredAsset?)
    case pruned(Int)
    case control(ControlOutcome)
    case offers([PartOffer])
    case taken([TaskID])
    case parts([PartRecord])
    case totals(PartTotals)
    case digests([ContentDigest])
    case log(StoredLog?)
    case tally(FarmTally)
    case count(Int)
    case logged(Bool)
    case undrained(Bool)
    case blocked([BlockedWorker])
    case withdrawn([FaultyWithdrawal])
    case told(Bool)
    case error(FarmStoreError)
}
