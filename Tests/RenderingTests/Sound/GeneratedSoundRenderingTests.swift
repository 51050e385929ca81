import CompositionModel
import Foundation
import Media
import Planning
import Samples
import TestSupport
import Testing
import Timing

@testable import Rendering

/// What `{ "generate": … }` of sound gives in a mix.
@Suite struct GeneratedSoundRenderingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func source(_ sound: GeneratedSound) throws -> RenderSource {
        let path = folder.path(UUID().uuidString)
        try sound.bytes.write(to: URL(fileURLWithPath: path))
        let bytes = try FileByteSource(path: path)
        let (facts, indexes) = try AssetProbe.probe(bytes)
        #expect(facts == sound.facts && indexes.isEmpty)
        return RenderSource(bytes: bytes, facts: facts, indexes: [:])
    }

    private func tone(rate: Int) -> GeneratedSound {
        GeneratedSound(
            kind: .tone,
            sampleRate: rate,
            channels: 1,
            sampleCount: Int64(rate),
            level: -6_000_000,
            frequencies: [440_000_000],
            wave: .sine
        )
    }

    /// At the edit's rate its own samples, at another one those of the same tone.
    @Test(arguments: [48_000, 44_100, 96_000])
    func aToneIsATone(rate: Int) throws {
        let task = SoundTask.mix([AudioTrack([.clip(at: 100, count: 20_000, from: Int64(rate / 10))])], count: 20_100)
        let steps = try RenderedSound(task, sources: [source(tone(rate: rate))], in: folder).steps
        #expect(steps.prefix(200).allSatisfy { $0 == 0 })
        for index in 0..<20_000 {
            let time = 2 * 440 * (Double(index) + 4800) / 48_000
            let wanted = ExactMath.gain(decibels: -6) * ExactMath.sinPi(time) * 8_388_608
            let heard = (steps[2 * (index + 100)], steps[2 * (index + 100) + 1])
            #expect(heard.0 == heard.1 && abs(Double(heard.0) - wanted) < 8)
        }
    }

    /// A piece of it is the piece of the whole.
    @Test(arguments: [GeneratedSound.Color.white, .pink, .brown])
    func aPieceIsThePieceOfTheWhole(color: GeneratedSound.Color) throws {
        let noise = GeneratedSound(
            kind: .noise,
            sampleRate: 44_100,
            channels: 2,
            sampleCount: 1 << 32,
            level: -20_000_000,
            color: color,
            seed: 5
        )
        let track = AudioTrack([.clip(at: 0, count: 200_000, from: 1 << 31)])
        let whole = try RenderedSound(.mix([track], count: 200_000), sources: [source(noise)], in: folder).steps
        let piece = SoundTask.mix([track], count: 5000, first: 123_456)
        #expect(try RenderedSound(piece, sources: [source(noise)], in: folder).steps == Array(whole[246_912..<256_912]))
        #expect(Set(whole).count > 10_000)
    }

    /// Bytes that begin like a generated sound and are none are refused with a sentence.
    @Test func damagedBytesAreRefused() throws {
        let path = folder.path("damaged")
        try (GeneratedSound.heading + Data("{}".utf8)).write(to: URL(fileURLWithPath: path))
        #expect(throws: MediaError.self) { try AssetProbe.probe(FileByteSource(path: path)) }
    }
}
