import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Media

/// Recordings of MPEG streams that were joined byte by byte: the clock begins anew in the middle of the file.
@Suite struct ClockRestartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func probe(_ name: String) throws -> AssetFacts {
        try AssetProbe.probe(FileByteSource(path: folder.path(name))).facts
    }

    private func read(_ name: String) throws -> (stream: AudioStreamFacts, samples: [Float], damage: SoundDamage) {
        let stream = try #require(try probe(name).audio.first)
        let samples = try readAll(folder.path(name), stream)
        let reader = try SoundReader(source: FileByteSource(path: folder.path(name)), stream: stream)
        while try reader.next() != nil {}
        return (stream, samples[0], reader.damage)
    }

    /// - Parameter offset: seconds by which its clock is later.
    private func make(_ name: String, _ codecs: [String], seconds: Int, offset: Double = 0) async throws {
        let sound = "aevalsrc='0.4*sin(300*(\(seconds)+t)*t)|0.4*sin(2000*t)':s=48000:d=\(seconds)"
        let pictures = ["-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=\(seconds)"]
        try await Shell.ffmpeg(
            (codecs.contains("-c:v") ? pictures : []) + ["-f", "lavfi", "-i", sound] + codecs
                + ["-output_ts_offset", "\(offset)", folder.path(name)]
        )
    }

    private func join(_ names: [String], to name: String) throws {
        var bytes = Data()
        for name in names { bytes += try Data(contentsOf: URL(fileURLWithPath: folder.path(name))) }
        try bytes.write(to: URL(fileURLWithPath: folder.path(name)))
    }

    /// What `name` sounds like from its first picture on, `count` samples of it.
    private func besidePictures(_ name: String, _ count: Int) throws -> [Float] {
        let (stream, samples, _) = try read(name)
        let start = try stream.start.count(of: RationalTime(1, 48_000)).value
        return (0..<count).map { samples.indices.contains($0 - Int(start)) ? samples[$0 - Int(start)] : 0 }
    }

    private func expectSame(_ found: [Float], _ wanted: [Float], _ location: SourceLocation = #_sourceLocation) {
        let isSame = found == wanted
        #expect(isSame, "\(found.count) samples for \(wanted.count)", sourceLocation: location)
    }

    private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25"]

    @Test(arguments: [
        ["ts"] + h264 + ["-c:a", "aac"], ["ts"] + h264 + ["-c:a", "libmp3lame"],
        ["mpg", "-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-c:a", "mp2"],
        ["m2ts"] + h264 + ["-c:a", "ac3"],
    ])
    func eachPartSoundsBesideItsPictures(kind: [String]) async throws {
        let codecs = Array(kind.dropFirst())
        let (long, short, joined) = ("a.\(kind[0])", "b.\(kind[0])", "joined.\(kind[0])")
        try await make(long, codecs, seconds: 14)
        try await make(short, codecs, seconds: 3)
        try join([long, short, long], to: joined)
        let facts = try probe(joined)
        let pictures = try #require(facts.video.first)
        #expect(pictures.frameCount == 775 && !pictures.isVariableRate)
        let found = try besidePictures(joined, 31 * 48_000)
        let parts = try [besidePictures(long, 14 * 48_000), besidePictures(short, 3 * 48_000)]
        expectSame(found, parts[0] + parts[1] + parts[0])
        let (stream, whole, damage) = try read(joined)
        #expect(damage.isEmpty && stream.flaws == nil)
        #expect(stream.start == (try probe(long).audio.first?.start))
        #expect(stream.parts?.count == 3)
        try LongSound.expectTheSameFromEverywhere(
            try readAll(folder.path(joined), stream),
            folder.path(joined),
            stream,
            samples: 60_000
        )
        #expect(Int64(whole.count) == stream.sampleCount)
    }

    /// The clock of the second is elsewhere: before the first one's, so that libavformat takes it for a wrap, or such that
    /// the times of both never meet.
    @Test(arguments: [(100_000.0, 0.0), (3.013, 0.0)])
    func whereverTheClockGoesOn(offsets: (first: Double, second: Double)) async throws {
        try await make("a.ts", Self.h264 + ["-c:a", "aac"], seconds: 4, offset: offsets.first)
        try await make("b.ts", Self.h264 + ["-c:a", "aac"], seconds: 3, offset: offsets.second)
        try join(["a.ts", "b.ts"], to: "joined.ts")
        let pictures = try #require(try probe("joined.ts").video.first)
        #expect(pictures.frameCount == 175 && !pictures.isVariableRate)
        let parts = try besidePictures("a.ts", 4 * 48_000) + besidePictures("b.ts", 3 * 48_000)
        expectSame(try besidePictures("joined.ts", 7 * 48_000), parts)
    }

    /// 2^33 ticks are no restart.
    @Test func aWrapIsNoRestart() async throws {
        try await make("plain.ts", Self.h264 + ["-c:a", "aac"], seconds: 6)
        let round = Double(1 << 33) / 90_000
        try await make("a.ts", Self.h264 + ["-c:a", "aac"], seconds: 6, offset: round - 4)
        let (stream, samples, damage) = try read("a.ts")
        #expect(stream.parts == nil && stream.flaws == nil && damage.isEmpty)
        expectSame(samples, try read("plain.ts").samples)
    }

    @Test func soundAloneIsContinuous() async throws {
        try await make("a.ts", ["-c:a", "aac"], seconds: 4)
        try join(["a.ts", "a.ts"], to: "joined.ts")
        let one = try read("a.ts").samples
        let (stream, both, damage) = try read("joined.ts")
        expectSame(both, one + one)
        #expect(damage.isEmpty && stream.flaws == nil)
    }

    /// Times of one packet that are wrong are damage, and the clock goes on.
    @Test func aSingleWrongTimeIsNoRestart() throws {
        func borders(_ times: [Int64]) throws -> [Int64] {
            var restarts = try #require(ClockRestarts(container: "mpegts"))
            for (number, time) in times.enumerated() {
                restarts.add(time, of: 0, at: Int64(number) * 188, ticks: 90_000)
            }
            return restarts.borders()
        }
        let even = (0..<40).map { Int64($0) * 3600 }
        #expect(try borders(even) == [])
        #expect(try borders(even.map { $0 == 36_000 ? 9_000_000 : $0 }) == [])
        #expect(try borders(even.map { $0 == 72_000 ? 0 : $0 }) == [])
        #expect(try borders(even + even) == [40 * 188])
        #expect(try borders(even + even.map { $0 + 1 << 33 - 90_000 * 100 }) == [40 * 188])
        #expect(try borders(even.map { $0 + 90_000_000 } + even + even) == [40 * 188, 80 * 188])
    }
}
