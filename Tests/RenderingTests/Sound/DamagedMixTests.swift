import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing

@testable import Rendering

/// Mixes of sources in which bytes are wrong: the same for any number of pieces, and each says what is wrong with it.
@Suite struct DamagedMixTests {
    /// 25 s of a sweep, with wrong bytes at 45 % and 85 % of the file.
    private func damaged(_ name: String, _ arguments: [String], in folder: TemporaryFolder) async throws -> TestMovie {
        let sweep = "aevalsrc='0.3*sin((250+450*t)*t)|0.3*sin((56000-700*t)*t)':s=48000:d=25"
        let path = folder.path(name)
        try await Shell.ffmpeg(["-f", "lavfi", "-i", sweep] + arguments + [path])
        try WrongBytes.write(1500, at: [45, 85], of: path)
        return try TestMovie(path: path)
    }

    private func sources(in folder: TemporaryFolder) async throws -> [String: TestMovie] {
        [
            "flac": try await damaged("a.flac", ["-c:a", "flac"], in: folder),
            "mp3": try await damaged("a.mp3", ["-c:a", "libmp3lame", "-b:a", "128k"], in: folder),
            "aac": try await damaged("a.m4a", ["-c:a", "aac", "-b:a", "128k"], in: folder),
            "adts": try await damaged("a.aac", ["-c:a", "aac", "-b:a", "128k"], in: folder),
        ]
    }

    /// Edits that play all four, one after the other, or one alone: decoded before it is mixed, or while it is.
    private func text(_ clips: [String], _ assets: [String]) -> String {
        """
        { "schema": "edit/1",
          "format": { "size": [64, 36], "frameRate": "30", "sampleRate": 48000, "channels": 2 },
          "assets": { \(assets.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")) },
          "tracks": [ { "kind": "audio", "segments": [ \(clips.joined(separator: ", ")) ] } ] }
        """
    }

    private func clip(_ asset: String, _ start: String = "0s", _ duration: String = "24s") -> String {
        "{ \"asset\": \"\(asset)\", \"range\": [\"\(start)\", \"\(duration)\"] }"
    }

    @Test func anyNumberOfPiecesGivesTheSameSamples() async throws {
        let folder = try TemporaryFolder()
        let sources = try await sources(in: folder)
        let names = sources.keys.sorted()
        let clips = [names.map { clip($0) }] + names.map { [clip($0)] }
        for clips in clips {
            let edit = try PlannedEdit(text(clips, names), sources)
            let whole = try edit.rendered(try #require(edit.plan(1).sound), in: folder)
            #expect(whole.warnings.map(\.code) == clips.map { _ in "sound_damaged" })
            for count in [2, 5] {
                let pieces = try edit.plan(count).soundPieces.map { try edit.rendered($0.task, in: folder) }
                #expect(pieces.count == count && pieces.flatMap(\.steps) == whole.steps, "\(clips) \(count)")
                let said = pieces.flatMap(\.warnings)
                #expect(Set(said.map(\.asset)) == Set(whole.warnings.map(\.asset)))
            }
        }
    }

    @Test func theWarningSaysWhere() async throws {
        let folder = try TemporaryFolder()
        let sources = try await sources(in: folder)
        func said(_ clips: [String], nested: [String: String] = [:]) throws -> [String] {
            let edit = try PlannedEdit(
                text(clips, sources.keys.sorted() + nested.keys.sorted()),
                sources,
                nested: nested
            )
            return try edit.rendered(try #require(edit.plan(1).sound), in: folder).warnings.map(\.message)
        }
        let both = try said([clip("mp3")])
        let end = "; there it is silent or a guess."
        #expect(
            both.count == 1 && both[0].hasPrefix("its sound is damaged at 11.") && both[0].hasSuffix(end),
            "\(both)"
        )
        #expect(both.allSatisfy { $0.contains(" s and at 1 more place up to 2") })
        let one = try said([clip("mp3", "15s", "9s")])
        #expect(one.count == 1 && one[0].hasPrefix("its sound is damaged at 2") && !one[0].contains("more"), "\(one)")
        // What is wrong elsewhere in the file is not heard.
        #expect(try said([clip("mp3", "2s", "5s")]).isEmpty)
        #expect(try said([clip("mp3", "2s", "5s"), clip("flac", "1s", "4s")]).isEmpty)
        // From the inside of a nested edit, too.
        let inner = ["part": text([clip("mp3"), clip("adts", "1s", "3s")], sources.keys.sorted())]
        #expect(try said([clip("part", "0s", "20s")], nested: inner).count == 1)
    }
}
