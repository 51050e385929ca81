import Foundation
import TestSupport
import Testing
import WireProtocol

/// What `cutfarm export` says of damaged packets.
@Suite struct DamagedExportTests {
    private let cutfarm: Cutfarm

    init() throws { cutfarm = try Cutfarm() }

    /// 12 s of pictures and sound; the sound is the stream 257 of MPEG-TS.
    private func make() async throws -> String {
        let path = cutfarm.folder.path("a.ts")
        let inputs = [
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=12", "-f", "lavfi", "-i",
            "anoisesrc=r=48000:a=0.3:seed=4:d=12",
        ]
        let codecs = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-c:a", "aac", "-ac", "2", "-b:a", "192k"]
        try await Shell.ffmpeg(inputs + codecs + [path])
        return path
    }

    /// The times and hashes of the packets of sound, as ffprobe counts them, from the first picture on.
    private func packets(_ path: String) async throws -> [(time: Double, hash: String)] {
        let file = ExportedFile(path: path)
        let zero = try #require(try await file.pictureTimes().first)
        let lines = try await file.probed(
            "packet=pts_time,data_hash",
            ["-select_streams", "a:0", "-show_data_hash", "sha256"]
        )
        let texts = lines.map { String($0.drop { $0 != "=" }.dropFirst()) }
        return stride(from: 0, to: texts.count - 1, by: 2).map { ((Double(texts[$0]) ?? 0) - zero, texts[$0 + 1]) }
    }

    private func export(_ path: String, to name: String, _ options: [String] = []) async throws -> Shell.Outcome {
        try await cutfarm.run(["export", path, "-o", cutfarm.folder.path(name), "--force"] + options)
    }

    /// Neither the container nor the headers of its packets show it.
    @Test(arguments: ["ts", "mkv", "mp4"]) func damageWithinPacketsIsTold(ending: String) async throws {
        let path = try await make()
        let whole = try await packets(path)
        try TransportDamage.write(100, at: [20, 40, 60, 80], identifier: 257, of: path)
        let wrong = zip(whole, try await packets(path)).filter { $0.0.hash != $0.1.hash }.map(\.0.time)
        let outcome = try await export(path, to: "out." + ending)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let told = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("Warning: ") }
        try #require(told.count == 1, "\(outcome.errors)")
        let words = "Warning: \(path): audio/0 has "
        #expect(told[0].hasPrefix(words) && told[0].contains(" damaged packets, the first at "), "\(told[0])")
        // Now and then a packet with wrong bytes is one of other sound.
        let count = Int(told[0].dropFirst(words.count).prefix { $0.isNumber }) ?? 0
        #expect((wrong.count - 1...wrong.count).contains(count), "\(told[0])")
        let times = told[0].matches(of: #/at ([0-9.]+) s/#).compactMap { Double($0.1) }
        try #require(times.count == 2, "\(told[0])")
        for time in times { #expect(wrong.contains { abs($0 - time) < 0.01 }, "\(time) is none of \(wrong)") }
        // All of it is there.
        let copies = try await packets(cutfarm.folder.path("out." + ending))
        #expect(abs(copies.count - whole.count) <= 1)
    }

    /// Packets of MPEG-TS that are missing: the demuxer marks what it puts together.
    @Test func markedPacketsAreTold() async throws {
        let path = try await make()
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let places = stride(from: 0, to: bytes.count, by: 188).filter { start in
            // A packet of pictures in which nothing begins.
            bytes[start + 1] == 1 && bytes[start + 2] == 0
        }
        let missing = places[places.count / 2]
        try Data(bytes[..<missing] + bytes[(missing + 188)...]).write(to: URL(fileURLWithPath: path))
        let outcome = try await export(path, to: "out.ts")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("Warning: \(path): video/0 has "), "\(outcome.errors)")
        #expect(outcome.errors.contains("damaged packet"), "\(outcome.errors)")
        let report = try await cutfarm.export([path], to: "out.mkv").report
        #expect(!report.warnings.isEmpty && report.notes.isEmpty)
    }

    /// A packet of ADTS without its header is none for any container.
    @Test(arguments: ["mp4", "ts"]) func aPacketThatNoContainerHoldsIsNamed(ending: String) async throws {
        let path = try await make()
        let whole = try await packets(path)
        let count = try breakHeaders(of: path)
        #expect(count > 3)
        let outcome = try await export(path, to: "out." + ending)
        guard outcome.exitCode != 0 else {
            #expect(ending == "ts" && outcome.errors.contains("Warning: \(path): audio/0 has "), "\(outcome.errors)")
            return
        }
        let lines = outcome.errors.split(separator: "\n")
        #expect(outcome.exitCode == 2 && lines.count == 2, "\(outcome.errors)")
        #expect(lines[0].hasPrefix("\(path): the packet of audio/0 (aac) near "), "\(outcome.errors)")
        #expect(lines[0].contains("is damaged, and ") && lines[0].contains("--without audio/0"))
        let time = try #require(lines[0].firstMatch(of: #/near ([0-9.]+) s/#).flatMap { Double($0.1) })
        #expect(abs(time - whole[whole.count / 2].time) < 1, "\(time)")
        #expect(!FileManager.default.fileExists(atPath: cutfarm.folder.path("out." + ending)))
        #expect(try await export(path, to: "out." + ending, ["--without", "audio/0"]).exitCode == 0)
        let hint = try await cutfarm.runHint(of: outcome)
        #expect(hint.exitCode == 0, "\(hint.errors)")
    }

    /// Makes the sync words of some headers of ADTS wrong, in the middle of the file.
    /// - Returns: how many.
    private func breakHeaders(of path: String) throws -> Int {
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var count = 0
        for start in stride(from: bytes.count / 2 / 188 * 188, to: bytes.count - 188, by: 188) where count < 4 {
            guard Int(bytes[start + 1] & 0x1F) << 8 | Int(bytes[start + 2]) == 257 else { continue }
            for place in start + 4..<start + 187 where bytes[place] == 0xFF && bytes[place + 1] & 0xF6 == 0xF0 {
                bytes[place] = 0
                count += 1
            }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return count
    }
}

extension Cutfarm {
    /// Types the command that a refusal names into a shell.
    func runHint(of outcome: Shell.Outcome) async throws -> Shell.Outcome {
        let lines = outcome.errors.split(separator: "\n")
        guard let command = lines.last?.firstRange(of: "printf").map({ lines.last?[$0.lowerBound...] ?? "" }) else {
            throw Unexpected(description: "no command in: " + outcome.errors)
        }
        let folder = (Programs.cutfarm as NSString).deletingLastPathComponent
        return try await Shell.run(
            "env",
            ["PATH=\(folder):/usr/bin:/bin", "CUTFARM_STATE=\(state)", "sh", "-c", String(command)]
        )
    }
}
