import CompositionModel
import Foundation
import Media
import Planning
import TestSupport
import Testing
import Timing

@testable import Rendering

/// Four and a half minutes whose borders fall where a job's do, by the lengths of segments and pieces and by no number
/// that a test asked for: three pieces of PCM, two of AAC with a pre-roll of half a minute.
@Suite struct LongEditTests {
    private let folder: TemporaryFolder
    private static let seconds = 270

    init() throws { folder = try TemporaryFolder() }

    /// Two clips that change every second, music that is longer than a piece, and what remembers: a compressor, a reverb
    /// and an echo on clips, tracks and the mix, ducking, volumes that move over the borders, and kept pitch.
    private func edit(preset: String) async throws -> PlannedEdit {
        let picture = "testsrc2=s=64x36:r=10:d=40"
        let movie = try await TestMovie.make(
            "m.mp4",
            in: folder,
            ["-f", "lavfi", "-i", picture, "-c:v", "libx264", "-preset", "ultrafast", "-g", "20"] + TestPattern.bt709
                + ["-pix_fmt", "yuv420p"]
        )
        let tones = "0.2*sin(2*PI*220*t)*exp(-3*mod(t,0.5))+0.1*sin(2*PI*(331+t)*t)|0.2*sin(2*PI*110*t)*(1+sin(t/9))/2"
        let music = try await TestMovie.make(
            "music.wav",
            in: folder,
            ["-f", "lavfi", "-i", "aevalsrc='\(tones)':s=44100:d=280", "-c:a", "pcm_s16le"]
        )
        let words = "0.3*sin(2*PI*(140+20*sin(3*t))*t)*gt(sin(2*PI*0.21*t),0)"
        let voice = try await TestMovie.make(
            "voice.flac",
            in: folder,
            ["-f", "lavfi", "-i", "aevalsrc='\(words)':s=48000:d=280"]
        )
        let clips = (0..<9).map { number in
            #"{ "asset": "m", "in": "\#(number * 7)f", "duration": "300f", "rotate": \#(number * 3) }"#
        }
        let text = """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "10", "sampleRate": 48000, "channels": 2 },
              "assets": { "m": "m.mp4", "music": "music.wav", "voice": "voice.flac" },
              "master": { "processors": [{ "processor": "compressor", "threshold": -20 }] },
              "tracks": [
                { "kind": "video", "segments": [ \(clips.joined(separator: ", ")) ] },
                { "kind": "audio", "id": "music", "duck": { "under": "voice", "by": "-9dB", "threshold": "-30dB" },
                  "volume": [ { "at": "0s", "value": 0.3 }, { "at": "170s", "value": 1 }, { "at": "185s", "value": 0.5 } ],
                  "processors": [{ "processor": "reverb", "decay": "1.2s" }],
                  "segments": [ { "asset": "music", "duration": "\(Self.seconds)s" } ] },
                { "kind": "audio", "id": "voice", "segments": [
                  { "gap": "5s" },
                  { "asset": "voice", "duration": "80s", "processors": [{ "processor": "delay", "time": "0.3s", "feedback": 0.5 }] },
                  { "asset": "voice", "range": ["100s", "96s"], "speed": "6/5", "pitch": "keep" },
                  { "asset": "voice", "duration": "90s" } ] } ] }
            """
        return try PlannedEdit(text, ["m": movie, "music": music, "voice": voice], preset: preset)
    }

    /// To the bit as PCM. As AAC the second piece's encoder has heard 30 s before it, and leaves nothing to be heard at
    /// the join.
    @Test func piecesOfTheirRealLengthAreTheSoundOfOne() async throws {
        let lossless = try await edit(preset: "lossless")
        let plan = try lossless.plan(nil)
        #expect(plan.soundPieces.map(\.start) == [0, 4_239_360, 8_478_720])
        let whole = try lossless.bytes(of: try #require(plan.sound), in: folder)
        var place = 0
        for piece in plan.soundPieces {
            let bytes = try lossless.bytes(of: piece.task, in: folder)
            let isEqual = whole[place..<min(place + bytes.count, whole.count)] == bytes
            #expect(isEqual, "the piece from \(piece.start) on is not as in the whole")
            // There is sound on both sides of every border.
            #expect(Set(steps(whole, near: Int(piece.start) + 9600, 9600, channel: 0)).count > 3000)
            place += bytes.count
        }
        #expect(place == whole.count && whole.count == Self.seconds * 48_000 * 6)
        try expectAAC(try await edit(preset: "aac"), truth: whole)
    }

    /// The samples of a channel within `distance` of `place`.
    /// - Parameter pcm: two channels of 24 bits.
    private func steps(_ pcm: Data, near place: Int, _ distance: Int, channel: Int) -> [Float] {
        (place - distance..<place + distance).map { sample in
            let byte = pcm.startIndex + 6 * sample + 3 * channel
            let bits = UInt32(pcm[byte]) | UInt32(pcm[byte + 1]) << 8 | UInt32(pcm[byte + 2]) << 16
            return Float(Int32(bitPattern: bits << 8) >> 8) / 8_388_608
        }
    }

    private func expectAAC(_ edit: PlannedEdit, truth: Data) throws {
        let plan = try edit.plan(nil)
        let pieces = plan.soundPieces
        #expect(pieces.map(\.start) == [0, 8_478_720] && pieces[1].task.extent.preRoll == 1410 * 1024)
        let (border, half) = (Int(pieces[1].start), 24_000)
        let joined = try plan.decodedSound(of: edit, pieces.map(\.task), in: folder)
        let single = try plan.decodedSound(of: edit, [try #require(plan.sound)], in: folder)
        for channel in 0..<2 {
            #expect(joined[channel].count == Self.seconds * 48_000 && single[channel].count == joined[channel].count)
            let mixed = steps(truth, near: border, half, channel: channel)
            let bar = LocalError(Array(single[channel][border - half..<border + half]), truth: mixed)
            let samples = Array(joined[channel][border - half..<border + half])
            let places = LocalError(samples, truth: mixed).outstanding(near: half, distance: 9600, beside: bar)
            #expect(places.isEmpty, "channel \(channel): \(places.map { $0 - half }) from the join")
            for fault in JoinFault.allCases {
                let faulty = LocalError(fault.applied(to: samples, at: half), truth: mixed)
                let places = faulty.outstanding(near: half, distance: 4096, beside: bar)
                #expect(places.contains { abs($0 - half) < 200 }, "\(fault) is not seen in channel \(channel)")
            }
        }
    }

    @Test func segmentsOfTheirRealLengthGiveTheFramesOfOne() async throws {
        let edit = try await edit(preset: "lossless")
        let plan = try edit.plan(nil)
        #expect(plan.segments.count > 8 && plan.segments.allSatisfy { $0.frames.count <= 300 })
        let frames = try [plan, edit.plan(1)].map { plan in
            try plan.segments.flatMap { segment in
                let compositor = try Compositor(task: segment.task, sources: edit.sources(of: segment.task.assets))
                return try (0..<segment.task.frameCount).map { try compositor.picture(at: $0).digest() }
            }
        }
        #expect(frames[0].count == Self.seconds * 10 && frames[0] == frames[1])
        #expect(Set(frames[0]).count > 2000)
    }
}
