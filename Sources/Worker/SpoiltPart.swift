import Foundation

/// A fault for tests: with `CUTFARM_SPOIL_PARTS=1` a worker flips one bit in the middle of each segment of the picture that
/// it has rendered, before it hashes it, as faulty memory would. Without the variable nothing happens.
enum SpoiltPart {
    private static let isWanted = ProcessInfo.processInfo.environment["CUTFARM_SPOIL_PARTS"] == "1"

    /// Flips a bit of the file when that is wanted.
    /// - Throws: `CocoaError` when the file cannot be changed.
    static func spoil(_ path: String) throws {
        guard isWanted else { return }
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        let middle = try file.seekToEnd() / 2
        try file.seek(toOffset: middle)
        guard let byte = try file.read(upToCount: 1)?.first else { return }
        try file.seek(toOffset: middle)
        try file.write(contentsOf: Data([byte ^ 1]))
    }
}
