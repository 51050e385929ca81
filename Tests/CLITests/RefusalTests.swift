import ArgumentParser
import Foundation
import TLS
import TestSupport
import Testing
import WireProtocol

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

    /// A wrong `--tls-cert` or `--tls-key` is the user's to mend, not a defect of the program.
    @Test func aCertificateThatCannotBeReadIsNamed() throws {
        let path = folder.path("none.pem")
        let error = try #require(throws: CredentialsError.self) {
            try ServerContext(certificateFile: path, keyFile: path)
        }
        let failure = try #require(CommandFailure(recognising: error))
        #expect(failure.status == .usage && failure.lines.first?.contains(path) == true)
    }

    @Test func spaceAroundATokenIsNoPartOfIt() throws {
        _ = try FarmOptions.parse(["--token-file", try write("token", " one\n\n")]).connect()
    }

    @Test(arguments: [["show", "job_x"], ["cancel", "x"], ["watch", "wrk_1"], ["logs", "zz"]])
    func aJobsIdIsExplained(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try CutfarmCommand.parseAsRoot(arguments) }
        let message = CutfarmCommand.message(for: error)
        #expect(message.contains("job_ and a UUID") && message.contains("`cutfarm jobs`"), "\(message)")
    }

    @Test(arguments: ["01/0", "01/x", "01/"]) func aTasksNumberIsExplained(id: String) throws {
        let error = try #require(throws: (any Error).self) { try CutfarmCommand.parseAsRoot(["logs", id]) }
        #expect(CutfarmCommand.message(for: error).contains("a task's number, from 1"))
    }

    @Test(arguments: [
        ("localhost", false, "http://localhost:7411"), ("127.0.0.1:80", false, "http://127.0.0.1:80"),
        ("::1", false, "http://[::1]:7411"), ("farm.example", false, "https://farm.example:7411"),
        ("farm.example:443/", false, "https://farm.example:443"), ("farm", true, "http://farm:7411"),
        ("farm.example/cut", false, "https://farm.example:7411/cut"), ("[::1]:80/a/b", false, "http://[::1]:80/a/b"),
    ]) func aHostAloneIsCompleted(text: String, allowsClear: Bool, url: String) throws {
        let address = CoordinatorAddress(text, allowsClear: allowsClear)
        #expect(address.url == url)
        #expect(address.note?.contains(url) == true)
        #expect(CoordinatorAddress(url, allowsClear: allowsClear).note == nil)
    }

    @Test(arguments: [("stil", "cutfarm still"), ("rendr", "cutfarm render"), ("xyzzy", "no command “xyzzy”")])
    func aMistypedCommandIsExplained(word: String, expected: String) throws {
        let failure = try #require(CutfarmCommand.unknownCommand([word, "x"]))
        #expect(failure.status == .usage && failure.lines[0].contains(expected))
        #expect(CutfarmCommand.unknownCommand(["still", "x"]) == nil && CutfarmCommand.unknownCommand([]) == nil)
        #expect(CutfarmCommand.unknownCommand(["--help"]) == nil && CutfarmCommand.unknownCommand(["help"]) == nil)
    }

    @Test func aWorkersIdIsExplained() throws {
        let error = try #require(throws: (any Error).self) { try CutfarmCommand.parseAsRoot(["drain", "wrk_x"]) }
        #expect(CutfarmCommand.message(for: error).contains("wrk_ and a UUID"))
    }

    /// A name stands for all who have it; one that nobody has is told.
    @Test func workersAreDrainedByName() async throws {
        let farm = try await ScriptedCoordinator()
        let workers = ["one", "two", "one"].map { name in
            WorkerView(
                id: WorkerID(uuid: UUID()),
                name: name,
                slots: 1,
                isDraining: false,
                secondsSinceSeen: 0,
                running: 0,
                completed: 0,
                failed: 0
            )
        }
        try farm.server.serve(try WireJSON.encode(workers), at: "/v1/workers/.bytes")
        let farmOptions = ["--coordinator", farm.server.url, "--token-file", try write("token", "secret")]
        try await DrainCommand.parse(["one"] + farmOptions).run()
        for worker in workers {
            let drained = farm.server.count("POST", "/v1/workers/\(worker.id)/drain")
            #expect(drained == (worker.name == "one" ? 1 : 0))
        }
        let nobody = try DrainCommand.parse(["three"] + farmOptions)
        let error = await #expect(throws: CommandFailure.self) { try await nobody.run() }
        #expect(error?.status == .usage && error?.lines.first?.contains("no worker “three”") == true)
    }

    /// Nothing has to be remembered by a command that only looks.
    @Test func aStateFolderThatCannotBeMadeKeepsNobodyFromLooking() throws {
        let local = try LocalMediaOptions.parse(["--state", "/proc/nowhere/state"])
        _ = local.probe()
        #expect(throws: CommandFailure.self) { try StateFolder.path("/proc/nowhere/state") }
    }

    @Test func aManifestLineWithoutAnEditSaysSo() throws {
        let path = try write("t.jsonl", #"{ "output": "x.mp4" }"#)
        guard case .bad(let sentence) = try #require(try Manifest.read(path).first) else {
            Issue.record("not refused")
            return
        }
        #expect(sentence.hasPrefix("\(path):1: the key “edit” is missing"))
    }

    /// A line of a manifest says by itself what is copied, and which source its output follows.
    @Test func aManifestLineSaysWhatIsCopied() throws {
        let lines = [
            #"{ "edit": "a.json", "smart": true }"#, #"{ "edit": "a.json", "match": "camera" }"#,
            #"{ "edit": "a.json", "preset": "match", "match": "camera" }"#,
            #"{ "edit": "a.json", "preset": "h264", "match": "camera" }"#, #"{ "edit": "a.json", "smart": "yes" }"#,
        ]
        let read = try Manifest.read(try write("t.jsonl", lines.joined(separator: "\n")))
        var (entries, sentences): ([ManifestEntry], [String]) = ([], [])
        for line in read {
            switch line {
            case .entry(let entry, _): entries.append(entry)
            case .bad(let sentence): sentences.append(sentence)
            }
        }
        #expect(entries.map(\.smart) == [true, nil, nil])
        #expect(entries.map(\.match) == [nil, "camera", "camera"])
        try #require(sentences.count == 2)
        #expect(sentences[0].hasSuffix("“match” goes with the preset match, not with “h264”; leave one of them out."))
        #expect(sentences[1].hasSuffix(":5: “smart” must be true or false, and it is \"yes\"."))
    }

    /// A value of another type is named by its key, with what is written and what is to be.
    @Test(arguments: [
        (#""priority": "5""#, #"“priority” must be a whole number, and it is "5"."#),
        (#""priority": 2.5"#, "“priority” must be a whole number, and it is 2.5."),
        (#""to": 5"#, "“to” must be a string, and it is 5."),
        (#""replace": null, "title": ["a"]"#, #"“title” must be a string, and it is ["a"]."#),
        (
            #""params": { "name": null }"#,
            "“params.name” must be a string, a number of up to 38 digits, true or false, and it is null."
        ),
        (#""params": ["a"]"#, #"“params” must be an object of strings, numbers, true and false, and it is ["a"]."#),
        (#""require": "tag=a""#, #"“require” must be a list of strings, and it is "tag=a"."#),
        (#""require": ["tag=a", 5]"#, #"“require” must be a list of strings, and it is ["tag=a",5]."#),
        (#""afterJobs": 7"#, "“afterJobs” must be a list of the ids of jobs, and it is 7."),
        (#""deadline": 7"#, "“deadline” must be a string, and it is 7."),
    ])
    func aManifestLineNamesTheWrongKey(member: String, sentence: String) throws {
        let path = try write("t.jsonl", #"{ "edit": "a.json", \#(member) }"#)
        guard case .bad(let said) = try #require(try Manifest.read(path).first) else {
            Issue.record("not refused")
            return
        }
        #expect(said == "\(path):1: \(sentence)")
    }

    /// Of two values the second would count, and nobody would see that.
    @Test(arguments: [
        (#"{ "edit": "a.json", "priority": 1, "priority": 2 }"#, "priority"),
        (#"{ "edit": "a.json", "params": { "a/b": "1", "n": 2, "a/b": "1" } }"#, "a/b"),
    ])
    func aManifestLineSaysAKeyOnce(row: String, key: String) throws {
        let path = try write("t.jsonl", row)
        guard case .bad(let said) = try #require(try Manifest.read(path).first) else {
            Issue.record("not refused")
            return
        }
        #expect(said == "\(path):1: the key “\(key)” appears twice.")
    }

    /// Bytes of another encoding refuse the rows in which they stand; a file that is no text at all is refused as a whole.
    @Test(arguments: ["t.jsonl", "t.csv"])
    func bytesThatAreNotUTF8SpoilTheirOwnRow(name: String) throws {
        let rows =
            name == "t.csv"
            ? ["edit,title", "a.json,é", "b.json,_", "c.json,ok"]
            : ["a", "é", "c"].map {
                #"{ "edit": "\#($0).json" }"#
            }
        var bytes = Array(rows.joined(separator: "\n").utf8)
        let accent = try #require(bytes.firstIndex(of: 0xC3))
        bytes.remove(at: accent + 1)
        bytes[accent] = 0xE9
        let path = folder.path(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let lines = try Manifest.read(path)
        let sentences = lines.map { if case .bad(let said) = $0 { said } else { "" } }
        let refused = "\(path):2: it has bytes that are not UTF-8; save the manifest as UTF-8."
        #expect(sentences == (name == "t.csv" ? [refused, "", ""] : ["", refused, ""]))
        // The same sign in a file that is UTF-8 is a character like others.
        let sign = name == "t.csv" ? "edit,title\na.json,\u{fffd}" : #"{ "edit": "\#u{fffd}.json" }"#
        try Data(sign.utf8).write(to: URL(fileURLWithPath: path))
        guard case .entry = try #require(try Manifest.read(path).first) else {
            Issue.record("refused")
            return
        }
        // A column's name counts as a row does.
        if name == "t.csv" {
            try Data(bytes.filter { $0 != 10 }).write(to: URL(fileURLWithPath: path))
            let head = #expect(throws: CommandFailure.self) { try Manifest.read(path) }
            #expect(head?.lines == ["\(path):1: it has bytes that are not UTF-8; save the manifest as UTF-8."])
        }
        try Data(bytes + [0]).write(to: URL(fileURLWithPath: path))
        let whole = #expect(throws: CommandFailure.self) { try Manifest.read(path) }
        #expect(whole?.lines == ["The manifest \(path) has NUL bytes: it is binary, or UTF-16; save it as UTF-8."])
    }

    /// A farm is bound to the prefix of its bucket for good.
    @Test(arguments: ["s3://b/../y", "s3://b/a/./y", "s3://b/a\u{7}/y"])
    func aPrefixThatIsNoneIsRefused(address: String) throws {
        let options = try ArtifactOptions.parse(["--artifacts", address])
        let failure = try #require(throws: CommandFailure.self) { _ = try options.bucket(try S3Options.parse([])) }
        #expect(failure.status == .usage && failure.lines[0].contains("cannot be one; remove that part"), "\(failure)")
    }

    /// Two files of one name are two movies of one name; a file that is given twice is a mistake of another kind.
    @Test func aFileThatIsGivenTwiceIsNamed() async throws {
        let paths = try [write("a.mov", "x"), write("b.mov", "x")]
        let command = try ExportCommand.parse(
            paths + [paths[0], "--preset", "h264", "--to", "exports/", "--coordinator", "http://127.0.0.1:9"]
        )
        let failure = await #expect(throws: CommandFailure.self) { try await command.run() }
        #expect(failure?.lines == ["\(paths[0]) is given twice; give it once."])
    }

    /// A watched folder may stay empty for days: what is wrong with the command is said when it starts.
    @Test(arguments: [["--preset", "h265"], ["--preset", "h264", "--to", "exports/{nope}"]])
    func aWatchedFolderIsNotWatchedWithAWrongOption(options: [String]) async throws {
        let watched = folder.path("watched")
        try FileManager.default.createDirectory(atPath: watched, withIntermediateDirectories: true)
        let address = ["--coordinator", "http://127.0.0.1:9", "--state", folder.path("state"), "--once"]
        let command = try WatchFolderCommand.parse([watched] + options + address)
        let failure = await #expect(throws: CommandFailure.self) { try await command.run() }
        #expect(failure?.status == .usage)
        #expect(failure?.lines.first?.contains(options.count == 2 ? "there is no preset \"h265\"" : "“{nope}”") == true)
    }
}
