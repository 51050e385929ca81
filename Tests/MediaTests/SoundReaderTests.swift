import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Media

/// One kind of sound file made by ffmpeg from 2 s of known samples.
struct SoundKind: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    var rate = 48000
    var arguments: [String]
    /// Samples that are meant to be heard; nil where the container cannot say and decoding decides.
    var count: Int64?
    /// Largest difference of a decoded sample; 0 for lossless.
    var tolerance: Float = 0.05

    var testDescription: String { name }

    /// ffmpeg rounds edit lists to a millisecond unless it is told a finer clock.
    private static func aac(_ rate: Int) -> [String] {
        ["-c:a", "aac", "-b:a", "192k", "-movie_timescale", "\(rate)"]
    }

    static let all: [SoundKind] = [
        SoundKind(name: "wav", file: "a.wav", arguments: ["-c:a", "pcm_s16le"], count: 96001, tolerance: 1e-4),
        SoundKind(name: "wav 24", file: "a.wav", arguments: ["-c:a", "pcm_s24le"], count: 96001, tolerance: 1e-6),
        SoundKind(name: "wav float", file: "a.wav", arguments: ["-c:a", "pcm_f32le"], count: 96001, tolerance: 0),
        SoundKind(name: "flac", file: "a.flac", arguments: ["-c:a", "flac"], count: 96001, tolerance: 1e-4),
        SoundKind(name: "pcm mkv", file: "a.mkv", arguments: ["-c:a", "pcm_s24le"], count: 96001, tolerance: 1e-6),
        SoundKind(name: "flac mkv", file: "a.mkv", arguments: ["-c:a", "flac"], count: 96001, tolerance: 1e-4),
        SoundKind(name: "aac mp4", file: "a.m4a", arguments: aac(48000), count: 96001),
        SoundKind(name: "aac 44.1", file: "a.m4a", rate: 44100, arguments: aac(44100), count: 88201),
        SoundKind(name: "mp3", file: "a.mp3", arguments: ["-c:a", "libmp3lame", "-b:a", "192k"], count: 96001),
        SoundKind(name: "opus", file: "a.opus", arguments: ["-c:a", "libopus", "-b:a", "160k"], count: 96001),
        SoundKind(name: "opus webm", file: "a.webm", arguments: ["-c:a", "libopus", "-b:a", "160k"], count: nil),
        SoundKind(name: "vorbis", file: "a.ogg", arguments: ["-c:a", "libvorbis", "-q:a", "7"], count: 96001),
        SoundKind(name: "alac", file: "a.m4a", arguments: ["-c:a", "alac"], count: 96001, tolerance: 1e-4),
        SoundKind(name: "aac ts", file: "a.ts", arguments: ["-c:a", "aac", "-b:a", "192k"], count: nil),
        SoundKind(name: "ac3 mp4", file: "a.mp4", arguments: ["-c:a", "ac3", "-b:a", "256k"], count: nil),
        SoundKind(name: "adts", file: "a.aac", arguments: ["-c:a", "aac", "-b:a", "192k"], count: nil),
    ]

    /// 2 s and one sample: no whole number of any codec's frames.
    var sourceCount: Int { 2 * rate + 1 }

    /// A tone that rises: no two moments are alike.
    func source() -> [[Float]] {
        [0.031, 0.047].map { step in
            (0..<sourceCount).map { 0.4 * sinf(Float($0) * (Float(step) + 3e-7 * Float($0))) }
        }
    }

    func make(in folder: TemporaryFolder) async throws -> String {
        let channels = source()
        var data = Data()
        for sample in 0..<sourceCount {
            for channel in channels { withUnsafeBytes(of: channel[sample]) { data.append(contentsOf: $0) } }
        }
        try data.write(to: URL(fileURLWithPath: folder.path("raw.f32")))
        let input = ["-f", "f32le", "-ar", "\(rate)", "-ac", "2", "-i", folder.path("raw.f32")]
        try await Shell.ffmpeg(input + arguments + [folder.path(file)])
        return folder.path(file)
    }
}

/// All samples that a reader delivers, which must follow each other.
func readAll(_ path: String, _ stream: AudioStreamFacts) throws -> [[Float]] {
    let reader = try SoundReader(source: FileByteSource(path: path), stream: stream)
    var channels = [[Float]](repeating: [], count: stream.channels)
    while let block = try reader.next() {
        #expect(block.start == Int64(channels[0].count))
        #expect(block.count > 0)
        for channel in channels.indices { channels[channel] += block.channels[channel] }
    }
    return channels
}

