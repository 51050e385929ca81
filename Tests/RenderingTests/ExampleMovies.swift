import Foundation
import TestSupport

/// The movies of ``TestTimeline/example(rate:encoding:)``, made once a run for each rate and removed when it ends.
actor ExampleMovies {
    static let shared = ExampleMovies()

    private static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("cutfarm-test-movies-\(UUID().uuidString)")
    private var made: [String: Task<[TestMovie], any Error>] = [:]

    /// `rate` as ffmpeg reads it.
    func movies(rate: String) async throws -> [TestMovie] {
        if made.isEmpty { try ExampleMovies.makeFolder() }
        if let known = made[rate] { return try await known.value }
        let task = Task { try await ExampleMovies.make(rate: rate) }
        made[rate] = task
        return try await task.value
    }

    private static func makeFolder() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: ExampleMovies.folder) }
    }

    private static func make(rate: String) async throws -> [TestMovie] {
        let prefix = folder.appendingPathComponent(rate.replacing("/", with: "-")).path
        var movies: [TestMovie] = []
        for (pattern, size, frames) in [
            ("testsrc2", "320x180", 90), ("mandelbrot", "318x180", 50), ("yuvtestsrc", "96x64", 40),
        ] {
            let path = "\(prefix)-\(pattern).mp4"
            try await Shell.ffmpeg(TestPattern.movie(pattern, size, rate: rate, frames: frames) + [path])
            movies.append(try TestMovie(path: path))
        }
        return movies
    }
}
