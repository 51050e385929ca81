import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing
import Timing

@testable import Media
@testable import Rendering

/// Sound that is encoded in pieces and joined, against the same in one go.
@Suite struct SoundJoinTests {
    private static let count: Int64 = 5 * 48_000 + 777
    /// Multiples of the packets of AAC and AC-3, at which the music is as soft as it gets.
    private static let borders: [Int64] = [0, 26 * 3072, 51 * 3072, count]

    private static func task(_ encoding: AudioEncoding, _ piece: Range<Int64>, _ joining: (Int64, Int64)) -> SoundTask {
        var task = SoundTask.mix(
            [AudioTrack([.clip(at: 0, count: count)])],
            count: piece.upperBound - piece.lowerBound,
            first: piece.lowerBound,
            encoding: encoding
        )
        let (before, after) = (min(joining.0, piece.lowerBound), min(joining.1, count - piece.upperBound))
        task.extent = SoundExtent(SoundPiece(preRoll: before, postRoll: after))
        task.assets = [ContentDigest(of: Data("s".utf8))]
        return task
    }

    /// Renders and joins; what this program decodes of the file, which must have every sample.
    private static func decoded(
        _ encoding: AudioEncoding,
        _ borders: [Int64],
        _ source: SoundFile,
        _ folder: TemporaryFolder
    ) throws -> [[Float]] {
        // As docs/design/sound.md has it.
        let joining: (Int64, Int64) =
            switch encoding.codec {
            case .aac: (1410 * 1024, 2 * 1024)
            case .ac3: (4 * 1536, 1536)
            default: (0, 0)
            }
        let paths = try zip(borders, borders.dropFirst()).map { start, end in
            let path = folder.path("\(UUID().uuidString).packets")
            let task = task(encoding, start..<end, joining)
            let folder = folder.url.path
            _ = try SoundRenderer.render(task, sources: [source.source()], to: path, scratchFolder: folder) { _ in }
            return path
        }
        let counts = zip(borders, borders.dropFirst()).map { $1 - $0 }
        let stitch = StitchTask(
            container: encoding.codec == .pcm24 ? .matroska : .mp4,
            frameRate: try FrameRate(25),
            frameCount: count * 25 / 48_000,
            sampleRate: 48_000,
            sampleCount: count,
            size: PictureSize(width: 2, height: 2),
            color: .bt709,
            partFrameCounts: [],
            hasSound: true,
            soundPartCounts: counts.count > 1 ? counts : nil,
            rendererVersion: Renderer.version
        )
        let movie = folder.path("\(UUID().uuidString).\(stitch.container.fileExtension(hasPicture: false))")
        _ = try Stitcher.stitch(stitch, parts: [], sounds: paths, to: movie) { _ in }
        let facts = try #require(try AssetProbe.probe(FileByteSource(path: movie)).facts.defaultAudio)
        #expect(facts.sampleCount == count && facts.start == .zero)
        let reader = try SoundReader(source: FileByteSource(path: movie), stream: facts)
        var channels: [[Float]] = [[], []]
        while let block = try reader.next() { for channel in 0..<2 { channels[channel] += block.channels[channel] } }
        return channels
    }

    private static let signals = [
        "sweep": "0.5*sin(2*PI*(60*t+700*t*t))|0.5*sin(2*PI*(15000*t-500*t*t))",
        "music":
            "0.2*sin(2*PI*220*t)*exp(-3*mod(t,0.5))+0.2*sin(2*PI*331*t)+0.1*sin(2*PI*1760*t)*exp(-9*mod(t,0.25))"
            + "|0.3*sin(2*PI*110*t)+0.1*(random(0)-0.5)*exp(-20*mod(t,0.5))",
        "silence": "0|0",
    ]

    @Test(arguments: signals.keys.sorted(), [AudioEncoding.Codec.aac, .ac3, .pcm24])
    func piecesAreTheSamplesOfOneEncoder(signal: String, codec: AudioEncoding.Codec) async throws {
        let folder = try TemporaryFolder()
        let words = try #require(Self.signals[signal])
        let input = ["-f", "lavfi", "-i", "aevalsrc='\(words)':s=48000:d=5.1", "-c:a", "pcm_f32le"]
        let source = try await SoundFile.make("s.wav", in: folder, input)
        let truth = try await SoundFile.decode(source.path, stream: 0)
        let encoding = AudioEncoding(codec: codec, bitRate: codec.bitRates.map { _ in 192_000 })
        let whole = try Self.decoded(encoding, [0, Self.count], source, folder)
        let joined = try Self.decoded(encoding, Self.borders, source, folder)
        #expect(joined.map(\.count) == [Int(Self.count), Int(Self.count)])
        // Each encoder hears all that came before its piece: what differs at all was lost or added at a join. Where the
        // pre-roll is shorter than that, `LongEditTests` and `LongJoinTests` listen.
        for channel in 0..<2 {
            let place = zip(joined[channel], whole[channel]).enumerated().first { $1.0 != $1.1 }?.offset
            #expect(place == nil, "channel \(channel) differs from sample \(place ?? 0) on; borders \(Self.borders)")
        }
        // And the whole is the mix: what all encoders lost would be lost here too.
        let mixed = stride(from: 0, to: Int(Self.count), by: 1).map { truth[2 * $0] }
        let noise = zip(whole[0], mixed).reduce(0) { $0 + pow(Double($1.0 - $1.1), 2) }
        let power = mixed.reduce(0) { $0 + pow(Double($1), 2) }
        #expect(noise <= 0.05 * power + 1e-6, "\(noise) of \(power)")
    }
}