struct SoundReaderTests {
    @Test(arguments: SoundKind.all)
    func countAndSamplesAreRight(kind: SoundKind) async throws {
        let folder = try TemporaryFolder()
        let path = try await kind.make(in: folder)
        let facts = try AssetProbe.probe(FileByteSource(path: path)).facts
        let stream = try #require(facts.defaultAudio)
        #expect(facts.video.isEmpty)
        #expect(stream.start == .zero)
        #expect(stream.sampleRate == kind.rate)
        #expect(stream.channels == 2)
        if let count = kind.count { #expect(stream.sampleCount == count) }
        let channels = try readAll(path, stream)
        #expect(Int64(channels[0].count) == stream.sampleCount)
        let delay = kind.count == nil ? bestDelay(channels[0], kind.source()[0]) : 0
        try compare(channels, kind.source(), delay: delay, tolerance: kind.tolerance)
    }

    /// Where no container field tells the priming, it stays: find how far the sound is shifted.
    private func bestDelay(_ heard: [Float], _ source: [Float]) -> Int {
        (0..<3000).min { error(heard, source, $0) < error(heard, source, $1) } ?? 0
    }

    private func error(_ heard: [Float], _ source: [Float], _ delay: Int) -> Float {
        stride(from: 10000, to: 80000, by: 501).reduce(0) { $0 + abs(heard[$1 + delay] - source[$1]) }
    }

    private func compare(_ heard: [[Float]], _ source: [[Float]], delay: Int, tolerance: Float) throws {
        for channel in 0..<2 {
            var largest: Float = 0
            // A lossy codec's first and last frames are not judged.
            let margin = tolerance > 0.01 ? 3000 : 0
            let end = min(source[channel].count, heard[channel].count - delay) - margin
            for sample in margin..<end {
                largest = max(largest, abs(heard[channel][sample + delay] - source[channel][sample]))
            }
            #expect(largest <= tolerance)
        }
    }

    /// Equal to ffmpeg's own decode, sample for sample.
    @Test func equalsFFmpeg() async throws {
        let folder = try TemporaryFolder()
        let kind = try #require(SoundKind.all.first { $0.name == "aac mp4" })
        let path = try await kind.make(in: folder)
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        let channels = try readAll(path, stream)
        let data = try await Shell.ffmpeg(["-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"])
        let count = Int(stream.sampleCount)
        #expect(data.count >= count * 8)
        let equal = data.withUnsafeBytes { bytes in
            (0..<count).allSatisfy { sample in
                (0..<2).allSatisfy { channel in
                    bytes.loadUnaligned(fromByteOffset: (sample * 2 + channel) * 4, as: Float.self)
                        == channels[channel][sample]
                }
            }
        }
        #expect(equal)
    }

    /// A hole in the timestamps is heard as silence of its length.
    @Test func gapsAreSilence() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mkv")
        try await Shell.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=0.5:d=3:s=48000", "-af", "aselect='lt(t,1)+gte(t,2)'", "-c:a", "pcm_s16le",
            path,
        ])
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        #expect(abs(stream.sampleCount - 144_000) <= 1024)
        let sound = try readAll(path, stream)[0]
        #expect(sound[40000] == 0.5)
        #expect(sound[72000] == 0)
        #expect(sound[120_000] == 0.5)
    }

    @Test func offsetBetweenPictureAndSoundIsKept() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mov")
        try await Shell.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-itsoffset", "0.5", "-f", "lavfi", "-i",
            "sine=d=1:r=48000", "-map", "0", "-map", "1", "-c:v", "libx264", "-c:a", "pcm_s16le", path,
        ])
        let facts = try AssetProbe.probe(FileByteSource(path: path)).facts
        let start = try #require(facts.defaultAudio).start
        #expect(try start == RationalTime(1, 2))
        #expect(facts.defaultAudio?.sampleCount == 48000)
    }
}

@Suite struct SoundClockTests {
    /// 44.1 kHz in milliseconds: blocks follow each other though their pts are rounded.
    @Test func roundedTimesAreContiguous() throws {
        var clock = SoundClock(timeBase: try RationalTime(1, 1000), sampleRate: 44100, origin: 50)
        for block in 0..<1000 {
            let pts = 50 + Int64(Double(block) * 1024 / 44.1)
            #expect(clock.place(pts: block % 5 == 3 ? nil : pts, count: 1024) == Int64(block) * 1024)
        }
        #expect(clock.position == 1_024_000)
    }

    /// Priming that is no whole number of packets: the first audible sample stays 0.
    @Test func hiddenPacketsBeforeZero() throws {
        var clock = SoundClock(timeBase: try RationalTime(1, 44100), sampleRate: 44100, origin: 2112)
        let starts = (0..<4).map { clock.place(pts: Int64($0) * 1024, count: 1024) }
        #expect(starts == [-2112, -1088, -64, 960])
        #expect(clock.position == 1984)
    }

    /// What follows a lost packet is where it was, though the packet was shorter than what passes for an even flow.
    @Test(arguments: [48_000, 1000]) func aLostPacketIsAHole(ticks: Int64) throws {
        var clock = SoundClock(timeBase: try RationalTime(1, ticks), sampleRate: 48_000, origin: 0)
        for packet in Int64(0)..<400 where packet % 5 != 2 {
            let pts = packet * 120 * ticks / 48_000
            let start = clock.place(pts: packet % 5 == 4 ? nil : pts, count: 120, lost: packet % 5 == 3 ? 1 : 0)
            #expect(start == packet * 120)
        }
    }

    @Test func gapsAndOverlaps() throws {
        var clock = SoundClock(timeBase: try RationalTime(1, 48000), sampleRate: 48000, origin: 0)
        #expect(clock.place(pts: 0, count: 1000) == 0)
        #expect(clock.place(pts: 1400, count: 1000) == 1000)
        #expect(clock.place(pts: 9000, count: 1000) == 9000)
        #expect(clock.place(pts: 5000, count: 1000) == 5000)
        #expect(clock.position == 10_000)
        #expect(clock.place(pts: .max, count: 10) > 0)
    }
}
