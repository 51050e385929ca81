import TestSupport

extension CopySource {
    /// - Parameter seed: sources of other seeds show other pictures.
    func make(in folder: TemporaryFolder, seed: Int) async throws -> TestMovie {
        for step in steps(seed: seed, path: folder.path) { try await Shell.ffmpeg(step) }
        return try TestMovie(path: folder.path(file))
    }
}
