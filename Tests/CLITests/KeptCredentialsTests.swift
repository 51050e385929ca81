import Foundation
import TestSupport
import Testing

@testable import CLI

/// The file in which `cutfarm login` keeps a token.
@Suite struct KeptCredentialsTests {
    private let folder: TemporaryFolder
    private let kept = Credentials(coordinator: "http://127.0.0.1:9", token: "secret", allowsInsecureToken: false)

    init() throws { folder = try TemporaryFolder() }

    private func sentence(_ body: () throws -> Void) -> String {
        do { try body() } catch let failure as CommandFailure { return failure.lines.joined(separator: "\n") } catch {
            return "\(error)"
        }
        return ""
    }

    /// A link is neither taken for a file that others may read, nor followed.
    @Test func aLinkInItsPlaceIsNamed() throws {
        let (path, other) = (folder.path("credentials"), folder.path("other"))
        try kept.save(other)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        let said = sentence { _ = try Credentials.load(path) }
        #expect(said.contains("\(path) is a link to another file") && !said.contains("chmod"), "\(said)")
        try kept.save(path)
        #expect(try Credentials.load(path) == kept && Credentials.load(other) == kept)
        #expect(throws: (any Error).self) { try FileManager.default.destinationOfSymbolicLink(atPath: path) }
    }

    @Test func whatIsNoFileIsNamed() throws {
        let path = folder.path("credentials")
        #expect(try Credentials.load(path) == nil)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(sentence { _ = try Credentials.load(path) }.contains("is no file"))
    }

    /// The reason is that of the call that failed, and not of what was called since.
    @Test func whyItCannotBeWrittenIsSaid() throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("file")))
        let said = sentence { try kept.save(folder.path("file/cutfarm/credentials")) }
        #expect(said.hasSuffix("cannot be written: Not a directory."), "\(said)")
        try FileManager.default.createDirectory(atPath: folder.path("taken/x"), withIntermediateDirectories: true)
        let full = sentence { try kept.save(folder.path("taken")) }
        #expect(full.hasSuffix("cannot be written: Is a directory."), "\(full)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("")).filter { $0.hasPrefix(".cred") }
        #expect(left.isEmpty)
    }
}
