import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing

@testable import Rendering

/// Ten hours at 30000/1001 with 5,000 cuts.
@Suite struct TenHourTests {
    /// 36,000 s.
    private static let frameCount: Int64 = 1_078_921
    private static let cutCount: Int64 = 5000
    /// Samples of five frames at 48 kHz, exactly.
    private static let step: Int64 = 8008

    /// The first frame of each clip, and the end.
    private static let cuts = (0...cutCount).map { $0 * frameCount / cutCount }
    /// The sample that is nearest to a frame's start.
    private static func sample(_ frame: Int64) -> Int64 { (2 * frame * step + 5) / 10 }

    /// - Parameter start: of a clip in the source, in steps of five frames.
    private static func edit(_ name: String, rate: Int = 48_000, start: (Int) -> Int64) -> String {
        let segments = cuts.indices.dropLast().map { number in
            let (from, length) = (start(number) * 5, cuts[number + 1] - cuts[number])
            return "{ \"asset\": \"\(name)\", \"in\": \"\(from)f\", \"duration\": \"\(length)f\" }"
        }
        return """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "30000/1001", "sampleRate": \(rate), "channels": 2 },
              "assets": { "\(name)": "\(name)" },
              "tracks": [ { "kind": "audio", "segments": [\(segments.joined(separator: ",\n"))] } ] }
            """
    }

    /// Each sample of the source is its own number, so that every sample of the output says which one it should be.
    @Test func everyCutOfAPieceIsExactToTheSample() async throws {
        let folder = try TemporaryFolder()
        let numbers = (0..<Int32(40 * 48_000)).flatMap { number in
            withUnsafeBytes(of: (number + 1).littleEndian) { Array($0.prefix(3)) }
        }
        try Data(numbers).write(to: URL(fileURLWithPath: folder.path("numbers")))
        let raw = ["-f", "s24le", "-ar", "48000", "-ac", "1", "-i", folder.path("numbers"), "-c:a", "pcm_s24le"]
        let source = try await TestMovie.make("numbers.wav", in: folder, raw)
        func start(_ number: Int) -> Int64 { Int64(number) * 37 % 190 }
        let edit = try PlannedEdit(Self.edit("numbers", start: start), ["numbers": source], preset: "wav")
        let plan = try edit.plan(nil)
        #expect(plan.sampleCount == Self.sample(Self.frameCount))
        #expect(plan.soundPieces.map(\.task.sampleCount).reduce(0, +) == plan.sampleCount)
        #expect(plan.soundPieces.count > 400)
        for piece in [plan.soundPieces[plan.soundPieces.count / 2], try #require(plan.soundPieces.last)] {
            let range = piece.start..<piece.start + piece.task.sampleCount
            let clips = Self.cuts.indices.dropLast().filter {
                Self.sample(Self.cuts[$0]) < range.upperBound && Self.sample(Self.cuts[$0 + 1]) > range.lowerBound
            }
            #expect(abs(piece.task.tracks[0].segments.count - clips.count) <= 2 && clips.count > 5)
            var expected: [Int32] = []
            for clip in clips {
                let first = Self.sample(Self.cuts[clip])
                let heard = max(first, range.lowerBound)..<min(Self.sample(Self.cuts[clip + 1]), range.upperBound)
                for place in heard {
                    let number = Int32(start(clip) * Self.step + place - first + 1)
                    expected += [number, number]
                }
            }
            #expect(Int64(expected.count) == 2 * piece.task.sampleCount)
            let steps = try edit.rendered(piece.task, in: folder).steps
            #expect(steps == expected, "\(zip(steps, expected).enumerated().first { $1.0 != $1.1 } ?? (0, (0, 0)))")
        }
        #expect(plan.soundPieces.last.map { $0.start + $0.task.sampleCount } == Self.sample(Self.frameCount))
    }

    /// Clips from everywhere in a file of ten hours of AAC: what a piece reads is its table and what it plays.
    @Test func aPieceReadsInProportion() async throws {
        let folder = try TemporaryFolder()
        let tone = ["-f", "lavfi", "-i", "aevalsrc='0.4*sin(2*PI*(200+t)*t)+0.1*(random(0)-0.5)':s=44100:d=120"]
        try await Shell.ffmpeg(tone + ["-c:a", "aac", "-b:a", "64k", folder.path("minutes.aac")])
        let repeated = [
            "-stream_loop", "299", "-i", folder.path("minutes.aac"), "-c", "copy", folder.path("hours.aac"),
        ]
        try await Shell.ffmpeg(repeated)
        let source = try await TestMovie.make("hours.m4a", in: folder, ["-i", folder.path("hours.aac"), "-c", "copy"])
        let (bytes, cells) = (source.facts.byteCount, try #require(source.facts.defaultAudio?.cells))
        #expect(cells.starts.count > 3500)
        let edit = try PlannedEdit(
            Self.edit("hours") { Int64($0) * 2_654_435_761 % 215_000 },
            ["hours": source],
            preset: "wav"
        )
        let pieces = try edit.plan(nil).soundPieces
        var read: [Int64] = []
        for piece in [pieces[1], try #require(pieces.last)] {
            let sources = try edit.countedSources(of: piece.task)
            _ = try RenderedSound(piece.task, sources: sources.map(\.source), in: folder)
            read.append(sources[0].bytes.readCount)
        }
        // The table says where each of 1.5 million packets lies.
        let table = Int64(cells.starts.count) * 430 * 5
        for count in read { #expect(count < table + bytes / 50, "\(count) of \(bytes)") }
    }
}
