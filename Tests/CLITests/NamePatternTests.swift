import CompositionModel
import EditLanguage
import Foundation
import Ingest
import TestSupport
import Testing
import WireProtocol

@testable import CLI

/// Names with places that each file fills, and where movies go by them.
@Suite struct NamePatternTests {
    @Test func placesAreFilled() throws {
        let day = Date(timeIntervalSince1970: 1_800_000_000 + 43_200)
        func filled(_ text: String, _ title: String = "clip.one.mov") throws -> String {
            try NamePattern(text).filled(title: title, fileExtension: "mp4", preset: "h264", day: day)
        }
        #expect(try filled("exports/{name}.{ext}") == "exports/clip.one.mp4")
        #expect(try filled("exports/{preset}/{name}-{name}.mp4") == "exports/h264/clip.one-clip.one.mp4")
        #expect(try filled("{date}/{name}").hasPrefix("2027-01-1"))
        let undated = try NamePattern("{date}/{name}.{ext}")
            .undated(title: "{date}.mov", fileExtension: "mp4", preset: "h264")
        #expect(undated == "{date}/{date}.mp4", "what may be another on another day stays")
        #expect(try filled("plain.mp4") == "plain.mp4" && NamePattern("plain.mp4").isPlain)
        #expect(try filled("{name}", "../../etc/passwd") == "passwd", "no folder comes in by a title")
        let failure = #expect(throws: CommandFailure.self) { try NamePattern("{nmae}.mp4") }
        #expect(failure?.lines == ["“{nmae}” in {nmae}.mp4 is not known; there are {name}, {ext}, {preset}, {date}."])
    }

    private func orders(_ to: String, outputs: [String], preset: String? = nil) throws -> [Int: String] {
        let written = outputs.map { #"{ "preset": "\#($0)" }"# }.joined(separator: ", ")
        let folder = try TemporaryFolder()
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mov" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }] }], "outputs": [\(written)] }
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("edit.json")))
        let file = try EditFile.load(folder.path("edit.json"), assets: [])
        let document = try #require(file.read.document)
        let names = try TargetNames(to: to, replaces: false, title: "edit.json")
        return try names.orders(for: document, preset: preset, compiled: nil).today.mapValues(\.to)
    }

    @Test func everyOutputHasItsTarget() throws {
        #expect(try orders("exports/", outputs: ["h264"]) == [0: "exports/edit.mp4"])
        #expect(try orders("exports/a.mp4", outputs: ["h264"]) == [0: "exports/a.mp4"])
        #expect(try orders("exports/{name}.{ext}", outputs: ["lossless"]) == [0: "exports/edit.mkv"])
        #expect(
            try orders("exports/", outputs: ["h264", "lossless"]) == [0: "exports/edit.mp4", 1: "exports/edit.mkv"]
        )
        #expect(try orders("exports/a.mkv", outputs: ["h264", "h264"], preset: "lossless") == [0: "exports/a.mkv"])
        for (target, outputs) in [
            ("exports/a.mp4", ["h264", "h264"]), ("exports/a.mkv", ["h264"]), ("/a.mp4", ["h264"]), ("a.mp4", ["h264"]),
            ("exports/../a.mp4", ["h264"]),
        ] {
            #expect(throws: CommandFailure.self, "\(target)") { try orders(target, outputs: outputs) }
        }
    }

    /// A target is a file of the coordinator: a folder of that name on this machine says nothing about it.
    @Test func nothingOfThisMachineIsLookedAt() throws {
        let folder = "Sources/CLI"
        try #require(FileManager.default.fileExists(atPath: folder), "tests run in the folder of the package")
        #expect(throws: CommandFailure.self) { try orders(folder, outputs: ["h264"]) }
    }

    /// A movie cannot lie where another line needs a folder, whichever comes first.
    @Test(arguments: [["exports/n.mp4", "exports/n.mp4/x.mp4"], ["exports/n.mp4/b/x.mp4", "exports/n.mp4"]])
    func noTargetIsAFolderOfAnother(targets: [String]) throws {
        var claims = TargetClaims()
        try claims.claim([0: DeliveryOrder(to: targets[0])], place: "jobs:1")
        try claims.claim([0: DeliveryOrder(to: "exports/n.mp4x")], place: "jobs:2")
        let failure = #expect(throws: CommandFailure.self) {
            try claims.claim([0: DeliveryOrder(to: targets[1])], place: "jobs:3")
        }
        #expect(
            failure?.lines == [
                "jobs:3: one of \(targets[1]) and \(targets[0]) (jobs:1) would be a folder and a movie; give one of them another name."
            ]
        )
    }

    @Test func noTwoLinesHaveOneTarget() throws {
        var claims = TargetClaims()
        try claims.claim([0: DeliveryOrder(to: "exports/a.mp4")], place: "jobs:1")
        let failure = #expect(throws: CommandFailure.self) {
            try claims.claim([0: DeliveryOrder(to: "exports/a.mp4")], place: "jobs:2")
        }
        #expect(failure?.lines == ["jobs:2: jobs:1 goes to exports/a.mp4 too; give each job a target of its own."])
        let twice = [0: DeliveryOrder(to: "exports/b.mp4"), 1: DeliveryOrder(to: "exports/b.mp4")]
        #expect(throws: CommandFailure.self) { try claims.claim(twice, place: "jobs:3") }
        try claims.claim([0: DeliveryOrder(to: "exports/b.mp4")], place: "jobs:4")
    }
}
