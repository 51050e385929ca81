import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import CLI

@Suite struct RenderCommandTests {
    /// Two outputs of one name, in folders of their own, would go to one file: said before anything is rendered, and
    /// also with --force, which is meant for files that were there before.
    @Test(arguments: [[], ["--force"]])
    func twoOutputsDoNotGoToOneFile(options: [String]) async throws {
        let farm = try await ScriptedCoordinator()
        let edit = try farm.edit(files: ["a/x.mp4", "b/x.mp4"])
        let folder = farm.folder.path("movies")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let command = try RenderCommand.parse([edit, "-o", folder, "--state", farm.folder.path("state")] + options)
        let error = await #expect(throws: CommandFailure.self) { try await command.run() }
        #expect(error?.status == .usage)
        #expect(error?.lines.first?.contains("two of its outputs go to \(folder)/x.mp4") == true)
        #expect(!FileManager.default.fileExists(atPath: farm.folder.path("state")))
    }
}
