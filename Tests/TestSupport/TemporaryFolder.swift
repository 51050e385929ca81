public import Foundation

/// A new folder below the system's temporary one, removed with everything in it when this goes away.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("cutfarm-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of `name` in this folder.
    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
