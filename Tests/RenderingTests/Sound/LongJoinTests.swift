import CompositionModel
import Foundation
import Media
import TestSupport
import Testing

@testable import Planning
@testable import Rendering

/// Ten minutes as a farm makes them, beside the same encoded in one go: no join can be told from any other place.
/// `CUTFARM_THOROUGH=1`; `CUTFARM_JOINS=FOLDER` leaves the files there, for the eye.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CUTFARM_THOROUGH"] != nil, "CUTFARM_THOROUGH is not set"))
struct LongJoinTests {
    /// Of which ten minutes are repeated: they begin anew at no join.
    private static let signals = [
        "music": "0.2*sin(2*PI*220*t)*exp(-3*mod(t,0.5))+0.2*sin(2*PI*331*t)+0.1*sin(2*PI*1760*t)*exp(-9*mod(t,0.25))"
            + "+0.05*(random(0)-0.5)*exp(-20*mod(t,0.5))|0.3*sin(2*PI*110*t)+0.1*(random(1)-0.5)*exp(-20*mod(t,0.5))",
        "speech": "0.4*sin(2*PI*(140+20*sin(3*t))*t)*gt(sin(2*PI*2.3*t),0)*gt(sin(t/2),-0.4)"
            + "+0.2*(random(0)-0.5)*gt(sin(2*PI*3.1*t),0.7)|0.4*sin(2*PI*(140+20*sin(3*t))*t)*gt(sin(2*PI*2.3*t),0)",
        "sweep": "0.5*sin(2*PI*(60*t+150*t*t))|0.5*sin(2*PI*(18000*t-140*t*t))",
        "silence": "0|0",
    ]
    private static let seconds: Int64 = 600
    /// Samples of what is repeated.
    private static let period = 60 * 48_000

    /// What differs from the mix in one channel.
    private struct Noise {
        /// Energies up to each sample.
        private var sums: [Double] = [0]

        /// - Parameter truth: 24-bit samples of two channels, interleaved.
        init(_ samples: [Float], _ truth: [Int32], _ channel: Int) {
            sums.reserveCapacity(samples.count + 1)
            var sum = 0.0
            for index in samples.indices {
                let difference = Double(samples[index]) - Double(truth[2 * index + channel]) / 8_388_608
                sum += difference * difference
                sums.append(sum)
            }
        }

        /// Over 2048 samples from `place` on, dBFS; nil where there are none.
        func decibels(_ place: Int) -> Double? {
            guard place >= 0, place + 2048 < sums.count else { return nil }
            return 10 * log10((sums[place + 2048] - sums[place]) / 2048 + 1e-12)
        }
    }

    @Test(arguments: signals.keys.sorted(), ["aac", "ac3"])
    func aJoinIsLikeAnyOtherPlace(signal: String, preset: String) async throws {
        let folder = try TemporaryFolder()
        let words = try #require(Self.signals[signal])
        let input = ["-f", "lavfi", "-i", "aevalsrc='\(words)':s=48000:d=60", "-c:a", "pcm_s24le"]
        let source = try await TestMovie.make("s.wav", in: folder, input)
        let text = """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "s": "s.wav" },
              "tracks": [ { "kind": "audio", "segments": [ { "asset": "s", "loop": 10 } ] } ] }
            """
        let truth = try PlannedEdit(text, ["s": source], preset: "wav").sound(in: folder)
        let edit = try PlannedEdit(text, ["s": source], preset: preset)
        let plan = try edit.plan(nil)
        let pieces = plan.soundPieces
        let joined = try plan.decodedSound(of: edit, pieces.map(\.task), in: folder)
        let single = try plan.decodedSound(of: edit, [try #require(plan.sound)], in: folder)
        let count = Int(Self.seconds * 48_000)
        #expect(pieces.count >= 3 && joined.map(\.count) == [count, count] && single.map(\.count) == [count, count])
        if let keep = ProcessInfo.processInfo.environment["CUTFARM_JOINS"] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            where name.hasSuffix(".mp4") {
                try FileManager.default.copyItem(
                    atPath: folder.path(name),
                    toPath: "\(keep)/\(signal)-\(preset)-\(name)"
                )
            }
        }
        var worst = -200.0
        for channel in 0..<2 {
            let noises = (
                joined: Noise(joined[channel], truth, channel), single: Noise(single[channel], truth, channel)
            )
            for piece in pieces.dropFirst() {
                // Four seconds on both sides: what a single encode does to them at any repeat is what a join may do.
                let near = stride(from: Int(piece.start) - 192_000, to: Int(piece.start) + 192_000, by: 512)
                let repeats = stride(from: -count, to: count, by: Self.period)
                let bar = near.flatMap { place in repeats.compactMap { noises.single.decibels(place + $0) } }.max() ?? 0
                let found = near.compactMap { noises.joined.decibels($0) }.max() ?? 0
                worst = max(worst, found - bar)
                #expect(found <= bar + 1, "\(found) dB within 4 s of \(piece.start), \(bar) dB in one go")
                // A fifth of a second on both sides, by the millisecond.
                let close = Int(piece.start) - 9600..<Int(piece.start) + 9600
                let mixed = close.map { Float(truth[2 * $0 + channel]) / 8_388_608 }
                let places = LocalError(Array(joined[channel][close]), truth: mixed).outstanding(
                    near: 9600,
                    distance: 4096,
                    beside: LocalError(Array(single[channel][close]), truth: mixed)
                )
                #expect(places.isEmpty, "channel \(channel): \(places.map { $0 - 9600 }) from \(piece.start)")
            }
        }
        print("\(signal) as \(preset): at most \(worst) dB above one go at \(pieces.count - 1) joins")
    }
}
