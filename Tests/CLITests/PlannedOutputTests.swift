import Client
import Foundation
import Shared
import TestSupport
import Testing

@testable import CLI

@Suite struct PlannedOutputTests {
    private func paths(
        _ destination: String?,
        preset: String? = nil,
        needsFiles: Bool = false
    ) async throws -> [String?] {
        let farm = try await ScriptedCoordinator()
        let document = try #require(try EditFile.load(try farm.edit(), assets: []).read.document)
        return try PlannedOutput.list(
            document,
            preset: preset,
            destination: destination,
            isForced: false,
            needsFiles: needsFiles
        ).map(\.path)
    }

    @Test(arguments: [
        ("a.mp4", "h264"), ("a.M4V", "h264-720p"), ("a", "h264"), ("a.part", "lossless"), ("a.mkv", "lossless"),
        ("a.mp4", "no such preset"),
    ])
    func namesThatFit(name: String, preset: String) async throws {
        #expect(try await paths(name, preset: preset) == [name])
    }

    @Test(arguments: [("a.mkv", "h264"), ("a.mov", "h264"), ("a.mp4", "lossless"), ("a.webm", "lossless")])
    func namesOfOtherFiles(name: String, preset: String) async throws {
        let error = await #expect(throws: CommandFailure.self) { try await paths(name, preset: preset) }
        #expect(error?.status == .usage)
        #expect(error?.lines.first?.hasPrefix(name) == true)
    }

    /// The edit's own name counts like one on the command line, also for a preset that replaces the edit's, as soon as
    /// something is to be written there.
    @Test func theEditsOwnName() async throws {
        #expect(try await paths(nil) == ["out.mp4"])
        #expect(try await paths(nil, preset: "lossless") == ["out.mp4"])
        await #expect(throws: CommandFailure.self) { try await paths(nil, preset: "lossless", needsFiles: true) }
    }

    @Test func oneLineClaimsAFileOnce() throws {
        var claims = OutputClaims()
        try claims.claim(["/a/x.mp4", "/a/y.mp4"], place: "1")
        #expect(throws: CommandFailure.self) { try claims.claim(["/a/z.mp4", "/b/../a/y.mp4"], place: "2") }
        try claims.claim(["/a/z.mp4"], place: "3")
        let error = #expect(throws: CommandFailure.self) { try claims.claim(["/q", "/q"], place: "4") }
        #expect(error?.lines == ["4: two of its outputs go to /q too; give each output a file of its own."])
    }
}
