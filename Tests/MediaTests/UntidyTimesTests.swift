import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Media

/// Times and lengths that muxers wrote wrongly, around sound and pictures that are whole.
@Suite struct UntidyTimesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func probe(_ name: String) throws -> AssetFacts {
        try AssetProbe.probe(FileByteSource(path: folder.path(name))).facts
    }

    private func read(_ name: String) throws -> (samples: [[Float]], damage: SoundDamage) {
        let stream = try #require(try probe(name).audio.first)
        let reader = try SoundReader(source: FileByteSource(path: folder.path(name)), stream: stream)
        var samples = [[Float]](repeating: [], count: stream.channels)
        while let block = try reader.next() {
            for channel in samples.indices { samples[channel] += block.channels[channel] }
        }
        return (samples, reader.damage)
    }

    /// Copies `source` with other times, in ticks, as an expression of ffmpeg's filter `setts`.
    private func retime(_ source: String, _ stream: String, _ expression: String, to name: String) async throws {
        try await Shell.ffmpeg(
            ["-i", folder.path(source), "-c", "copy", "-bsf:\(stream)", "setts=ts=\(expression)", folder.path(name)]
        )
    }

    // MARK: Jitter of sound

    private func jitter(_ times: [Int64?], count: Int64 = 1024, lost: [Int: Int64] = [:]) -> Int64 {
        var jitter = TimeJitter(sampleRate: 48_000, tolerance: 480, rounding: 96)
        for (number, time) in times.enumerated() { jitter.add(time, count: count, lost: lost[number] ?? 0) }
        return jitter.jitter
    }

    @Test func timesThatComeBackAreJitter() {
        let even = (0..<200).map { Int64($0) * 1024 }
        #expect(jitter(even) == 0)
        #expect(jitter(even.enumerated().map { $1 + Int64($0 % 3) * 480 }) == 960)
        #expect(jitter(even.enumerated().map { $1 - ($0 % 50 == 10 ? 700 : 0) }) == 700)
        #expect(jitter(even.enumerated().map { $1 + Int64($0 % 2) * 490 }) == 490)
        // What goes to and fro about the tolerance has not come back, and one time in two hundred makes no rule.
        #expect(jitter(even.enumerated().map { $1 + ($0 > 9 ? 470 + Int64($0 % 2) * 20 : 0) }) == 0)
        #expect(jitter(even.enumerated().map { $1 - ($0 == 100 ? 700 : 0) }) == 0)
        #expect(jitter(even.map { $0 == 0 ? nil : $0 + 480 }) == 0)
    }

    @Test func timesThatStayOffAreAHole() {
        let even = (0..<200).map { Int64($0) * 1024 }
        #expect(jitter(even.map { $0 >= 51_200 ? $0 + 1024 : $0 }) == 0)
        #expect(jitter(even.map { $0 >= 51_200 ? $0 - 2000 : $0 }) == 0)
        // More than a tenth of a second, though it comes back.
        #expect(jitter(even.enumerated().map { $1 + ($0 == 100 ? 4801 : 0) }) == 0)
        // A second later it has been a hole.
        #expect(jitter(even.enumerated().map { $1 + ((50..<98).contains($0) ? 1024 : 0) }) == 0)
        #expect(jitter(even.enumerated().map { $1 + ((50..<96).contains($0) ? 1024 : 0) }) == 1024)
        // Jitter on both sides of a hole.
        #expect(jitter(even.enumerated().map { $1 + ($0 >= 100 ? 9000 : 0) + Int64($0 % 2) * 600 }) == 600)
    }

    @Test func lostPacketsCountAsSound() {
        let times = (0..<100).filter { $0 != 40 }.map { Int64($0) * 1024 }
        #expect(jitter(times, lost: [40: 1]) == 0)
    }

    @Test(arguments: ["libvorbis", "libopus"]) func jitterInWebMLeavesTheSoundWhole(codec: String) async throws {
        let tone = ["-f", "lavfi", "-i", "sine=440:r=48000:d=6", "-ac", "2", "-c:a", codec]
        try await Shell.ffmpeg(tone + [folder.path("even.webm")])
        try await retime("even.webm", "a", "PTS+10*mod(N\\,3)", to: "jitter.webm")
        let (even, jitter) = (try read("even.webm"), try read("jitter.webm"))
        #expect(try probe("jitter.webm").audio[0].timeJitter != nil)
        #expect(jitter.samples == even.samples)
        #expect(jitter.damage.ranges.isEmpty)
    }

    /// A hole of 300 ms in a stream with jitter of 20 ms is silence, and nothing else is.
    @Test func aHoleAmongJitterIsSilence() async throws {
        let tone = ["-f", "lavfi", "-i", "sine=440:r=48000:d=6", "-c:a", "libvorbis"]
        try await Shell.ffmpeg(tone + [folder.path("even.webm")])
        try await retime("even.webm", "a", "PTS+10*mod(N\\,3)+if(gte(N\\,150)\\,300\\,0)", to: "hole.webm")
        let (even, hole) = (try read("even.webm").samples[0], try read("hole.webm").samples[0])
        let silence = hole.count - even.count
        #expect(abs(silence - 14_400) <= 960)
        let start = try #require(zip(even, hole).enumerated().first { $1.0 != $1.1 }?.offset)
        #expect(hole[start..<start + silence].allSatisfy { $0 == 0 })
        #expect(Array(hole[(start + silence)...]) == Array(even[start...]))
    }

    // MARK: Lengths that no file has

    /// The end of an Ogg's last page lies before its last packet: libavformat's duration of it wraps.
    @Test(arguments: [1, 300]) func aLastPageThatEndsTooEarlyIsNoLength(samples: Int64) async throws {
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "sine=440:r=44100:d=5", "-c:a", "libvorbis", folder.path("a.ogg")])
        let file = URL(fileURLWithPath: folder.path("a.ogg"))
        var bytes = [UInt8](try Data(contentsOf: file))
        let pages = OggPages.starts(in: bytes)
        let before = OggPages.position(of: pages[pages.count - 2], in: bytes)
        OggPages.setPosition(before - samples, of: pages[pages.count - 1], in: &bytes)
        try Data(bytes).write(to: file)
        let facts = try #require(try probe("a.ogg").audio.first)
        let decoded = try await Shell.run("ffmpeg", ["-v", "error", "-i", file.path, "-f", "f32le", "-"])
        #expect(facts.sampleCount == Int64(decoded.output.count / 4))
        #expect((220_500..<222_000).contains(facts.sampleCount))
        #expect(try read("a.ogg").samples[0].count == Int(facts.sampleCount))
    }

    // MARK: iTunSMPB

    /// A note as iTunes writes it.
    private func note(_ priming: Int, _ padding: Int, _ count: Int) -> String {
        let numbers = [0, priming, padding].map { String(format: "%08X", $0) } + [String(format: "%016X", count)]
        return " " + (numbers + [String](repeating: "00000000", count: 8)).joined(separator: " ")
    }

    /// Appends free-form metadata to the `moov` at the end of a file.
    private func addNotes(_ notes: [String], to name: String) throws {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(content.count + 8).bigEndian, Array.init) + Array(type.utf8) + content
        }
        let file = URL(fileURLWithPath: folder.path(name))
        var bytes = [UInt8](try Data(contentsOf: file))
        let data = notes.flatMap { box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array($0.utf8)) }
        let names =
            box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
            + box("name", [0, 0, 0, 0] + Array("iTunSMPB".utf8))
        let handler = box(
            "hdlr",
            [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9)
        )
        let meta = box("udta", box("meta", [0, 0, 0, 0] + handler + box("ilst", box("----", names + data))))
        // The file's own `udta` is its last box; the new one takes its place.
        let text = String(decoding: bytes, as: Unicode.ASCII.self)
        let moov = try #require(text.range(of: "moov", options: .backwards)).lowerBound.utf16Offset(in: text) - 4
        let own = try #require(text.range(of: "udta", options: .backwards)).lowerBound.utf16Offset(in: text) - 4
        bytes.replaceSubrange(own..., with: meta)
        let size = UInt32(bytes.count - moov).bigEndian
        withUnsafeBytes(of: size) { bytes.replaceSubrange(moov..<moov + 4, with: $0) }
        try Data(bytes).write(to: file)
    }

    @Test func ofTwoNotesTheOneThatFitsCounts() async throws {
        let tone = ["-f", "lavfi", "-i", "sine=440:r=44100:d=2", "-c:a", "aac", "-use_editlist", "0"]
        try await Shell.ffmpeg(tone + [folder.path("a.m4a")])
        let plain = try #require(try probe("a.m4a").audio.first?.sampleCount)
        let duration = try await Shell.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", folder.path("a.m4a")]
        )
        let length = try #require(Int(duration.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        let fitting = length - 1024 - 500
        let alien = note(1024, 350, 727_650)
        for notes in [
            [note(1024, 500, fitting)], [alien, note(1024, 500, fitting)], [note(1024, 500, fitting), alien],
        ] {
            try await Shell.ffmpeg(tone + [folder.path("b.m4a")])
            try addNotes(notes, to: "b.m4a")
            #expect(try probe("b.m4a").audio.first?.sampleCount == Int64(fitting), "\(notes)")
        }
        try await Shell.ffmpeg(tone + [folder.path("b.m4a")])
        try addNotes([alien], to: "b.m4a")
        #expect(try #require(try probe("b.m4a").audio.first?.sampleCount) <= plain)
    }

    @Test func notesThatAreNone() {
        #expect(GaplessNote(note(2112, 655, 363_825))?.count == 363_825)
        #expect(GaplessNote(note(2112, 655, 0)) == nil && GaplessNote(" 00000000 1 2") == nil)
        #expect(GaplessNote(" 0 0 0 -1") == nil && GaplessNote("") == nil && GaplessNote(" 0 x 0 1") == nil)
        let largest = " 0 7FFFFFFFFFFFFFFF 7FFFFFFFFFFFFFFF 7FFFFFFFFFFFFFFF"
        let notes = [GaplessNote(largest), GaplessNote(note(1, 2, 3))].compactMap(\.self)
        #expect(GaplessNote.fitting(notes, length: 6)?.count == 3)
        #expect(GaplessNote.fitting(notes, length: nil)?.count == .max)
    }

    // MARK: Jitter of pictures

    private func film(_ expression: String, count: Int = 121) async throws -> VideoStreamFacts {
        let pictures = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=30", "-frames:v", "\(count)"]
        let coding = ["-c:v", "libx264", "-bf", "0", "-g", "30", "-video_track_timescale", "90000"]
        try await Shell.ffmpeg(pictures + coding + [folder.path("even.mp4")])
        try await retime("even.mp4", "v", expression, to: "film.mp4")
        return try #require(try probe("film.mp4").video.first)
    }

    /// A phone's: each time up to half a millisecond late or early.
    @Test func aPhonesJitterIsNoVariableRate() async throws {
        let facts = try await film("PTS+15*mod(N*37\\,7)")
        #expect(!facts.isVariableRate && facts.frameCount == 121)
        #expect(facts.frameRate == (try FrameRate(30)))
        #expect(try (0..<121).map { try facts.frame(shownAt: RationalTime($0, 30)) } == Array(0..<121))
    }

    /// An hour at 44.1 kHz by a clock that runs a little fast, in milliseconds: the times drift away and are followed.
    @Test(arguments: [20, 100, 300, 1000]) func aDriftIsNoJitter(partsPerMillion: Int64) {
        var jitter = TimeJitter(sampleRate: 44_100, tolerance: 441, rounding: 90)
        for number in 0..<155_000 as Range<Int64> {
            let exact = number * 1024 * (1_000_000 + partsPerMillion)
            let milliseconds = (exact + 22_050_000) / 44_100_000
            jitter.add(milliseconds * 441 / 10, count: 1024, lost: 0)
        }
        #expect(jitter.jitter == 0)
    }

    /// A picture that is missing, a rate that changes and times further off are a variable rate.
    @Test(arguments: [
        "PTS+if(gte(N\\,60)\\,3000\\,0)", "PTS+if(gte(N\\,60)\\,20*(N-60)\\,0)", "PTS+200*mod(N*37\\,7)",
    ])
    func whatIsNoJitterStaysVariable(expression: String) async throws {
        #expect(try await film(expression).isVariableRate)
    }

    @Test func fewFramesAreTakenAsTheyStand() async throws {
        #expect(try await film("PTS+15*mod(N*37\\,7)", count: 5).isVariableRate)
    }
}

