import CompositionModel
import Farm
import Foundation
import Planning
import TestSupport
import Testing
import Timing
import WireProtocol

@testable import Coordinator

/// Jobs that say what a mix is like.
@Suite struct MeasureTests {
    private let clip = Data("a clip".utf8)

    private func submission(_ key: String, _ order: MeasureOrder?, parts: Int? = 2) -> JobSubmission {
        var submission = JobSubmission(
            idempotencyKey: key,
            editText: """
                { "schema": "edit/1",
                  "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
                  "assets": { "a": "a.mp4" },
                  "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "18s" }] }] }
                """,
            title: "cut.json",
            assets: ["a": ContentDigest(of: clip)],
            preset: "lossless",
            segmentCount: parts
        )
        submission.product = order.map { .measurement($0) } ?? .movie
        return submission
    }

    private func withClip(_ body: (RunningCoordinator) async throws -> Void) async throws {
        try await withCoordinator { farm in
            _ = try await farm.upload(clip, to: "/v1/assets/\(ContentDigest(of: clip).hex)", as: "editor")
            try await body(farm)
        }
    }

    /// Nothing is joined of what is measured, so that nothing would wait for a third machine.
    @Test func onlyMoviesAreAudited() async throws {
        try await withClip { farm in
            for (order, code) in [(MeasureOrder(.loudness), "invalid_request"), (nil, "no_auditor")] {
                var submission = submission("k", order)
                submission.audit = .all
                let answer = try await farm.post("/v1/jobs", submission, as: "editor")
                #expect(answer.code == code, "\(answer.text)")
            }
        }
    }

    @Test func piecesAreGrantedAndWhatTheyFoundIsFetched() async throws {
        try await withClip { farm in
            let answer = try await farm.post("/v1/jobs", submission("k", MeasureOrder(.loudness)), as: "editor")
            #expect(answer.status == 201, "\(answer.text)")
            let job = try answer.decode(JobView.self)
            #expect(job.preset == "loudness" && job.fileExtension == "measure" && job.frameCount == 450)
            let tasks = try await farm.call("GET", "/v1/jobs/\(job.id)/tasks", as: "viewer").decode([TaskView].self)
            #expect(tasks.map(\.kind) == [.measure, .measure])
            let frames = [FrameRange(start: 0, count: 250), FrameRange(start: 250, count: 200)]
            #expect(tasks.map(\.frames) == frames)

            var registration = FarmPieces.registration
            registration.kinds = [.picture, .sound, .measure]
            let worker = try await farm.post("/v1/workers", registration).decode(WorkerRegistered.self).worker
            var poll = FarmPieces.poll(worker, wait: 0, capacity: 10)
            #expect(try await farm.grants(poll).isEmpty, "it asked for pictures and sound")
            (poll.kinds, poll.poll) = ([.measure], PollID(uuid: UUID()))
            let grants = try await farm.grants(poll)
            #expect(grants.count == 2)
            for (place, grant) in grants.sorted(by: { $0.task.description < $1.task.description }).enumerated() {
                guard case .measure(let task) = grant.payload else { throw CancellationError() }
                #expect(task.libraries == FakeRenderer.libraries && task.sound.libraries == FakeRenderer.libraries)
                #expect(task.wholeSampleCount == 18 * 48_000 && task.what == .loudness)
                let address = "/v1/jobs/\(job.id)/measured/\(grant.task)"
                let early = try await farm.call("GET", address, as: "viewer")
                #expect(early.status == 409 && early.code == "not_finished")
                let data = Data("reading \(place)".utf8)
                _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
                let done = FarmPieces.completion(worker, data)
                #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", done).status == 200)
                #expect(try await farm.call("GET", address, as: "viewer").body == data)
                #expect(try await farm.call("GET", address, as: "worker").status == 403)
                #expect(try farm.store.unreferenced([ContentDigest(of: data)]).isEmpty)
            }
            #expect(try farm.store.job(job.id)?.state == .completed)
            let output = try await farm.call("GET", "/v1/jobs/\(job.id)/output", as: "viewer")
            #expect(output.status == 409 && output.code == "no_output")
            let still = try await farm.call("GET", "/v1/jobs/\(job.id)/stills/\(grants[0].task)", as: "viewer")
            #expect(still.status == 404)
            let other = try await farm.post("/v1/jobs", submission("m", nil), as: "editor").decode(JobView.self)
            let task = try #require(try farm.store.tasks(of: other.id).first).id
            #expect(try await farm.call("GET", "/v1/jobs/\(other.id)/measured/\(task)", as: "viewer").status == 404)
        }
    }

    @Test func whatCannotBeMeasuredIsRefused() async throws {
        try await withClip { farm in
            let cases: [(MeasureOrder, String, String)] = [
                (MeasureOrder(.loudness, sampleCount: 0), "no_sound", "There is no sound in the edit"),
                (
                    MeasureOrder(.waveform(grid: .evenly(columns: 0), channels: .each)), "invalid_request",
                    "1 to 16384 columns"
                ),
                (
                    MeasureOrder(.waveform(grid: .evenly(columns: 20_000), channels: .mixed)), "invalid_request",
                    "this one 20000"
                ),
                (
                    MeasureOrder(.waveform(grid: .every(samples: 0), channels: .each)), "invalid_request",
                    "1 sample or more"
                ),
            ]
            for (number, (order, code, words)) in cases.enumerated() {
                let answer = try await farm.post("/v1/jobs", submission("\(number)", order), as: "editor")
                #expect(answer.status == 422 && answer.code == code && answer.text.contains(words), "\(answer.text)")
            }
            let word = String(decoding: try WireJSON.encode(submission("n", MeasureOrder(.loudness))), as: UTF8.self)
            let unknown = word.replacing(#""loudness":{}"#, with: #""weight":{}"#)
            #expect(unknown != word)
            #expect(try await farm.call("POST", "/v1/jobs", as: "editor", body: unknown).status / 100 == 4)
            #expect(try farm.store.jobs(JobFilter()).isEmpty)
        }
    }
}
