import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// What a page needs to submit an edit: what it names, its media by bytes alone, and what it would come to.
@Suite struct EditRoutesTests {
    private let clip = Data("clip".utf8)

    private let edit = """
        { "schema": "edit/1", "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
          "assets": { "a": "media/a.mp4", "still": { "generate": "solid", "color": "#102030", "size": [320, 180] } },
          "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "10s" }] }],
          "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
        """

    @Test func anEditSaysWhatItNeeds() async throws {
        try await withCoordinator { farm in
            let answer = try await farm.post("/v1/edits:read", EditText(editText: edit), as: "editor")
            let outline = try answer.decode(EditOutline.self)
            #expect(outline.assets.map(\.name) == ["a", "still"] && outline.outputs == ["h264"])
            #expect(outline.assets[0].path == "media/a.mp4" && outline.assets[0].localOnly == nil)
            #expect(outline.assets[1].localOnly == "generated picture" && outline.localOnly.isEmpty)
            let broken = edit.replacing("\"duration\"", with: "\"durations\"")
            let wrong = try await farm.post("/v1/edits:read", EditText(editText: broken), as: "editor")
            let findings = try wrong.decode(EditOutline.self).findings
            #expect(wrong.status == 200 && findings.contains { $0.severity == .error && $0.line > 0 }, "\(findings)")
            #expect(try await farm.post("/v1/edits:read", EditText(editText: edit), as: "viewer").status == 403)
        }
    }

    @Test func bytesAreHashedOnArrival() async throws {
        try await withCoordinator { farm in
            let file = farm.folder.path("clip")
            try clip.write(to: URL(fileURLWithPath: file))
            let type = "Content-Type: application/octet-stream"
            func send() async throws -> HTTPAnswer {
                try await farm.call(
                    "POST",
                    "/v1/assets",
                    as: "editor",
                    headers: [type],
                    extra: ["--data-binary", "@" + file]
                )
            }
            let first = try await send()
            #expect(first.status == 201)
            #expect(try first.decode(AssetRecord.self).digest == ContentDigest(of: clip))
            #expect(try await send().status == 200, "again")
            #expect(try await farm.call("POST", "/v1/assets", as: "viewer", body: "{}").status == 403)
        }
    }

    @Test func aPlanStoresNothing() async throws {
        try await withCoordinator { farm in
            let text = edit.replacing(
                ##", "still": { "generate": "solid", "color": "#102030", "size": [320, 180] }"##,
                with: ""
            )
            let submission = JobSubmission(
                idempotencyKey: "k",
                editText: text,
                title: "cut.json",
                assets: ["a": ContentDigest(of: clip)]
            )
            #expect(try await farm.post("/v1/jobs:plan", submission, as: "editor").code == "asset_missing")
            _ = try await farm.upload(clip, to: "/v1/assets/\(ContentDigest(of: clip).hex)", as: "editor")
            let plan = try await farm.post("/v1/jobs:plan", submission, as: "editor").decode(JobPlan.self)
            #expect(plan.frameCount == 250 && plan.preset == "h264" && plan.segmentCount >= 1)
            #expect(plan.taskCount > plan.segmentCount && plan.costSeconds > 0)
            #expect(try farm.store.jobs(JobFilter()).isEmpty)
            let job = try await farm.post("/v1/jobs", submission, as: "editor").decode(JobView.self)
            #expect(job.tasks.total == plan.taskCount)
            let tracks = try await farm.call("GET", "/v1/jobs/\(job.id)/tracks", as: "viewer").decode(JobTracks.self)
            #expect(tracks.frameCount == 250 && tracks.tracks.first?.kind == .video)
            let item = try #require(tracks.tracks.first?.items.first)
            #expect(item.kind == .clip && item.label == "a" && item.start == 0 && item.count == 250)
        }
    }
}
