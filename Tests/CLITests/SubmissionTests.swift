import ArgumentParser
import Client
import CompositionModel
import Foundation
import Ingest
import Sandbox
import TestSupport
import Testing
import WireProtocol

@testable import CLI

@Suite struct SubmissionTests {
    let farm: ScriptedCoordinator

    init() async throws {
        farm = try await ScriptedCoordinator()
        try farm.serve(try farm.job())
    }

    private func submit(_ edit: String) async throws -> [EditSubmitter.Submitted] {
        let file = try EditFile.load(edit, assets: [])
        let outputs = [PlannedOutput(index: 0, path: nil, file: nil)]
        var submitted: [EditSubmitter.Submitted] = []
        try await EditSubmitter(connection: farm.connection, delivery: farm.delivery)
            .submit(file, outputs: outputs, options: try OutputOptions.parse([])) { submitted.append($0) }
        return submitted
    }

    /// The first answer was lost, the second was that the store is away: one key, so one job.
    @Test func itIsRepeatedUnderOneKey() async throws {
        try farm.server.script(["drop", "503 store_unavailable"], at: "/v1/jobs")
        #expect(try await submit(try farm.edit()).count == 1)
        let keys = try farm.server.sent(to: "/v1/jobs").map {
            try WireJSON.decode(JobSubmission.self, from: $0).idempotencyKey
        }
        #expect(keys.count == 3)
        #expect(Set(keys).count == 1)
    }

    /// A coordinator that cannot answer for long is given up, and the sentence says after which time.
    @Test func aCoordinatorThatStaysUnableIsGivenUp() async throws {
        try farm.server.script([String](repeating: "503 store_unavailable", count: 100), at: "/v1/jobs")
        let error = await #expect(throws: ClientError.self) { try await submit(try farm.edit()) }
        #expect(error?.description == "Detail of 503. The coordinator was asked for 20 s; ask again later.")
        #expect(farm.server.count("POST", "/v1/jobs") == 41)
        if let error { #expect(CommandFailure(error).status == .unreachable) }
    }

    @Test func aRefusalIsNotRepeated() async throws {
        try farm.server.script(["422 invalid_edit"], at: "/v1/jobs")
        let error = await #expect(throws: ClientError.self) { try await submit(try farm.edit()) }
        #expect(error?.description == "Detail of 422.")
        #expect(farm.server.count("POST", "/v1/jobs") == 1)
    }

    private func batch(
        _ lines: [Manifest.Line],
        watches: Bool = false,
        isRepeatable: Bool = false,
        options: [String] = []
    ) async throws {
        try await BatchSubmission(
            connection: farm.connection,
            delivery: farm.delivery,
            probe: LocalProbe(process: RenderProcess(), stateFolder: farm.folder.path("state")),
            options: try OutputOptions.parse(options),
            replacements: [],
            defaults: .init(priority: 0, isForced: false, isRepeatable: isRepeatable, watches: watches),
            display: ProgressDisplay(json: false, quiet: true),
            json: true
        ).run(lines)
    }

    private func line(_ number: Int, _ output: String, preset: String? = nil) throws -> Manifest.Line {
        var entry = ManifestEntry(edit: try farm.edit(), output: farm.folder.path(output))
        entry.preset = preset
        return .entry(entry, place: "all.jsonl:\(number)")
    }

    @Test(arguments: ["gone.json", "edit.json"])
    func aRefusalBeginsWithItsLine(edit: String) async throws {
        _ = try farm.edit()
        try FileManager.default.removeItem(atPath: farm.folder.path("a.mov"))
        let entry = ManifestEntry(edit: farm.folder.path(edit))
        let error = await #expect(throws: CommandFailure.self) {
            try await batch([.entry(entry, place: "all.jsonl:1")])
        }
        #expect(error?.lines.count == 1)
        #expect(error?.lines.allSatisfy { $0.hasPrefix("all.jsonl:1: ") } == true, "\(error?.lines ?? [])")
    }

