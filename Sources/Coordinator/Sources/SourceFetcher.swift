import CompositionModel
import Curl
import Farm
import Foundation
import Logging
import Storage
import WireProtocol

/// Fetches one source that was claimed, and makes an asset of it.
struct SourceFetcher: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactStore
    let intake: AssetIntake
    let settings: SourceSettings
    let space: SpaceWatch
    let client: CurlClient
    let clock: any Clock<Duration>
    let logger: Logger

    /// The time between two reports while bytes come.
    private static let reporting: Duration = .seconds(5)

    /// Fetches a source, and reports until it has ended or the claim is lost.
    func fetch(_ source: SourceRecord, claim: UUID) async {
        let draft = SourceDraft(source, artifacts: artifacts, limit: settings.largest, space: space)
        let before = source.receivedByteCount
        let report: SourceReport? = await withTaskGroup(of: SourceReport?.self) { group in
            group.addTask { await outcome(source, draft, before) }
            group.addTask {
                await renewing(source, claim, draft)
                return nil
            }
            // The first ends when the transfer does, and the second when the claim is lost.
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        let final = Task.isCancelled ? SourceReport.released : report ?? .released
        // A coordinator that goes on waits for a database that is away: what it does not hear of is fetched once more.
        await shieldedFromCancellation(waitingAtMost: .seconds(Task.isCancelled ? 2 : 60), on: clock) {
            for last in [progress(of: source, draft), final] {
                try await RetrySchedule.patient.run(on: clock, retrying: \.isUnavailable) {
                    () async throws(FarmStoreError) in
                    _ = try await store.reportSource(source.id, by: claim, last)
                }
            }
            guard case .ready = final else { return }
            try await blocking {
                draft.close()
                artifacts.removePartialSource(source.id)
            }
        }
    }

    /// Renews the claim until it is lost, or the task is cancelled.
    private func renewing(_ source: SourceRecord, _ claim: UUID, _ draft: SourceDraft) async {
        while (try? await clock.sleep(for: Self.reporting)) != nil {
            let isHeld = try? await store.reportSource(source.id, by: claim, progress(of: source, draft))
            if isHeld == false { return }
        }
    }

    /// How far it is: as before until the server has answered.
    private func progress(of source: SourceRecord, _ draft: SourceDraft) -> SourceReport {
        let (byteCount, facts) = draft.progress
        return .progress(byteCount: facts == nil ? source.receivedByteCount : byteCount, facts)
    }

    private func outcome(_ source: SourceRecord, _ draft: SourceDraft, _ before: Int64) async -> SourceReport {
        let address = SourceAddress.shown(source.order.address)
        do {
            let report = try await take(source, draft)
            logger.info("source fetched", metadata: ["source": "\(source.id)"])
            return report
        } catch {
            // A shutdown, or the loss of the claim, has broken it off; that says nothing about the source.
            if Task.isCancelled { return .released }
            let fault = SourceFault(error, of: address)
            logger.warning(
                "source not fetched",
                metadata: ["source": "\(source.id)", "error": "\(fault.failure.message)"]
            )
            guard fault.failure.isPermanent else {
                return .interrupted(fault.failure, isFruitless: draft.progress.byteCount <= before)
            }
            try? await blocking {
                draft.close()
                artifacts.removePartialSource(source.id)
            }
            return .failed(fault.failure)
        }
    }

    private func take(_ source: SourceRecord, _ draft: SourceDraft) async throws -> SourceReport {
        if let digest = source.order.digest, let asset = try await intake.known(digest) {
            return .ready(
                digest,
                SourceFacts(byteCount: asset.record.byteCount, entityTag: source.assetFacts?.entityTag)
            )
        }
        let address = try SourceAddress(source.order.address)
        // The list may be another than when it was asked for.
        try settings.check(address)
        let known = try await knownFacts(of: source)
        let partial = source.facts
        let isSame =
            switch address.scheme {
            case .s3:
                try await BucketTransfer(service: settings.buckets).fetch(
                    address,
                    into: draft,
                    known: known,
                    partial: partial
                )
            case .http, .https:
                try await WebTransfer(client: client, allowed: settings.allowed)
                    .fetch(address, into: draft, known: known, partial: partial)
            }
        if isSame, let asset = source.asset, let known { return .ready(asset, known) }
        let (hashed, publication, facts) = try await readingWhole { try draft.commit() }
        guard try await intake.known(hashed.digest) == nil else { return .ready(hashed.digest, facts) }
        let record = try await intake.take(hashed, published: publication)
        return .ready(record.digest, facts)
    }

    /// What the file was like when it became the asset that is still here.
    private func knownFacts(of source: SourceRecord) async throws -> SourceFacts? {
        guard let asset = source.asset, let facts = source.assetFacts, facts.entityTag != nil,
            try await intake.known(asset) != nil
        else { return nil }
        return facts
    }
}

extension SourceSettings {
    /// - Throws: ``Problem`` 422 `source_not_allowed` for an address from which nothing is fetched.
    func check(_ address: SourceAddress) throws(Problem) {
        guard allowed.allows(address) else {
            let what = "\(address.scheme.rawValue)://\(address.host)\(address.path)"
            throw .unprocessable(
                "source_not_allowed",
                "This coordinator fetches nothing from \(what); its --source-allow lists what it does."
            )
        }
        guard address.scheme == .s3 else { return }
        do throws(SourceFault) {
            _ = try buckets.bucket(address.host)
        } catch {
            throw .unprocessable(error.failure.code, error.failure.message)
        }
    }
}
