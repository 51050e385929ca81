import Foundation
import Sandbox
import TestSupport
import Testing

/// The versions of the render program, for which several parts of one process ask.
@Suite struct InstalledRendererTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The real program behind a script that notes each start, and refuses to start until `open` is there.
    private func renderer() throws -> InstalledRenderer {
        let (log, open) = (folder.path("log"), folder.path("open"))
        let script = """
            #!/bin/sh
            echo started >> '\(log)'
            [ -e '\(open)' ] || exit 9
            exec '\(Programs.render)' "$@"

            """
        return InstalledRenderer(RenderProcess(executable: try folder.program("renderer", script)))
    }

    private func starts() throws -> Int {
        try String(contentsOfFile: folder.path("log"), encoding: .utf8).split(separator: "\n").count
    }

    @Test func callersAtTheSameTimeStartItOnce() async throws {
        let renderer = try renderer()
        try #require(FileManager.default.createFile(atPath: folder.path("open"), contents: nil))
        let known = try await withThrowingTaskGroup(of: InstalledRenderer.Versions.self) { group in
            for _ in 0..<8 { group.addTask { try await renderer.versions() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(known.count == 8 && known.allSatisfy { $0.libraries["libavcodec"] == known[0].libraries["libavcodec"] })
        _ = try await renderer.versions()
        #expect(try starts() == 1)
    }

    @Test func afterAFailureItIsAskedAgain() async throws {
        let renderer = try renderer()
        await #expect(throws: RenderFailed.self) { try await renderer.versions() }
        try #require(FileManager.default.createFile(atPath: folder.path("open"), contents: nil))
        _ = try await renderer.versions()
        #expect(try starts() == 2)
    }
}
