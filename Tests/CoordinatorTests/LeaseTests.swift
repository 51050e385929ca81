import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Logging
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// A worker's side of the API.
@Suite struct LeaseTests {
    @Test func onlyTheSameRendererMayJoin() async throws {
        try await withCoordinator { farm in
            let good = try await farm.post("/v1/workers", FarmPieces.registration)
            #expect(good.status == 201)
            #expect(try good.decode(WorkerRegistered.self).leaseMilliseconds == 6000)
            var other = FarmPieces.registration
            other.libraries["libavcodec"] = "60.0.0"
            let refused = try await farm.post("/v1/workers", other)
            #expect(
                refused.status == 409 && refused.code == "version_mismatch"
                    && refused.text.contains("libavcodec 60.0.0")
            )
            other = FarmPieces.registration
            other.rendererVersion += 1
            #expect(try await farm.post("/v1/workers", other).code == "version_mismatch")
            other = FarmPieces.registration
            other.kinds.append(.stitch)
            #expect(try await farm.post("/v1/workers", other).code == "kind_not_allowed")
        }
    }

    @Test func aLongPollWaitsForItsTime() async throws {
        let clock = TestClock()
        try await withCoordinator { configuration, _ in
            configuration.clock = clock
        } _: { farm in
            let worker = try await farm.registerWorker()
            async let grants = farm.grants(FarmPieces.poll(worker, wait: 400))
            try await clock.waitForSleep(of: .milliseconds(400))
            clock.advance(by: .milliseconds(399))
            #expect(clock.sleeps.contains(.milliseconds(1)), "it waits still")
            clock.advance(by: .milliseconds(1))
            #expect(try await grants.isEmpty)
        }
    }

    /// The clock stands still, so that nobody looks again: what answers the poll is the change.
    @Test func aLongPollWakesAtNewWorkAndAtANewStage() async throws {
        let clock = TestClock()
        try await withCoordinator { configuration, _ in
            configuration.clock = clock
        } _: { farm in
            let worker = try await farm.registerWorker()
            async let granted = farm.grants(FarmPieces.poll(worker, wait: 19_000))
            try await clock.waitForSleep(of: .seconds(19))
            let job = try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id
            let grants = try await granted
            #expect(grants.count == 1 && grants[0].payload.kind == .picture && grants[0].leaseMilliseconds == 6000)
            let data = FarmPieces.part("part")
            _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
            _ = try await farm.post("/v1/attempts/\(grants[0].attempt)/complete", FarmPieces.completion(worker, data))
            try await waitUntil { try farm.store.job(job)?.state == .completed }
        }
    }

    /// What was measured before is for who holds the attempt.
    @Test func readingsAreForALiveAttempt() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            var job = try FarmPieces.job(parts: 1)
            job.tasks += SampleJob.job(key: "s", segments: 1, rounds: 1).tasks.filter { $0.kind == .measure }
            for index in job.tasks.indices { job.tasks[index].position = index }
            job.tasks[0].stage = 1
            job.tasks[1].stage = 2
            _ = try farm.store.insertJob(job)
            func poll() async throws -> [LeaseGrant] {
                var poll = FarmPieces.poll(worker, wait: 0, capacity: 8)
                poll.kinds = [.picture, .measure]
                return try await farm.grants(poll)
            }
            let measuring = try await poll()
            #expect(measuring.map(\.payload.kind) == [.measure, .measure, .measure])
            var digests: [ContentDigest] = []
            for (number, grant) in measuring.enumerated() {
                let data = Data("reading \(number)".utf8)
                digests.append(ContentDigest(of: data))
                _ = try await farm.upload(data, to: "/v1/artifacts/\(digests[number].hex)")
                _ = try await farm.post("/v1/attempts/\(grant.attempt)/complete", FarmPieces.completion(worker, data))
            }
            let picture = try #require(try await poll().first)
            let path = "/v1/attempts/\(picture.attempt)/readings"
            let answer = try await farm.call("GET", path, as: "worker")
            #expect(try answer.decode(AttemptReadings.self).rounds == [digests])
            let done = "/v1/attempts/\(measuring[0].attempt)/readings"
            let refused = try await farm.call("GET", done, as: "worker")
            #expect(refused.status == 409 && refused.code == "lease_lost")
            #expect(try await farm.call("GET", path, as: "viewer").status == 403)
        }
    }

    @Test func unknownWorkersAreToldSo() async throws {
        try await withCoordinator { farm in
            let stranger = WorkerID(uuid: UUID())
            let poll = try await farm.post("/v1/leases:poll", FarmPieces.poll(stranger, wait: 5000))
            #expect(poll.status == 404 && poll.code == "unknown_worker")
            let beat = try await farm.post("/v1/workers/\(stranger)/heartbeat", Heartbeat(attempts: []))
            #expect(beat.status == 404 && beat.code == "unknown_worker")
            var stitch = FarmPieces.poll(try await farm.registerWorker(), wait: 0)
            stitch.kinds = [.stitch]
            #expect(try await farm.post("/v1/leases:poll", stitch).code == "kind_not_allowed")
            let worker = try await farm.registerWorker()
            for capacity in [0, 1025, .max] {
                let greedy = FarmPieces.poll(worker, wait: 0, capacity: capacity)
                #expect(try await farm.post("/v1/leases:poll", greedy).code == "invalid_request")
            }
        }
    }

    /// The client of a waiting poll is killed; then work arrives. It must not be granted to nobody.
    @Test func aPollerThatHasGoneIsNeverGranted() async throws {
        let clock = TestClock()
        try await withCoordinator { configuration, _ in
            configuration.clock = clock
        } _: { farm in
            let worker = try await farm.registerWorker()
            let gone = Task { try await farm.grants(FarmPieces.poll(worker, wait: 19_000)) }
            try await clock.waitForSleep(of: .seconds(19))
            gone.cancel()
            _ = await gone.result
            // A poll that is left ends its timer.
            try await waitUntil { !clock.sleeps.contains(.seconds(19)) }
            let job = try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id
            // Polls are asked for in the order in which they came: the one that was left would get the task.
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0)).count == 1)
            #expect(try farm.store.tasks(of: job)[0].attempts.count == 1)
        }
    }

    @Test func theSamePollAgainGetsTheSameGrant() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            _ = try farm.store.insertJob(FarmPieces.job(parts: 3))
            let poll = FarmPieces.poll(worker, wait: 1000)
            let first = try await farm.grants(poll)
            #expect(first.count == 1)
            #expect(try await farm.grants(poll).map(\.attempt) == first.map(\.attempt))
        }
    }

    /// A worker knows sources by their digests.
    @Test func aFailureNamesTheAssetAsTheEditDoes() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let asset = ContentDigest(of: Data("clip".utf8))
            var new = try FarmPieces.job(parts: 1)
            new.composition = Data(
                #"{"assets":[{"digest":"\#(asset)","name":"interview"},{"digest":"\#(asset)","name":"again"}]}"#.utf8
            )
            let job = try farm.store.insertJob(new).job.id
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            let said = Failure(code: "decode_failed", message: "Frame 3 is lost.", isPermanent: true, asset: asset)
            let path = "/v1/attempts/\(grant.attempt)/fail"
            #expect(try await farm.post(path, TaskFailure(worker: worker, failure: said)).status == 204)
            let failure = try #require(try farm.store.job(job)?.failure)
            #expect(failure.message == "Assets “interview”, “again”: Frame 3 is lost.")
            #expect(failure.code == "decode_failed" && failure.asset == asset)
        }
    }

    @Test func aFailureOfAnAssetThatNobodyKnowsStaysAsItIs() {
        let failure = Failure(
            code: "decode_failed",
            message: "Lost.",
            isPermanent: true,
            asset: ContentDigest(of: Data("x".utf8))
        )
        for document in ["{}", "damaged", #"{"assets":[{]"#, #"{"assets":[],"format":{}}"#] {
            var assets = LeadingAssets()
            assets.read(Data(document.utf8))
            #expect(AssetNames(assets).naming(failure) == failure)
        }
    }

    /// The list ends where its bracket closes, also when slices end in the middle of a text.
    @Test(arguments: [1, 2, 7, 1000]) func assetsAreFoundBeforeTheRestIsRead(_ sliceLength: Int) throws {
        let list = #"[{"name":"]\\\"[","digests":[{}]},{"name":"\u0022}"}]"#
        var rest = Data(#"{"assets":\#(list),"audioTracks":[[["#.utf8)
        var assets = LeadingAssets()
        while !assets.isFinished, !rest.isEmpty {
            assets.read(rest.prefix(sliceLength))
            rest = rest.dropFirst(sliceLength)
        }
        #expect(assets.list.map { String(decoding: $0, as: UTF8.self) } == list)
    }

    @Test func aCompletionNeedsItsArtifactAndMayBeSaidTwice() async throws {
        let log = KeptLog()
        try await withCoordinator { configuration, _ in
            configuration.logger = log.logger
        } _: { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job()).job.id
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            let data = FarmPieces.part("segment")
            let completion = FarmPieces.completion(worker, data)
            let path = "/v1/attempts/\(grant.attempt)/complete"
            let early = try await farm.post(path, completion)
            #expect(early.status == 409 && early.code == "artifact_missing")
            _ = try await farm.upload(data, to: "/v1/artifacts/\(completion.artifact.hex)")
            var wrong = completion
            wrong.byteCount += 1
            #expect(try await farm.post(path, wrong).code == "artifact_size")
            #expect(try await farm.post(path, completion).decode(CompletionReply.self).outcome == .accepted)
            // The reply was lost: the same again, and then other bytes for the same task.
            #expect(try await farm.post(path, completion).decode(CompletionReply.self).outcome == .alreadyDone)
            let other = FarmPieces.part("other bytes")
            _ = try await farm.upload(other, to: "/v1/artifacts/\(ContentDigest(of: other).hex)")
            let conflict = try await farm.post(path, FarmPieces.completion(worker, other))
            #expect(conflict.status == 409 && conflict.code == "artifact_conflict")
            let task = try farm.store.tasks(of: job).first { $0.id == grant.task }
            #expect(task?.artifact == completion.artifact)
            // That the promise broke is seen, with both digests; the rest is ordinary.
            let warnings = log.lines.filter { $0.metadata["accepted"] != nil }
            #expect(warnings.map(\.level) == [.warning])
            #expect(warnings.first?.metadata["artifact"] == "\(ContentDigest(of: other))")
            #expect(warnings.first?.metadata["accepted"] == "\(completion.artifact)")
            #expect(log.lines.filter { $0.message == "attempt completed" }.count == 2)
        }
    }

    /// A disk that lost the end of a part: the worker is told that the part is missing, and sends it again.
    @Test func aPartThatWasCutShortIsSentAgain() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            _ = try farm.store.insertJob(FarmPieces.job())
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            let data = FarmPieces.part("segment")
            let completion = FarmPieces.completion(worker, data)
            let address = "/v1/artifacts/\(completion.artifact.hex)"
            _ = try await farm.upload(data, to: address)
            #expect(truncate(farm.folder.path("artifacts/\(completion.artifact.storePath)"), 3) == 0)
            let path = "/v1/attempts/\(grant.attempt)/complete"
            let early = try await farm.post(path, completion)
            #expect(early.status == 409 && early.code == "artifact_missing")
            #expect(try await farm.call("HEAD", address, as: "worker").status == 404)
            _ = try await farm.upload(data, to: address)
            #expect(try await farm.post(path, completion).status == 200)
        }
    }

    @Test func cancelledWorkIsLost() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job()).job.id
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            let beat = Heartbeat(attempts: [AttemptProgress(attempt: grant.attempt, permille: 500)])
            let renewed = try await farm.post("/v1/workers/\(worker)/heartbeat", beat).decode(HeartbeatReply.self)
            #expect(renewed.renewed == [grant.attempt] && !renewed.drain)
            #expect(try await farm.call("POST", "/v1/jobs/\(job)/cancel", as: "other").code == "forbidden")
            #expect(
                try await farm.call("POST", "/v1/jobs/\(job)/cancel", as: "editor").decode(JobView.self).state
                    == .cancelled
            )
            #expect(try await farm.call("DELETE", "/v1/jobs/\(job)").decode(JobView.self).state == .cancelled, "again")
            let lost = try await farm.post("/v1/workers/\(worker)/heartbeat", beat).decode(HeartbeatReply.self)
            #expect(lost.lost == [grant.attempt])
            let data = FarmPieces.part("late")
            _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
            let late = try await farm.post(
                "/v1/attempts/\(grant.attempt)/complete",
                FarmPieces.completion(worker, data)
            )
            #expect(late.status == 409 && late.code == "lease_lost")
            let failure = TaskFailure(worker: worker, failure: Failure(code: "x", message: "x", isPermanent: false))
            #expect(try await farm.post("/v1/attempts/\(grant.attempt)/fail", failure).code == "lease_lost")
            #expect(try await farm.call("POST", "/v1/workers/\(worker)/drain").status == 204)
            #expect(
                try await farm.post("/v1/workers/\(worker)/heartbeat", Heartbeat(attempts: [])).decode(
                    HeartbeatReply.self
                ).drain
            )
        }
    }
}
