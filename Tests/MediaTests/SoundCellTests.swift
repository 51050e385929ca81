import CompositionModel
import Foundation
import TestSupport
import Testing

@testable import Media

/// A sound file of 25 s made by ffmpeg.
struct LongSound: Sendable, CustomTestStringConvertible {
    var file: String
    var arguments: [String]
    /// dBFS by which a cell may differ from the decode from the start; nil is not at all. Noise that a decoder makes up
    /// is another one.
    var decibels: Float?
    var hasCells = true

    var testDescription: String { arguments.joined(separator: " ") + " " + file }

    static let all: [LongSound] = [
        LongSound(file: "a.wav", arguments: ["-c:a", "pcm_s16le"]),
        LongSound(file: "a.mov", arguments: ["-c:a", "pcm_s24le"]),
        LongSound(file: "a.flac", arguments: ["-c:a", "flac"]),
        LongSound(file: "a.mkv", arguments: ["-c:a", "flac"]),
        LongSound(file: "a.m4a", arguments: ["-c:a", "alac"]),
        LongSound(file: "a.m4a", arguments: ["-c:a", "aac", "-aac_pns", "0"], decibels: -90),
        LongSound(file: "a.aac", arguments: ["-c:a", "aac", "-aac_pns", "0"], decibels: -90),
        LongSound(file: "a.ts", arguments: ["-c:a", "aac", "-aac_pns", "0"], decibels: -90),
        // Frames go across the borders of its packets.
        LongSound(file: "a.mpg", arguments: ["-c:a", "mp2", "-b:a", "384k"], decibels: -90),
        // Its second cell begins so near to the start that it is sought by time.
        LongSound(file: "a.mpg", arguments: ["-c:a", "mp2", "-b:a", "64k"], decibels: -90),
        LongSound(file: "a.mkv", arguments: ["-c:a", "aac", "-aac_pns", "0"], decibels: -90),
        LongSound(file: "a.mp3", arguments: ["-c:a", "libmp3lame", "-b:a", "128k"], decibels: -90),
        LongSound(file: "a.opus", arguments: ["-c:a", "libopus", "-b:a", "96k"], decibels: -80),
        LongSound(file: "a.webm", arguments: ["-c:a", "libopus", "-b:a", "96k"], decibels: -80),
        LongSound(file: "a.ogg", arguments: ["-c:a", "libvorbis", "-q:a", "5"], decibels: -90),
        LongSound(file: "a.ac3", arguments: ["-c:a", "ac3", "-b:a", "384k"], decibels: -60),
        LongSound(file: "a.mp4", arguments: ["-c:a", "eac3", "-b:a", "384k"], decibels: -60),
        LongSound(file: "a.m4a", arguments: ["-c:a", "aac", "-b:a", "64k"], decibels: 0),
        LongSound(file: "a.wma", arguments: ["-c:a", "wmav2", "-f", "asf"], hasCells: false),
    ]

    /// A sweep at −6 dBFS, 25.3 s of 48 kHz.
    func make(in folder: TemporaryFolder) async throws -> String {
        let sweep = "aevalsrc='0.5*sin((250+450*t)*t)|0.5*sin((56000-700*t)*t)':s=48000:d=25.3"
        try await Shell.ffmpeg(["-f", "lavfi", "-i", sweep] + arguments + [folder.path(file)])
        return folder.path(file)
    }