/// The pages of an Ogg file (RFC 3533, 6).
private enum OggPages {
    private static func length(_ start: Int, _ bytes: [UInt8]) -> Int {
        let segments = Int(bytes[start + 26])
        return 27 + segments + bytes[start + 27..<start + 27 + segments].reduce(0) { $0 + Int($1) }
    }

    static func starts(in bytes: [UInt8]) -> [Int] {
        var starts = [0]
        while let last = starts.last, last + length(last, bytes) < bytes.count {
            starts.append(last + length(last, bytes))
        }
        return starts
    }

    static func position(of page: Int, in bytes: [UInt8]) -> Int64 {
        bytes[page + 6..<page + 14].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Sets a page's granule position, and its checksum to what it must then be.
    static func setPosition(_ position: Int64, of page: Int, in bytes: inout [UInt8]) {
        withUnsafeBytes(of: position.littleEndian) { bytes.replaceSubrange(page + 6..<page + 14, with: $0) }
        bytes.replaceSubrange(page + 22..<page + 26, with: [0, 0, 0, 0])
        let checksum = bytes[page..<page + length(page, bytes)].reduce(UInt32(0)) { sum, byte in
            var value: UInt32 = sum ^ UInt32(byte) << 24
            for _ in 0..<8 {
                let isHigh = value & 0x8000_0000 != 0
                value <<= 1
                if isHigh { value ^= 0x04C1_1DB7 }
            }
            return value
        }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(page + 22..<page + 26, with: $0) }
    }
}
