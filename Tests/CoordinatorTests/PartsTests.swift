import CompositionModel
import Farm
import Foundation
import Planning
import TestSupport
import Testing
import Timing
import WireProtocol

@testable import Coordinator

/// The parts of a movie, from the plan to the joined file.
@Suite struct PartsTests {
    private let clip = Data("a clip".utf8)

    private var submission: JobSubmission {
        JobSubmission(
            idempotencyKey: "k",
            editText: """
                { "schema": "edit/1",
                  "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
                  "assets": { "a": "a.mp4" },
                  "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "18s" }] }] }
                """,
            title: "cut.json",
            assets: ["a": ContentDigest(of: clip)],
            preset: "lossless",
            segmentCount: 3
        )
    }

    /// A part of a plan, by its place among those of its kind, and what stands in its file.
    private struct Part: Hashable {
        let kind: TaskKind
        let place: Int
        /// The frames of a picture.
        var frameCount: Int64 = 1
        var text: String { "\(kind) \(place)\n" }
        var data: Data { FarmPieces.part(text, units: frameCount) }
    }

    /// Every segment of the picture and every piece of the sound is asked for once, and the movie has all of them in
    /// the order of the plan.
    @Test func everyPartIsAskedForOnceAndJoinedInOrder() async throws {
        try await withCoordinator { farm in
            _ = try await farm.upload(clip, to: "/v1/assets/\(ContentDigest(of: clip).hex)", as: "editor")
            let answer = try await farm.post("/v1/jobs", submission, as: "editor")
            try #require(answer.status == 201, "\(answer.text)")
            let job = try answer.decode(JobView.self)
            let plan = try await farm.call("GET", "/v1/jobs/\(job.id)/plan", as: "viewer").decode(RenderPlan.self)
            try #require(plan.segments.count == 3 && plan.soundPieces.count > 1, "\(plan.soundPieces.count)")
            let asked = try await work(farm, plan)
            let pictures = plan.segments.indices.map { number in
                Part(kind: .picture, place: number, frameCount: plan.segments[number].task.frameCount)
            }
            let sounds = plan.soundPieces.indices.map { Part(kind: .sound, place: $0) }
            #expect(asked.count == pictures.count + sounds.count && Set(asked) == Set(pictures + sounds), "\(asked)")
            try await waitUntil { try farm.store.job(job.id)?.state.isFinal == true }
            #expect(try farm.store.job(job.id)?.failure == nil)
            let output = try await farm.call("GET", "/v1/jobs/\(job.id)/output", as: "viewer")
            #expect(output.body == Data((pictures + sounds).map(\.text).joined().utf8), "\(output.text)")
        }
    }

    /// Works until nothing is granted any more, from the last grant of each poll to the first.
    /// - Returns: the parts that were granted.
    private func work(_ farm: RunningCoordinator, _ plan: RenderPlan) async throws -> [Part] {
        let worker = try await farm.registerWorker()
        var asked: [Part] = []
        while true {
            let grants = try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 2))
            guard !grants.isEmpty else { return asked }
            for grant in grants.reversed() {
                let part = try #require(findPart(grant.payload, plan))
                asked.append(part)
                _ = try await farm.upload(part.data, to: "/v1/artifacts/\(ContentDigest(of: part.data).hex)")
                let done = FarmPieces.completion(worker, part.data)
                #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", done).status == 200)
            }
        }
    }

    /// The part of the plan that a payload is; nil when it is none. Only a task names the versions.
    private func findPart(_ payload: TaskPayload, _ plan: RenderPlan) -> Part? {
        switch payload {
        case .picture(var task):
            task.libraries = nil
            return plan.segments.firstIndex { $0.task == task }.map {
                Part(kind: .picture, place: $0, frameCount: task.frameCount)
            }
        case .sound(var task):
            task.libraries = nil
            return plan.soundPieces.firstIndex { $0.task == task }.map { Part(kind: .sound, place: $0) }
        case .stitch, .stills, .measure: return nil
        }
    }
}
