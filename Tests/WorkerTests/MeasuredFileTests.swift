import CompositionModel
import Foundation
import Planning
import Sandbox
import TestSupport
import Testing

@testable import Samples
@testable import Worker

/// What a child wrote of a round of loudness, against what the rounds before it leave to be measured.
@Suite struct MeasuredFileTests {
    private static let count: Int64 = 8000
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A round after the first of a programme of a second, to −14 LUFS and −1 dBTP.
    private func task(round: Int?) -> MeasureTask {
        var sound = SoundTask(
            sampleRate: 8000,
            channels: 1,
            sampleCount: Self.count,
            firstSample: 0,
            assets: [],
            tracks: [],
            encoding: AudioEncoding(codec: .pcm32, bitRate: nil),
            rendererVersion: 1
        )
        sound.master = MasterMix(loudness: LoudnessTarget(integrated: -14_000_000, truePeak: -1_000_000))
        let key = ContentDigest(of: Data("programme".utf8))
        let programme = SoundProgramme(key: key, firstSample: 0, sampleCount: Self.count)
        sound.extent = SoundExtent(SoundPiece(programme: programme))
        return MeasureTask(sound: sound, what: .loudness, start: 0, wholeSampleCount: Self.count, round: round)
    }

    /// The bytes of a piece of ten tenths of the same energy.
    private func piece(energy: Double, truePeak: Double) -> [UInt8] {
        var reading = LoudnessReading()
        (reading.energies, reading.truePeak) = (Array(repeating: energy, count: 10), truePeak)
        return LoudnessPiece(of: task(round: nil), reading).encoded()
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let path = folder.path(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func isTaken(_ bytes: [UInt8], round: Int? = 1, after reading: [UInt8]) async throws -> Bool {
        let files = round == nil ? [] : [[try write(reading, "reading")]]
        do {
            try await MeasuredFile(path: write(bytes, "written")).check(task(round: round), after: files)
            return true
        } catch let error as RenderFailed {
            #expect(error.failure.code == "measurement_invalid" && !error.failure.isPermanent)
            return false
        }
    }

    /// −20.7 LUFS with peaks at full scale: 6.7 dB of gain ask for the limiter, and so for another round.
    @Test func aRoundThatIsNeededIsMeasured() async throws {
        let loud = piece(energy: 0.01, truePeak: 1)
        #expect(try await isTaken(piece(energy: 0.02, truePeak: 0.9), after: loud))
        #expect(try await !isTaken(LoudnessPiece.unneeded, after: loud))
    }

    /// With peaks far below full scale a gain is all it needs; nothing that a child says of another round counts.
    @Test func aRoundThatIsNotNeededIsNot() async throws {
        let soft = piece(energy: 0.01, truePeak: 0.2)
        #expect(try await isTaken(LoudnessPiece.unneeded, after: soft))
        #expect(try await !isTaken(piece(energy: 0.02, truePeak: 0.9), after: soft))
    }

    @Test func theFirstRoundIsAlwaysNeeded() async throws {
        let loud = piece(energy: 0.01, truePeak: 1)
        #expect(try await isTaken(loud, round: nil, after: []))
        #expect(try await !isTaken(LoudnessPiece.unneeded, round: nil, after: []))
    }

    /// Of files that are not the programme's nothing follows.
    @Test func readingsOfAnotherProgrammeAreRefused() async throws {
        #expect(try await !isTaken(LoudnessPiece.unneeded, after: Array("CUTLOUD1".utf8)))
        #expect(try await !isTaken(piece(energy: 0.02, truePeak: 0.9), after: []))
    }
}