    @Test func twoLinesDoNotWriteTheSameFile() async throws {
        let error = await #expect(throws: CommandFailure.self) {
            try await batch([try line(1, "a.mp4"), try line(2, "b.mp4"), try line(3, "../\(farm.folder.name)/a.mp4")])
        }
        #expect(error?.status == .usage)
        #expect(error?.lines == ["3 lines: 2 jobs submitted, 1 refused."])
        #expect(farm.server.count("POST", "/v1/jobs") == 2)
    }

    /// The job of the first output runs already when the second is refused: it is announced and counted.
    @Test func halfOfAnEditIsNotForgotten() async throws {
        let two = ManifestEntry(edit: try farm.edit("two.json", files: ["a.mp4", "b.mp4"]))
        try farm.server.script(["go", "422 invalid_edit"], at: "/v1/jobs")
        let error = await #expect(throws: CommandFailure.self) {
            try await batch([.entry(two, place: "all.jsonl:1"), try line(2, "c.mp4")])
        }
        #expect(error?.lines == ["2 lines: 2 jobs submitted, 1 refused."])
        #expect(farm.server.count("POST", "/v1/jobs") == 3)
    }

    /// One request brings all lines, and says of each what came of it.
    @Test func linesAreSentTogether() async throws {
        let jobs = [try farm.job(), try farm.job()]
        let refusal = Problem(status: 429, code: "quota_exceeded", title: "Refused", detail: "Too much waits.")
        let answers = [JobBatchAnswer(job: jobs[0]), JobBatchAnswer(problem: refusal), JobBatchAnswer(job: jobs[1])]
        try farm.server.serve(try WireJSON.encode(answers), at: "/v1/jobs:batch.reply")
        let error = await #expect(throws: CommandFailure.self) {
            try await batch((1...3).map { try line($0, "\($0).mp4") })
        }
        #expect(error?.lines == ["3 lines: 2 jobs submitted, 1 refused."])
        #expect(farm.server.count("POST", "/v1/jobs:batch") == 1 && farm.server.count("POST", "/v1/jobs") == 0)
        let sent = try #require(farm.server.sent(to: "/v1/jobs:batch").first)
        #expect(try WireJSON.decode(JobBatch.self, from: sent).jobs.count == 3)
    }

    /// An output folder that does not answer refuses its own rows; the others are submitted, also those of later batches.
    @Test func aSilentFolderStopsOnlyItsRows() async throws {
        let silent = Problem(status: 409, code: "output_folder_silent", title: "Conflict", detail: "No answer.")
        let answers = [JobBatchAnswer(problem: silent), JobBatchAnswer(job: try farm.job())]
        try farm.server.serve(try WireJSON.encode(answers), at: "/v1/jobs:batch.reply")
        let error = await #expect(throws: CommandFailure.self) {
            try await batch((1...4).map { try line($0, "\($0).mp4") })
        }
        #expect(error?.status == .conflict && error?.lines == ["4 lines: 2 jobs submitted, 2 refused."])
        #expect(farm.server.count("POST", "/v1/jobs:batch") == 2 && farm.server.count("POST", "/v1/jobs") == 0)
        let refusal = CommandFailure(silent)
        #expect(refusal.lines == ["No answer."] && refusal.mayPass, "a watched folder tries it again")
    }

    /// The farm may have taken what was sent: the rows have keys by which they are not submitted twice.
    @Test func anInterruptionSaysWhatIsKnownAndWhatToDo() async throws {
        try farm.server.script(["hold"], at: "/v1/jobs:batch")
        let submitting = Task { try await batch((1...3).map { try line($0, "\($0).mp4") }, isRepeatable: true) }
        try await waitUntil { farm.server.count("POST", "/v1/jobs:batch") == 1 }
        submitting.cancel()
        let error = await #expect(throws: CommandFailure.self) { try await submitting.value }
        #expect(error?.status == .interrupted)
        #expect(
            error?.lines == [
                "Interrupted. 0 of 3 lines are known to be submitted; the same command again submits what is missing."
            ]
        )
    }

    /// A farm that answers only the first one, since planning takes long, is sent the others as another batch.
    @Test func linesThatWereLeftAreSentOnceMore() async throws {
        let answers = [JobBatchAnswer(job: try farm.job())]
        try farm.server.serve(try WireJSON.encode(answers), at: "/v1/jobs:batch.reply")
        try await batch((1...3).map { try line($0, "\($0).mp4") })
        let sent = try farm.server.sent(to: "/v1/jobs:batch").map { try WireJSON.decode(JobBatch.self, from: $0) }
        let keys = sent.map { $0.jobs.map(\.idempotencyKey) }
        #expect(keys.map(\.count) == [3, 2, 1])
        #expect(keys.dropFirst().allSatisfy { keys[0].suffix($0.count) == $0[...] })
        #expect(farm.server.count("POST", "/v1/jobs") == 0)
    }

    /// The same row of a manifest has the same key as long as it says the same.
    @Test func aRowThatIsSentAgainHasItsKey() async throws {
        let path = try farm.edit()
        func key(_ row: String?, priority: Int = 0) async throws -> String {
            let submitter = EditSubmitter(connection: farm.connection, delivery: farm.delivery, priority: priority)
            let orders = try await submitter.order(
                try EditFile.load(path, assets: []),
                outputs: [PlannedOutput(index: 0, path: nil, file: nil)],
                options: try OutputOptions.parse([]),
                row: row.map { SubmittedRow(name: $0) }
            )
            return try #require(orders.first).submission.idempotencyKey
        }
        let first = try await key("a.mp4")
        #expect(try await key("a.mp4") == first)
        #expect(try await key("b.mp4") != first)
        #expect(try await key("a.mp4", priority: 1) != first)
        #expect(try await key(nil) != key(nil))
    }

    /// The submissions that were sent one by one.
    private func sent() throws -> [JobSubmission] {
        try farm.server.sent(to: "/v1/jobs").map { try WireJSON.decode(JobSubmission.self, from: $0) }
    }

    /// A row that is submitted again after midnight says the same: its key is made with `{date}`, not with the day.
    @Test func aRowWithADateHasItsKeyOnAnotherDay() async throws {
        _ = try farm.edit()
        let template = """
            { "schema": "edit/1", "params": { "length": { "type": "time" } }, "assets": { "a": "a.mov" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": { "$param": "length" } }] }],
              "outputs": [{ "preset": "h264" }] }
            """
        try Data(template.utf8).write(to: URL(fileURLWithPath: farm.folder.path("ada.json")))
        var entry = ManifestEntry(edit: farm.folder.path("ada.json"))
        entry.to = "exports/{date}/{name}-{date}.{ext}"
        entry.parameters = ["length": "2s"]
        for day in [1_800_000_000, 1_800_200_000] {
            entry.day = Date(timeIntervalSince1970: TimeInterval(day))
            try await batch([.entry(entry, place: "all.jsonl:1")], isRepeatable: true)
        }
        entry.to = "exports/{date}/{name}.{ext}"
        try await batch([.entry(entry, place: "all.jsonl:1")], isRepeatable: true)
        let sent = try sent()
        #expect(sent.count == 3)
        let places = sent.compactMap(\.delivery?.to)
        #expect(Set(places).count == 3 && places.allSatisfy { $0.hasPrefix("exports/2027-01-1") }, "\(places)")
        #expect(sent[0].title != sent[1].title && places[0].hasSuffix("/" + sent[0].title))
        #expect(sent[0].idempotencyKey == sent[1].idempotencyKey)
        #expect(sent[2].idempotencyKey != sent[1].idempotencyKey)
        #expect(sent.allSatisfy { $0.keyCoversContent == true })
    }

    /// One manifest, by three paths: the rows are named as they are written, and so are the edits that they use.
    @Test func aManifestByAnotherPathHasTheSameRows() async throws {
        _ = try farm.edit("inner.json")
        let outer = """
            { "schema": "edit/1", "assets": { "n": { "edit": "inner.json" } },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "n" }] }], "outputs": [{ "preset": "h264" }] }
            """
        try Data(outer.utf8).write(to: URL(fileURLWithPath: farm.folder.path("outer.json")))
        let row = #"{ "edit": "outer.json", "output": "a.mp4" }"#
        try Data(row.utf8).write(to: URL(fileURLWithPath: farm.folder.path("all.jsonl")))
        let link = farm.folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: farm.folder.url.path)
        try FileManager.default.createDirectory(atPath: farm.folder.path("b"), withIntermediateDirectories: false)
        for folder in [farm.folder.url.path, link, farm.folder.path("b/..")] {
            try await batch(try Manifest.read(folder + "/all.jsonl"), isRepeatable: true)
        }
        let sent = try sent()
        #expect(sent.count == 3 && Set(sent.map(\.idempotencyKey)).count == 1)
        // Findings name the edits by the paths by which they were found, so not every word is the same.
        #expect(sent.allSatisfy { $0.nested?["n"]?.file.isEmpty == false && $0.keyCoversContent == true })
    }

    /// What a row says without a date and without other edits the farm compares word by word, as earlier versions had
    /// it.
    @Test func aPlainRowIsSentAsBefore() async throws {
        var entry = ManifestEntry(edit: try farm.edit())
        entry.to = "exports/a.mp4"
        try await batch([.entry(entry, place: "all.jsonl:1")], isRepeatable: true)
        var plain = try #require(try sent().first)
        let key = plain.idempotencyKey
        #expect(plain.keyCoversContent == nil)
        (plain.idempotencyKey, plain.traceparent) = ("exports/a.mp4", nil)
        #expect(key == "row-\(ContentDigest(of: try WireJSON.encode(plain)).hex)")
    }

    private var clip: ContentDigest { ContentDigest(of: Data("clip".utf8)) }
    private var clipAddress: String { "/v1/assets/\(clip.hex)" }

    /// The coordinator's retention removed the asset of a template between two jobs of one run.
    @Test func anAssetThatTheFarmRemovedIsSentAgain() async throws {
        let edit = try farm.edit()
        let file = try EditFile.load(edit, assets: [])
        let submitter = EditSubmitter(connection: farm.connection, delivery: farm.delivery)
        let outputs = [PlannedOutput(index: 0, path: nil, file: nil)]
        var jobs: [JobView] = []
        func submit() async throws {
            try await submitter.submit(file, outputs: outputs, options: try OutputOptions.parse([])) {
                jobs.append($0.job)
            }
        }
        try await submit()
        #expect(farm.server.count("PUT", clipAddress) == 1)
        try FileManager.default.removeItem(atPath: farm.server.folder + clipAddress)
        try farm.server.script(["409 asset_missing \(clip)"], at: "/v1/jobs")
        try await submit()
        #expect(jobs.count == 2 && farm.server.count("PUT", clipAddress) == 2)
        // What is missing all the same is said.
        try farm.server.script(["409 asset_missing \(clip)", "409 asset_missing \(clip)"], at: "/v1/jobs")
        let error = await #expect(throws: ClientError.self) { try await submit() }
        #expect(error?.description == "Detail of 409.")
        #expect(farm.server.count("POST", "/v1/jobs") == 5)
    }

    /// Rows of a manifest whose asset was removed after the farm was asked for it.
    @Test func theAssetOfARowThatTheFarmRemovedIsSentAgain() async throws {
        let problem = Problem(status: 409, code: "asset_missing", title: "T", detail: "Gone.", missing: [clip])
        let answers = [JobBatchAnswer(problem: problem), JobBatchAnswer(problem: problem)]
        try farm.server.serve(try WireJSON.encode(answers), at: "/v1/jobs:batch.reply")
        try await batch([try line(1, "a.mp4"), try line(2, "b.mp4")], isRepeatable: true)
        #expect(farm.server.count("HEAD", clipAddress) == 3, "it is asked for once before, and once more for each row")
        #expect(farm.server.count("POST", "/v1/jobs") == 2)
        let first = try #require(farm.server.sent(to: "/v1/jobs:batch").first)
        let rows = try WireJSON.decode(JobBatch.self, from: first).jobs.map(\.idempotencyKey)
        let again = try farm.server.sent(to: "/v1/jobs").map {
            try WireJSON.decode(JobSubmission.self, from: $0).idempotencyKey
        }
        #expect(again == rows)
    }

    /// A lone edit whose second output is refused: the first one's job runs, and is followed and fetched.
    @Test func theJobOfTheFirstOutputIsFollowed() async throws {
        let folder = farm.folder.path("movies")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let edit = try farm.edit("two.json", files: ["a.mp4", "b.mp4"])
        let job = try farm.job()
        try farm.serve(job)
        try farm.server.serve(try WireJSON.encode(job), at: "/v1/jobs/\(job.id)/.bytes")
        try farm.server.script(["go", "422 invalid_edit"], at: "/v1/jobs")
        let entry = ManifestEntry(edit: edit, output: folder)
        let error = await #expect(throws: CommandFailure.self) {
            try await batch([.entry(entry, place: edit)], watches: true)
        }
        #expect(error?.status == .usage)
        #expect(FileManager.default.contents(atPath: folder + "/a.mp4") == farm.movie)
    }

    /// Control-C ends the command, not the job: how to get back to it is said.
    @Test(arguments: [1, 2]) func anInterruptionSaysWhatGoesOn(count: Int) async throws {
        var job = try farm.job()
        job.state = .rendering
        try farm.serve(job)
        try farm.server.serve(try WireJSON.encode(job), at: "/v1/jobs/\(job.id)/.bytes")
        let lines = try (1...count).map { try line($0, "\($0).mp4") }
        let task = Task { try await batch(lines, watches: true) }
        try await waitUntil { farm.server.count("GET", "/v1/jobs/\(job.id)") > 0 }
        task.cancel()
        let error = await #expect(throws: CommandFailure.self) { try await task.value }
        #expect(error?.status == .interrupted)
        #expect(error?.lines.count == 1 && error?.lines.first?.contains("cutfarm cancel \(job.id)") == true)
        #expect(error?.lines.first?.contains(count == 1 ? "cutfarm watch \(job.id)" : "2 jobs go on") == true)
    }

    @Test func aFileIsNamedLikeWhatThePresetMakes() async throws {
        let error = await #expect(throws: CommandFailure.self) {
            try await batch([try line(1, "a.mp4", preset: "lossless")])
        }
        #expect(error?.status == .usage)
        #expect(error?.lines.first?.contains("named .mkv, not .mp4") == true)
        #expect(farm.server.log.isEmpty)
    }

    /// What a line says of copying comes before what the command says.
    @Test func aLineSaysWhetherPicturesAreCopied() async throws {
        let cases: [(options: [String], smart: Bool?, wanted: Bool?)] = [
            ([], true, true), (["--smart"], false, nil), (["--smart"], nil, true),
        ]
        for (options, smart, wanted) in cases {
            var entry = ManifestEntry(edit: try farm.edit())
            entry.smart = smart
            try await batch([.entry(entry, place: "all.jsonl:1")], options: options)
            let sent = try #require(farm.server.sent(to: "/v1/jobs").last)
            #expect(try WireJSON.decode(JobSubmission.self, from: sent).copies == wanted)
        }
    }
}

extension TemporaryFolder {
    fileprivate var name: String { url.lastPathComponent }
}
