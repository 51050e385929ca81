import ArgumentParser
import Client
import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import CLI

/// A movie on its way from the farm: whole and the right one, or not there at all.
@Suite struct FetchTests {
    let farm: ScriptedCoordinator
    let job: JobView
    let output: String

    init() async throws {
        farm = try await ScriptedCoordinator()
        job = try farm.job()
        try farm.serve(job)
        output = farm.folder.path("out.mp4")
    }

    private func fetch(_ job: JobView) async throws {
        let watcher = JobWatcher(connection: farm.connection, display: ProgressDisplay(json: false, quiet: true))
        try await watcher.fetch(job, to: try OutputFile(path: output, isForced: false))
    }

    /// Files of the output's name, unfinished ones too.
    private var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: farm.folder.url.path)) ?? []
        return names.filter { $0.hasPrefix("out.mp4") }
    }

    @Test func itIsFetchedAgainWhenTheCoordinatorGoesAwayMeanwhile() async throws {
        try farm.server.script(["cut", "drop", "503 store_unavailable"], at: "/v1/jobs/\(job.id)/output")
        try await fetch(job)
        #expect(FileManager.default.contents(atPath: output) == farm.movie)
        #expect(farm.server.count("GET", "/v1/jobs/\(job.id)/output") == 4)
        #expect(files == ["out.mp4"])
    }

    private var partial: String { output + ".partial-" + ContentDigest(of: farm.movie).hex.prefix(16) }

    private func put(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: partial)) }

    /// The ranges that were asked for.
    private var ranges: [Substring] {
        farm.server.log.filter { $0.hasPrefix("GET /v1/jobs/\(job.id)/output ") }.map { $0.split(separator: " ")[2] }
    }

    @Test func whatAnEarlierCommandFetchedIsNotFetchedAgain() async throws {
        try put(farm.movie.prefix(60_000))
        try await fetch(job)
        #expect(ranges == ["bytes=60000-"])
        #expect(FileManager.default.contents(atPath: output) == farm.movie && files == ["out.mp4"])
    }

    @Test func aWholeThatHasNoNameYetIsNotFetched() async throws {
        try put(farm.movie)
        try await fetch(job)
        #expect(ranges.isEmpty)
        #expect(FileManager.default.contents(atPath: output) == farm.movie && files == ["out.mp4"])
    }

    @Test func aBeginningThatRottedIsFetchedAgain() async throws {
        var rotten = farm.movie.prefix(60_000)
        rotten[5] ^= 1
        try put(rotten)
        try await fetch(job)
        #expect(ranges == ["bytes=60000-", "-"])
        #expect(FileManager.default.contents(atPath: output) == farm.movie && files == ["out.mp4"])
    }

    @Test func moreThanTheMovieIsNoneOfIt() async throws {
        try put(farm.movie + Data("x".utf8))
        try await fetch(job)
        #expect(ranges == ["-"])
        #expect(FileManager.default.contents(atPath: output) == farm.movie && files == ["out.mp4"])
    }

    /// Between two commands the job got another movie, whose bytes the coordinator sends as a whole.
    @Test func theBeginningOfAnotherMovieIsDropped() async throws {
        try put(farm.movie.prefix(60_000))
        let movie = Data(farm.movie.reversed())
        var other = job
        other.artifact = ContentDigest(of: movie)
        try farm.server.serve(movie, at: "/v1/jobs/\(job.id)/output")
        try await fetch(other)
        #expect(ranges == ["-"])
        #expect(FileManager.default.contents(atPath: output) == movie && files == ["out.mp4"])
        // Between the question for the job and that for the movie.
        try FileManager.default.removeItem(atPath: output)
        try put(farm.movie.prefix(60_000))
        let error = await #expect(throws: CommandFailure.self) { try await fetch(job) }
        #expect(error?.lines.first?.contains("other bytes") == true)
        #expect(files.isEmpty)
    }

    /// A movie that is rendered here belongs to a farm that ends with the command.
    @Test(arguments: [false, true]) func whatWasFetchedIsKeptWhereALaterCommandCanGoOn(keeps: Bool) async throws {
        try farm.server.script(["cut"] + [String](repeating: "503 away", count: 300), at: "/v1/jobs/\(job.id)/output")
        var watcher = JobWatcher(connection: farm.connection, display: ProgressDisplay(json: false, quiet: true))
        watcher.keepsPartialMovies = keeps
        let file = try OutputFile(path: output, isForced: false)
        await #expect(throws: ClientError.self) { try await watcher.fetch(job, to: file) }
        #expect(files == (keeps ? ["out.mp4.partial-" + ContentDigest(of: farm.movie).hex.prefix(16)] : []))
    }

    @Test func twoCommandsDoNotFetchToOnePlace() async throws {
        let file = try OutputFile(path: output, isForced: false)
        let first = try PartialOutput(of: ContentDigest(of: farm.movie), for: file)
        let error = await #expect(throws: CommandFailure.self) { try await fetch(job) }
        #expect(error?.status == .conflict && error?.lines.first?.contains("Another command") == true)
        first.remove()
    }

    @Test func aCoordinatorThatStaysUnableIsGivenUp() async throws {
        let refusals = [String](repeating: "503 store_unavailable", count: 300)
        try farm.server.script(refusals, at: "/v1/jobs/\(job.id)")
        let watcher = JobWatcher(connection: farm.connection, display: ProgressDisplay(json: false, quiet: true))
        let error = await #expect(throws: ClientError.self) { try await watcher.follow(job.id) }
        #expect(error?.description == "Detail of 503. The coordinator was asked for 60 s; ask again later.")
        #expect(farm.server.count("GET", "/v1/jobs/\(job.id)") == 201)
    }

    @Test func otherBytesThanTheFarmRecordedAreNotKept() async throws {
        var other = job
        other.artifact = ContentDigest(of: Data("another".utf8))
        let error = await #expect(throws: CommandFailure.self) { try await fetch(other) }
        #expect(error?.status == .internalError)
        #expect(error?.lines.first?.contains("other bytes") == true)
        #expect(files.isEmpty)
    }

    @Test func aMovieIsNotNamedLikeAnotherKindOfFile() async throws {
        var other = job
        other.preset = "lossless"
        try farm.server.serve(try WireJSON.encode(other), at: "/v1/jobs/\(job.id)/.bytes")
        try Data("secret".utf8).write(to: URL(fileURLWithPath: farm.folder.path("token")))
        let command = try FetchCommand.parse([
            job.id.description, "-o", output, "--coordinator", farm.server.url, "--token-file",
            farm.folder.path("token"),
        ])
        let error = await #expect(throws: CommandFailure.self) { try await command.run() }
        #expect(error?.status == .usage)
        #expect(files.isEmpty)
    }

    /// Also before the first answer.
    @Test func aCoordinatorThatIsAwayIsWaitedForByTheCommand() async throws {
        try farm.server.serve(try WireJSON.encode(job), at: "/v1/jobs/\(job.id)/.bytes")
        try farm.server.script(["503 store_unavailable", "drop"], at: "/v1/jobs/\(job.id)")
        try Data("secret".utf8).write(to: URL(fileURLWithPath: farm.folder.path("token")))
        let command = try FetchCommand.parse([
            job.id.description, "-o", output, "--coordinator", farm.server.url, "--token-file",
            farm.folder.path("token"),
        ])
        try await command.run()
        #expect(FileManager.default.contents(atPath: output) == farm.movie)
    }

    /// Called as `render -o FOLDER` would call it.
    @Test(arguments: [("x/night.mp4", "night.mp4"), (nil, "edit.mp4")] as [(String?, String)])
    func aFolderIsAPlaceToo(written: String?, name: String) async throws {
        let movies = farm.folder.path("movies")
        try FileManager.default.createDirectory(atPath: movies, withIntermediateDirectories: false)
        try farm.server.serve(try WireJSON.encode(job), at: "/v1/jobs/\(job.id)/.bytes")
        let settings = OutputSettings(
            preset: "h264",
            file: written,
            range: nil,
            size: PictureSize(width: 320, height: 240),
            container: .mp4,
            video: nil,
            audio: nil
        )
        try farm.server.serve(try WireJSON.encode(["output": settings]), at: "/v1/jobs/\(job.id)/plan")
        try Data("secret".utf8).write(to: URL(fileURLWithPath: farm.folder.path("token")))
        let command = try FetchCommand.parse([
            job.id.description, "-o", movies, "--coordinator", farm.server.url, "--token-file",
            farm.folder.path("token"),
        ])
        try await command.run()
        #expect(FileManager.default.contents(atPath: movies + "/" + name) == farm.movie)
        #expect(try FileManager.default.contentsOfDirectory(atPath: movies) == [name])
    }

    /// Scripts tell what may come from what never will.
    @Test(arguments: [(JobState.rendering, 6), (.queued, 6), (.failed, 4), (.cancelled, 4)] as [(JobState, Int32)])
    func aJobWithoutAMovie(state: JobState, status: Int32) async throws {
        var other = job
        other.state = state
        try farm.server.serve(try WireJSON.encode(other), at: "/v1/jobs/\(job.id)/.bytes")
        try Data("secret".utf8).write(to: URL(fileURLWithPath: farm.folder.path("token")))
        let command = try FetchCommand.parse([
            job.id.description, "-o", output, "--coordinator", farm.server.url, "--token-file",
            farm.folder.path("token"),
        ])
        let error = await #expect(throws: CommandFailure.self) { try await command.run() }
        #expect(error?.status.rawValue == status)
        #expect(error?.lines.first?.contains("is \(state.rawValue); there is no movie to fetch") == true)
        #expect(files.isEmpty)
    }

    @Test(arguments: [("no_space", 7), ("attempts_exhausted", 4)] as [(String, Int32)])
    func aFailedJobSaysWhy(code: String, status: Int32) async throws {
        var failed = job
        failed.state = .failed
        failed.failure = Failure(code: code, message: "Why.", isPermanent: true)
        try farm.server.serve(try WireJSON.encode(failed), at: "/v1/jobs/\(job.id)/.bytes")
        let watcher = JobWatcher(connection: farm.connection, display: ProgressDisplay(json: false, quiet: true))
        let error = await #expect(throws: CommandFailure.self) { try await watcher.deliver(job.id, to: nil) }
        #expect(error?.status.rawValue == status)
        #expect(error?.lines == ["Job \(job.id) failed: Why."])
    }

    @Test func aRefusalIsSaidAsTheCoordinatorSaysIt() async throws {
        try farm.server.script(["410 asset_changed"], at: "/v1/jobs/\(job.id)/output")
        let error = await #expect(throws: ClientError.self) { try await fetch(job) }
        #expect(error?.description == "Detail of 410.")
        #expect(files.isEmpty)
    }
}
