import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Rendering

/// Null tests: a sound that is cut in two, and whose second part goes on where the first one ends, is the sound that was
/// not cut, to the bit, whatever the rates are.
@Suite struct RazorCutTests {
    struct Take: Sendable, CustomTestStringConvertible {
        /// Of the source, in Hz.
        var rate: Int
        /// Of the edit, in frames per second.
        var frames = "30000/1001"
        var speed: RationalTime = RationalTime(whole: 1)
        /// The in point of the whole, in seconds.
        var start = "123456/1000000"
        var kind = "audio"

        var testDescription: String { "\(rate) Hz at \(frames), speed \(speed), from \(start), \(kind)" }
    }

    private static func ratio(_ top: Int64, _ bottom: Int64) -> RationalTime {
        (try? RationalTime(top, bottom)) ?? .zero
    }

    private static let takes: [Take] =
        [44_100, 48_000, 32_000, 96_000, 22_050].flatMap { rate in
            ["audio", "video"].map { Take(rate: rate, kind: $0) } + [Take(rate: rate, start: "0")]
        } + [
            Take(rate: 44_100, frames: "24"), Take(rate: 44_100, speed: ratio(2, 1)),
            Take(rate: 48_000, speed: ratio(7, 10)), Take(rate: 44_100, speed: ratio(3, 2), kind: "video"),
            Take(rate: 44_100, frames: "25", start: "1/3"),
        ]

    private func movie(_ rate: Int, in folder: TemporaryFolder) async throws -> TestMovie {
        let noise = ["-f", "lavfi", "-i", "anoisesrc=r=\(rate):a=0.4:seed=7:d=9"]
        let picture = ["-f", "lavfi", "-i", "color=s=32x32:r=25:d=9", "-c:v", "ffv1"]
        return try await TestMovie.make("a.mkv", in: folder, noise + picture + ["-ac", "2", "-c:a", "pcm_s24le"])
    }

    @Test(arguments: takes) func aCutIsNotHeard(take: Take) async throws {
        let folder = try TemporaryFolder()
        let movies = ["a": try await movie(take.rate, in: folder)]
        func sound(_ segments: [String]) throws -> [Int32] {
            let text = """
                { "schema": "edit/1", "format": { "size": [32, 32], "frameRate": "\(take.frames)",
                    "sampleRate": 48000, "channels": 2 },
                  "assets": { "a": "a" },
                  "tracks": [{ "kind": "\(take.kind)", "segments": [\(segments.joined(separator: ", "))] }] }
                """
            return try PlannedEdit(text, movies).sound(in: folder)
        }
        let frames = try #require(Self.seconds(take.frames))
        let rate = try FrameRate(frames.numerator, frames.denominator)
        let start = try #require(Self.seconds(take.start))
        func segment(_ first: Int64, _ count: Int64) throws -> String {
            let source = try start.adding(rate.time(ofFrame: first).multiplied(by: take.speed))
            let speed =
                take.speed == RationalTime(whole: 1)
                ? "" : #", "speed": "\#(Self.text(take.speed).replacing("s", with: ""))""#
            return #"{ "asset": "a", "in": "\#(Self.text(source))", "duration": "\#(count)f"\#(speed) }"#
        }
        let whole = try sound([segment(0, 90)])
        let cuts: [Int64] = [0, 1, 7, 18, 41, 42, 89, 90]
        let parts = try sound(zip(cuts, cuts.dropFirst()).map { try segment($0, $1 - $0) })
        #expect(Set(whole).count > 1000)
        let difference = zip(whole, parts).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(whole.count == parts.count && difference == nil, "sample \(difference.map { $0 / 2 } ?? -1)")
    }

    private static func seconds(_ text: String) -> RationalTime? {
        let numbers = text.split(separator: "/").compactMap { Int64($0) }
        return numbers.count == 2 ? ratio(numbers[0], numbers[1]) : numbers.first.map { RationalTime(whole: $0) }
    }

    private static func text(_ time: RationalTime) -> String {
        time.denominator == 1 ? "\(time.numerator)s" : "\(time.numerator)/\(time.denominator)"
    }

    /// The second part begins between two samples of the source, not at the nearest one.
    @Test func theFractionIsHeard() async throws {
        let folder = try TemporaryFolder()
        let movies = ["a": try await movie(44_100, in: folder)]
        func sound(_ start: String) throws -> [Int32] {
            let text = """
                { "schema": "edit/1", "format": { "size": [32, 32], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
                  "assets": { "a": "a" },
                  "tracks": [{ "kind": "audio", "segments": [{ "asset": "a", "in": "\(start)", "duration": "1s" }] }] }
                """
            return try PlannedEdit(text, movies).sound(in: folder)
        }
        #expect(try sound("1/44100") != sound("5/176400"))
        #expect(try sound("1/44100") == sound("352801/15558480000"), "a hundredth of a phase is none")
    }
}
