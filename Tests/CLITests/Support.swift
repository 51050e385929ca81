import Client
import CompositionModel
import Foundation
import Ingest
import TestSupport
import Timing
import WireProtocol

@testable import CLI

/// A coordinator that says what it is told to, and a command's way to it.
struct ScriptedCoordinator: Sendable {
    let folder: TemporaryFolder
    let server: LoopbackServer
    let connection: CoordinatorConnection
    let movie = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) })

    init() async throws {
        folder = try TemporaryFolder()
        server = try await LoopbackServer(folder: folder.path("served"))
        connection = try CoordinatorConnection(baseURL: server.url, token: "secret", clock: PauseClock())
    }

    /// An edit of one clip, whose bytes nobody looks at, with one output for each of `files`. - Returns: its path.
    func edit(_ name: String = "edit.json", files: [String] = ["out.mp4"]) throws -> String {
        let outputs = files.map { #"{ "preset": "h264", "file": "\#($0)" }"# }.joined(separator: ", ")
        let text = """
            { "schema": "edit/1", "format": { "size": [320, 240], "frameRate": "25" }, "assets": { "a": "a.mov" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }] }],
              "outputs": [\(outputs)] }
            """
        try Data("clip".utf8).write(to: URL(fileURLWithPath: folder.path("a.mov")))
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    /// A job that is done; its movie is ``movie`` unless told otherwise.
    func job(artifact: ContentDigest? = nil) throws -> JobView {
        JobView(
            id: JobID(uuid: UUID()),
            title: "edit.json",
            owner: "me",
            state: .completed,
            failure: nil,
            priority: 0,
            created: Date(timeIntervalSince1970: 1_000_000),
            finished: nil,
            frameCount: 25,
            frameRate: try FrameRate(25),
            preset: "h264",
            fileExtension: "mp4",
            tasks: TaskCounts(completed: 3),
            permille: 1000,
            artifact: artifact ?? ContentDigest(of: movie),
            byteCount: Int64(movie.count)
        )
    }

    func serve(_ job: JobView) throws {
        try server.serve(try WireJSON.encode(job), at: "/v1/jobs.reply")
        try server.serve(movie, at: "/v1/jobs/\(job.id)/output")
    }

    var delivery: AssetDelivery {
        AssetDelivery(connection: connection, ledger: AssetLedger(stateFolder: folder.path("state")), sharesHost: false)
    }
}
