import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// What previews cost the coordinator: what is read, made and sent for each.
@Suite struct PreviewRoutesTests {
    /// A farm with a job of three segments, of which those of `texts` are accepted.
    private func withParts(
        _ texts: [String],
        _ adjust: (inout CoordinatorConfiguration) -> Void = { _ in },
        _ body: (RunningCoordinator, JobID, WorkerID) async throws -> Void
    ) async throws {
        try await withCoordinator { configuration, folder in
            configuration.renderer = try FakeRenderer.make(in: folder, countingProbesIn: folder.path("made"))
            adjust(&configuration)
        } _: { farm in
            let job = try farm.store.insertJob(FarmPieces.job(parts: 3)).job.id
            let worker = try await farm.registerWorker()
            for text in texts { try await deliver(text, worker, farm) }
            try await body(farm, job, worker)
        }
    }

    private func deliver(_ text: String, _ worker: WorkerID, _ farm: RunningCoordinator) async throws {
        let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
        let data = FarmPieces.part(text)
        _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
        let completion = FarmPieces.completion(worker, data)
        #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", completion).status == 200)
    }

    /// What the renderer was asked for, in order.
    private func made(_ farm: RunningCoordinator) -> [String] {
        let text = (try? String(contentsOfFile: farm.folder.path("made"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private func fragment(
        _ position: Int,
        knowing tag: String? = nil,
        _ farm: RunningCoordinator,
        _ job: JobID
    )
        async throws -> HTTPAnswer
    {
        let path = "/v1/jobs/\(job)/preview/picture/\(position)"
        return try await farm.call("GET", path, as: "viewer", headers: tag.map { ["If-None-Match: \($0)"] } ?? [])
    }

    @Test func aFragmentReadsNoList() async throws {
        let store = StalledStore()
        try await withCoordinator { configuration, _ in
            configuration.store = store
        } _: { farm in
            let job = try store.model.insertJob(FarmPieces.job(parts: 3)).job.id
            let worker = try await farm.registerWorker()
            try await deliver("one", worker, farm)
            let position = try #require(store.model.acceptedParts(of: job, .all).first?.position)
            let before = store.lists.count
            for _ in 0..<4 { #expect(try await fragment(position, farm, job).text == "fragment one") }
            for path in ["frame", "frame?frame=\(25 * position)", "sheet", "preview/picture/init"] {
                #expect(try await farm.call("GET", "/v1/jobs/\(job)/\(path)", as: "viewer").status == 200, "\(path)")
            }
            #expect(store.lists.dropFirst(before) == ["layout"], "once, to learn where the parts lie")
        }
    }

    /// The shelf has room for one file; whoever has the bytes of another is told so, and it is not made again.
    @Test func whatTheClientHasIsNotMade() async throws {
        try await withParts(["one", "two"]) {
            $0.previewLimit = 1
        } _: { farm, job, _ in
            let tags = try await [0, 1].asyncMap { try await fragment($0, farm, job).headers["etag"] }
            #expect(made(farm).count == 2 && tags[0] != tags[1])
            let known = try await fragment(0, knowing: "\"other\", W/\(tags[0] ?? "")", farm, job)
            #expect(known.status == 304 && known.headers["etag"] == tags[0] && known.body.isEmpty)
            #expect(known.headers["cache-control"] == "private, no-cache")
            #expect(made(farm).count == 2)
            #expect(try await fragment(0, knowing: tags[1], farm, job).status == 200)
            #expect(made(farm).count == 3)
        }
    }

    /// A part is withdrawn and made again: the same address gives the new one, also to whoever has the old one.
    @Test func aPartThatIsMadeAgainIsSent() async throws {
        try await withParts(["one"]) { farm, job, worker in
            let position = try #require(farm.store.acceptedParts(of: job, .all).first?.position)
            let old = try await fragment(position, farm, job)
            #expect(old.text == "fragment one" && old.headers["cache-control"] == "private, no-cache")
            let lost = Failure(code: FarmFailure.artifactLost, message: "Lost.", isPermanent: false)
            _ = try farm.store.reject([ContentDigest(of: FarmPieces.part("one"))], because: lost)
            #expect(try await fragment(position, knowing: old.headers["etag"], farm, job).code == "not_finished")
            while farm.store.acceptedParts(of: job, .at([position])).isEmpty {
                try await deliver("again \(UUID())", farm.registerWorker(), farm)
            }
            let new = try await fragment(position, knowing: old.headers["etag"], farm, job)
            #expect(new.status == 200 && new.text.hasPrefix("fragment again"), "\(new.text)")
        }
    }

    /// Only a client for whom something is made is watched, which uses its connection up.
    @Test func whatIsThereLeavesTheConnectionOpen() async throws {
        try await withParts(["one"]) { farm, job, _ in
            for path in ["preview", "preview/picture/init", "frame", "sheet"] {
                let answers = try await [1, 2].asyncMap { _ in
                    try await farm.call("GET", "/v1/jobs/\(job)/\(path)", as: "viewer")
                }
                #expect(answers.map(\.status) == [200, 200] && answers[0].body == answers[1].body)
                // The first answer for the preview has made the head already.
                let first = path == "preview/picture/init" ? nil : "close"
                #expect(answers.map { $0.headers["connection"] } == [first, nil], "\(path)")
            }
            #expect(made(farm) == ["head", "picture", "picture"])
        }
    }

    @Test func widthsAreRoundedUpToAFew() async throws {
        try await withParts(["one"]) { farm, job, _ in
            func tag(_ query: String) async throws -> String? {
                try await farm.call("GET", "/v1/jobs/\(job)/\(query)", as: "viewer").headers["etag"]
            }
            let frames = try await [300, 311, 320].asyncMap { try await tag("frame?width=\($0)") }
            #expect(Set(frames).count == 1 && frames[0] != nil)
            #expect(try await tag("frame?width=321") != frames[0])
            #expect(try await tag("sheet?width=17") == tag("sheet?width=80"))
            #expect(made(farm) == ["picture", "picture", "picture"])
        }
    }

    /// A wrong parameter is answered with its name, what was sent and what is allowed.
    @Test func aWrongParameterIsNamed() async throws {
        try await withParts(["one"]) { farm, job, _ in
            for (query, words) in [
                ("frame?width=abc", ["“width”", "“abc”", "16 to 4096"]),
                ("frame?frame=75", ["“frame”", "“75”", "0 to 74"]),
                ("sheet?rows=21", ["“rows”", "“21”", "1 to 20"]),
                ("sheet?columns=20&rows=6", ["“columns”", "20 × 6", "100"]),
            ] {
                let answer = try await farm.call("GET", "/v1/jobs/\(job)/\(query)", as: "viewer")
                #expect(answer.status == 400 && words.allSatisfy { answer.text.contains($0) }, "\(answer.text)")
            }
        }
    }

    /// Previews that take for ever hold an owner's places, and those of the farm's lanes, until their clients go.
    @Test func whoHasManyUnderWayWaitsAndOthersDoNot() async throws {
        try await withParts(["SLOW", "fast"]) {
            $0.previewsPerOwner = 2
            $0.previewLanes = 3
        } _: { farm, job, _ in
            let parts = farm.store.acceptedParts(of: job, .all)
            let slow = try #require(parts.first { $0.artifact == ContentDigest(of: FarmPieces.part("SLOW")) }?.position)
            let fast = try #require(parts.first { $0.position != slow }?.position)
            var gone = try (0..<2).map { number in
                let connection = try RawConnection(port: farm.port)
                let head = [
                    "GET /v1/jobs/\(job)/frame?frame=\(slow * 25 + number) HTTP/1.1", "Host: farm",
                    "Authorization: Bearer \(farm.secret("viewer"))", "", "",
                ]
                connection.send(head.joined(separator: "\r\n"))
                return connection
            }
            try await waitUntil { made(farm) == ["picture", "picture"] }
            let refused = try await fragment(fast, farm, job)
            #expect(refused.status == 429 && refused.code == "too_many_previews", "\(refused.text)")
            #expect(refused.headers["retry-after"] == "1")
            let path = "/v1/jobs/\(job)/preview/picture/\(fast)"
            #expect(try await farm.call("GET", path, as: "editor").text == "fragment fast")
            #expect(try await fragment(fast, farm, job).status == 200, "what is there costs nothing")
            gone = []
            #expect(gone.isEmpty)
            try await waitUntil {
                try await farm.call("GET", "/v1/jobs/\(job)/frame?frame=\(fast * 25)", as: "viewer").status == 200
            }
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
