import Foundation
import TestSupport
import Testing
import Timing
import WireProtocol

/// What a farm shows and plays of a movie whose parts are not all there.
@Suite struct PreviewTests {
    private struct Preview: Decodable {
        struct Part: Decodable {
            var kind: String
            var position: Int
            var start: Double
            var end: Double
            var isThere: Bool
        }

        var type: String?
        var pictureType: String?
        var soundType: String?
        var reason: String?
        var frameRate: FrameRate
        var frameCount: Int
        var duration: Double
        var parts: [Part]
    }

    /// One segment arrives and no other. It is seen and played meanwhile; when the others come, all parts together are the
    /// movie.
    @Test func whatIsThereIsSeenAndPlayedBeforeTheRest() async throws {
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 8, of: 8)
        let farm = try await TestFarm(cutfarm)
        let relays = [
            try await Relay(to: farm.address, "late", in: cutfarm.folder),
            try await Relay(to: farm.address, "later", in: cutfarm.folder),
        ]
        let workers = try relays.enumerated().map { number, relay in
            try farm.worker("worker-\(number)", through: relay.address)
        }
        let job = try await farm.submit(edit, ["--segments", "4"])
        let early = try await farm.get("/v1/jobs/\(job)/frame")
        #expect(early.status == 409 && early.code == "not_finished")
        let nothing = try WireJSON.decode(Preview.self, from: try await farm.get("/v1/jobs/\(job)/preview").body)
        #expect(nothing.type == nil && nothing.reason == nil && nothing.parts.allSatisfy { !$0.isThere })

        // Each worker has rendered a segment. That of the first arrives.
        try await waitUntil { relays.allSatisfy { !$0.held.isEmpty } }
        #expect(try await farm.run("pause", "\(job)").exitCode == 0)
        try relays[0].open()
        let report = try await farm.wait(for: job) { $0.pictures.contains { $0.artifact != nil } }
        let hole = try #require(report.pictures.first { $0.artifact == nil })
        let there = report.pictures.filter { $0.artifact != nil }
        try #require(!there.isEmpty && there.count == 1)
        let preview = try WireJSON.decode(Preview.self, from: try await farm.get("/v1/jobs/\(job)/preview").body)
        #expect(try preview.frameCount == 200 && preview.frameRate == FrameRate(25) && preview.duration == 8)
        #expect(preview.pictureType?.hasPrefix("video/mp4; codecs=\"avc1.") == true, "\(preview)")
        #expect(preview.reason == nil)
        let pictures = preview.parts.filter { $0.kind == "picture" }
        #expect(pictures.map(\.start) == report.pictures.map { Double($0.frames?.start ?? -1) / 25 })
        #expect(pictures.last?.end == 8)
        #expect(pictures.filter(\.isThere).map(\.position) == there.map(\.position))
        #expect(pictures.first { $0.position == hole.position }?.isThere == false)

        try await checkFrames(of: farm, job, there: there, hole: hole)
        let sheet = try await farm.get("/v1/jobs/\(job)/sheet?columns=4&rows=2&width=160")
        #expect(sheet.status == 200 && sheet.type == "image/jpeg")
        #expect(try await size(of: sheet.body, in: cutfarm) == "640x180")
        #expect(try await farm.get("/v1/jobs/\(job)/preview/picture/\(hole.position)").code == "not_finished")
        #expect(try await farm.get("/v1/jobs/\(job)/preview/picture/99").status == 404)
        #expect(try await farm.get("/v1/jobs/\(job)/preview/words/init").status == 404)

        try relays[1].open()
        #expect(try await farm.run("resume", "\(job)").exitCode == 0)
        try await farm.wait(for: job)
        try await checkMovie(of: farm, job)
        try await farm.stop(workers)
    }

    private func checkFrames(of farm: TestFarm, _ job: JobID, there: [TaskView], hole: TaskView) async throws {
        let start = try #require(there.first?.frames?.start)
        let frame = try await farm.get("/v1/jobs/\(job)/frame?frame=\(start + 1)&width=320")
        #expect(frame.status == 200 && frame.type == "image/jpeg" && frame.headers["x-frame"] == "\(start + 1)")
        #expect(try await size(of: frame.body, in: farm.cutfarm) == "320x180")
        let again = try await farm.get("/v1/jobs/\(job)/frame?frame=\(start + 1)&width=320")
        #expect(again.body == frame.body && again.headers["etag"] == frame.headers["etag"])
        let newest = try await farm.get("/v1/jobs/\(job)/frame")
        #expect(newest.status == 200 && newest.headers["cache-control"] == "private, no-cache")
        let shown = try #require(newest.headers["x-frame"].flatMap { Int64($0) })
        #expect(there.contains { ($0.frames?.start ?? 0)..<($0.frames?.end ?? 0) ~= shown })
        let missing = try #require(hole.frames?.start)
        #expect(try await farm.get("/v1/jobs/\(job)/frame?frame=\(missing)").code == "not_finished")
        #expect(try await farm.get("/v1/jobs/\(job)/frame?frame=200").code == "invalid_request")
        #expect(try await farm.get("/v1/jobs/\(job)/frame?width=0").code == "invalid_request")
        #expect(try await farm.get("/v1/jobs/\(job)/sheet?columns=20&rows=20").code == "invalid_request")
        #expect(try await farm.get("/v1/jobs/\(job)/frame", as: "end-to-end-worker-0123").status == 403)
    }

    /// The head and all fragments, one behind the other, decode to the movie. ffmpeg gives the priming, which the head's
    /// edit list hides, times before 0.
    private func checkMovie(of farm: TestFarm, _ job: JobID) async throws {
        let (folder, output) = (farm.cutfarm.folder, try await farm.get("/v1/jobs/\(job)/output"))
        try output.body.write(to: URL(fileURLWithPath: folder.path("movie.mp4")))
        let preview = try WireJSON.decode(Preview.self, from: try await farm.get("/v1/jobs/\(job)/preview").body)
        #expect(preview.soundType == "audio/mp4; codecs=\"mp4a.40.2\"")
        #expect(preview.type?.hasSuffix(", mp4a.40.2\"") == true && preview.parts.allSatisfy(\.isThere))
        for (kind, map) in [("picture", "0:v"), ("sound", "0:a")] {
            let head = try await farm.get("/v1/jobs/\(job)/preview/\(kind)/init")
            #expect(head.type == (kind == "sound" ? "audio/mp4" : "video/mp4"))
            var played = head.body
            for part in preview.parts where part.kind == kind {
                played += try await farm.get("/v1/jobs/\(job)/preview/\(kind)/\(part.position)").body
            }
            try played.write(to: URL(fileURLWithPath: folder.path(kind + ".mp4")))
            let hashes = try await [kind + ".mp4", "movie.mp4"].asyncMap { name in
                let filter = kind == "sound" && name == "sound.mp4" ? ["-af", "atrim=start_sample=1024"] : []
                return try await Shell.ffmpeg(
                    ["-i", folder.path(name), "-map", map] + filter + ["-f", "hash", "-hash", "sha256", "-"]
                )
            }
            #expect(hashes[0] == hashes[1], "\(kind)")
        }
    }

    private func size(of image: Data, in cutfarm: Cutfarm) async throws -> String {
        let path = cutfarm.folder.path("image.jpg")
        try image.write(to: URL(fileURLWithPath: path))
        let entries = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0:s=x", path]
        return try await Shell.run("ffprobe", entries).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