    /// Reads `samples` from many places of `path` and compares them with `whole`, what is read from its start.
    static func expectTheSameFromEverywhere(
        _ whole: [[Float]],
        _ path: String,
        _ stream: AudioStreamFacts,
        samples: Int64
    ) throws {
        let reader = try SoundReader(source: FileByteSource(path: path), stream: stream)
        let borders = stream.cells?.starts ?? []
        // Backwards, forwards, across borders, the very ends.
        let others: [Int64] = [0, 234_567, 500_000, 700_000, 1_000_000, 1_200_000]
        let places = borders.reversed().flatMap { [$0 - 1, $0, $0 + 200_000] } + others
        for place in places where place < stream.sampleCount {
            try reader.move(to: place)
            var end = place
            while end < place + samples, let block = try reader.next() {
                end = block.start + Int64(block.count)
                let range = Int(block.start)..<Int(end)
                for channel in whole.indices where block.channels[channel] != Array(whole[channel][range]) {
                    Issue.record("another sound at \(place), in \(range)")
                }
            }
            #expect(end > place)
        }
    }
}

@Suite struct SoundCellTests {
    @Test(arguments: LongSound.all)
    func aSampleIsTheSameFromWhereverItIsRead(sound: LongSound) async throws {
        let folder = try TemporaryFolder()
        let path = try await sound.make(in: folder)
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        #expect((stream.cells != nil) == sound.hasCells)
        if sound.hasCells { #expect(stream.cells?.starts.count == 2) }
        let whole = try readAll(path, stream)
        #expect(Int64(whole[0].count) == stream.sampleCount)

        try LongSound.expectTheSameFromEverywhere(whole, path, stream, samples: 10_000)
        try compareWithADecodeFromTheStart(sound, whole, path, stream)
    }

    private func compareWithADecodeFromTheStart(
        _ sound: LongSound,
        _ whole: [[Float]],
        _ path: String,
        _ stream: AudioStreamFacts
    ) throws {
        var plain = stream
        plain.cells = nil
        let straight = try readAll(path, plain)
        #expect(straight.map(\.count) == whole.map(\.count))
        guard let limit = sound.decibels else { return #expect(straight == whole) }
        var largest: Float = 0
        for channel in 0..<2 where whole[channel] != straight[channel] {
            // All of the second cell, from its border on: the others are like it.
            let range = 479_000..<960_000
            for (cell, start) in zip(whole[channel][range], straight[channel][range]) {
                largest = max(largest, abs(cell - start))
            }
        }
        #expect(20 * log10f(largest + 1e-9) <= limit)
    }

    /// What is needed of a long file is read, and not what lies before it.
    @Test(arguments: LongSound.all.filter { ["a.m4a", "a.mp3", "a.ts", "a.opus", "a.mkv"].contains($0.file) })
    func aPieceReadsInProportion(sound: LongSound) async throws {
        let folder = try TemporaryFolder()
        let short = try await sound.make(in: folder)
        let path = folder.path("long-" + sound.file)
        try await Shell.ffmpeg(["-stream_loop", "11", "-i", short, "-c", "copy", path])
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        #expect(stream.sampleCount > 290 * 48_000)
        guard let cells = stream.cells else { return }
        #expect(cells.starts.count > 20)
        let source = try CountingSource(FileByteSource(path: path))
        let reader = try SoundReader(source: source, stream: stream)
        let opening = source.bytesRead
        try reader.move(to: 280 * 48_000)
        var end: Int64 = 0
        while end < 285 * 48_000, let block = try reader.next() { end = block.start + Int64(block.count) }
        #expect(end >= 285 * 48_000)
        // A fifth at most: index, search, and 15 s of 303.
        let count = source.bytesRead - opening
        #expect(count < source.byteCount / 5, "\(count) of \(source.byteCount)")
    }

    @Test func aWrongTableIsNamed() async throws {
        let folder = try TemporaryFolder()
        let path = try await LongSound.all[5].make(in: folder)
        var stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        stream.cells?.entryTimes[1] += 1
        let reader = try SoundReader(source: FileByteSource(path: path), stream: stream)
        let error = #expect(throws: MediaError.self) { try reader.move(to: 23 * 48_000) }
        #expect(error?.failure.code == MediaError.invalidIndex("").failure.code)
        stream.cells?.starts.removeLast()
        #expect(throws: MediaError.self) { try SoundReader(source: FileByteSource(path: path), stream: stream) }
    }
}
