import Foundation
import Planning
import TestSupport
import Testing
import Timing

@testable import Rendering

/// Sound that is dithered before it becomes integers.
@Suite struct DitherTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let seconds = 6

    private func movie(_ signal: String, _ codec: String) async throws -> TestMovie {
        let input = ["-f", "lavfi", "-i", "aevalsrc='\(signal)':s=48000:d=\(Self.seconds)", "-c:a", codec]
        return try await TestMovie.make("\(codec).wav", in: folder, input)
    }

    private func edit(_ movie: TestMovie, _ words: String, preset: String = "wav-16") throws -> PlannedEdit {
        let text = """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "s": "s.wav" },
              "tracks": [ { "kind": "audio", "segments": [ { "asset": "s" } ] } ],
              "outputs": [ { "preset": "\(preset)"\(words) } ] }
            """
        return try PlannedEdit(text, ["s": movie], preset: nil)
    }

    private func bytes(_ edit: PlannedEdit, pieces: Int = 1, range: FrameRange? = nil) throws -> Data {
        let plan = try edit.plan(pieces, range: range)
        #expect(plan.soundPieces.count == pieces)
        return try plan.soundPieces.reduce(into: Data()) { $0 += try edit.bytes(of: $1.task, in: folder) }
    }

    /// Of the left channel.
    private func steps(_ bytes: Data) -> [Double] {
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        return stride(from: 0, to: samples.count, by: 2).map { Double(samples[$0]) }
    }

    /// Steps of the sine of 1 kHz that is in them.
    private func tone(_ steps: [Double]) -> Double {
        let sum = steps.indices.reduce(0.0) { $0 + steps[$1] * sin(2 * .pi * Double($1) / 48) }
        return 2 * sum / Double(steps.count)
    }

    private static let words = ", \"dither\": \"triangular\""
    private static let faint = "0.00001*sin(2*PI*1000*t)|0.00001*sin(2*PI*1000*t)"

    /// −100 dB of full scale are a third of a step: dithered they are heard as they are, else not at all.
    @Test func whatIsFainterThanAStepSurvives() async throws {
        let movie = try await movie(Self.faint, "pcm_f32le")
        #expect(try bytes(edit(movie, "")).allSatisfy { $0 == 0 })
        let dithered = try steps(bytes(edit(movie, Self.words)))
        #expect(dithered.count == 48_000 * Self.seconds)
        #expect(abs(tone(dithered) - 0.32768) < 0.006, "\(tone(dithered))")
        // The left channel is the right one in the source, not in what is added.
        let errors = dithered.indices.map { dithered[$0] - 0.32768 * sin(2 * .pi * Double($0) / 48) }
        let mean = errors.reduce(0, +) / Double(errors.count)
        let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
        #expect(abs(mean) < 0.005 && abs(power - 0.25) < 0.005, "\(mean), \(power)")
    }

    @Test(arguments: ["wav-16", "wav", "lossless"]) func piecesGetWhatTheWholeGets(preset: String) async throws {
        let movie = try await movie("0.3*sin(2*PI*440*t)|random(0)-0.5", "pcm_f32le")
        let edit = try edit(movie, Self.words, preset: preset)
        let whole = try bytes(edit)
        #expect(try whole == bytes(edit) && whole != bytes(self.edit(movie, "", preset: preset)))
        for pieces in [2, 7] {
            // Not two files for the testing library to tell apart, which takes it minutes.
            let areEqual = try bytes(edit, pieces: pieces) == whole
            #expect(areEqual, "\(pieces)")
        }
        let frame = whole.count / (25 * Self.seconds)
        let part = try bytes(edit, range: FrameRange(start: 31, count: 60))
        let isItsPart = part == whole[31 * frame..<91 * frame]
        #expect(isItsPart, "a range has the noise of its place")
    }

    /// 16 bits pass through 16 bits untouched, as long as nobody asks for noise.
    @Test func withoutDitherIntegersPassThrough() async throws {
        let movie = try await movie("0.99*sin(2*PI*440*t)|random(0)*2-1", "pcm_s16le")
        let truth = try await Shell.ffmpeg(["-i", movie.path, "-f", "s16le", "-"])
        #expect(try bytes(edit(movie, "")) == truth)
        let dithered = try steps(bytes(edit(movie, Self.words)))
        let changed = zip(dithered, steps(truth)).map { $0 - $1 }
        #expect(changed.allSatisfy { abs($0) <= 1 } && changed.contains { $0 != 0 })
    }

    /// Full scale does not wrap around.
    @Test func loudSoundIsClipped() async throws {
        let movie = try await movie("1.5|-1.5", "pcm_f32le")
        let dithered = try steps(bytes(edit(movie, Self.words)))
        #expect(dithered.allSatisfy { $0 == 32_767 })
    }
}
