import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import CLI

/// What a command says about its own arguments and files.
@Suite struct RefusalTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    @Test(arguments: [
        ("", "is empty"), (" \n\n", "is empty"), ("one\ntwo\n", "several lines"), ("one\r\ntwo", "several lines"),
    ])
    func aTokenFileHoldsOneToken(text: String, words: String) throws {
        let options = try FarmOptions.parse(["--token-file", try write("token", text)])
        let error = #expect(throws: CommandFailure.self) { try options.connect() }
        #expect(error?.status == .usage)
        #expect(error?.lines.first?.contains(words) == true)
    }

    @Test func spaceAroundATokenIsNoPartOfIt() throws {
        _ = try FarmOptions.parse(["--token-file", try write("token", " one\n\n")]).connect()
    }

    @Test(arguments: [["show", "job_x"], ["cancel", "x"], ["watch", "wrk_1"]])
    func aJobsIdIsExplained(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try CutfarmCommand.parseAsRoot(arguments) }
        let message = CutfarmCommand.message(for: error)
        #expect(message.contains("job_ and a UUID") && message.contains("`cutfarm jobs`"), "\(message)")
    }

    @Test func aWorkersIdIsExplained() throws {
        let error = try #require(throws: (any Error).self) { try CutfarmCommand.parseAsRoot(["drain", "x"]) }
        #expect(CutfarmCommand.message(for: error).contains("wrk_ and a UUID"))
    }

    @Test func aManifestLineWithoutAnEditSaysSo() throws {
        let path = try write("t.jsonl", #"{ "output": "x.mp4" }"#)
        guard case .bad(let sentence) = try #require(try Manifest.read(path).first) else {
            Issue.record("not refused")
            return
        }
        #expect(sentence.hasPrefix("\(path):1: the key “edit” is missing"))
    }
}
