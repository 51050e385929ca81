import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// Sources that run slower, faster, backwards or not at all, against the pictures that ffmpeg decodes.
@Suite struct RetimeTests {
    private let folder: TemporaryFolder
    private let rate: FrameRate
    private let size = PictureSize(width: 64, height: 36)

    init() throws {
        folder = try TemporaryFolder()
        rate = try FrameRate(25)
    }

    private func timeline(_ movie: TestMovie, _ instructions: [SliceInstruction]) -> TestTimeline {
        TestTimeline(
            movies: [movie],
            size: size,
            rate: rate,
            frameCount: instructions.last?.frames.end ?? 0,
            instructions: instructions
        )
    }

    private func source(from frame: Int64, speed: RationalTime) throws -> SliceSource {
        SliceSource(asset: 0, stream: 0, start: try rate.time(ofFrame: frame), fit: .contain, speed: speed)
    }

    private static let speeds: [(Int64, Int64)] = [
        (2, 1), (1, 2), (-1, 1), (-1, 3), (-5, 2), (0, 1), (20, 1), (-20, 1), (1, 20),
    ]

    @Test(arguments: speeds)
    func eachFrameShowsWhatItShould(speed: (Int64, Int64)) async throws {
        let movie = try await TestMovie.make(
            "a.mp4",
            in: folder,
            TestPattern.movie("testsrc2", "64x36", frames: 120)
        )
        let raw = try await RawPictures(movie.path, size: size)
        let first: Int64 = speed.0 < 0 ? 119 : 0
        let played = speed.0 == 0 ? 30 : min(60, 120 * speed.1 / abs(speed.0))
        let layer = SliceLayer(from: try source(from: first, speed: RationalTime(speed.0, speed.1)))
        let edit = timeline(movie, [SliceInstruction(0..<played, layer)])
        let compositor = try edit.compositor()
        for frame in 0..<played {
            let exact = Double(first) + Double(frame * speed.0) / Double(speed.1)
            let shown = Int((exact + 1e-9).rounded(.down))
            #expect(try compositor.picture(at: frame).difference(from: raw[shown]) == nil, "frame \(frame)")
        }
    }

    /// Slow, held, backwards and dissolved into each other, cut anywhere.
    @Test func anyNumberOfSegmentsGivesTheSameFrames() async throws {
        let movie = try await TestMovie.make(
            "a.mp4",
            in: folder,
            TestPattern.movie("testsrc2", "64x36", frames: 120)
        )
        var bent = try source(from: 40, speed: rate.framesPerSecond)
        bent.speed = nil
        bent.curve = RetimeCurve(frames: [0, 5, 6, 7, 19], progress: [0, 10, 11, 9, -3].map { $0 * 1_000_000 })
        let (half, back) = (try RationalTime(1, 2), RationalTime(whole: -1))
        let edit = timeline(
            movie,
            [
                SliceInstruction(0..<20, SliceLayer(from: try source(from: 10, speed: half))),
                SliceInstruction(
                    20..<30,
                    SliceLayer(
                        from: try source(from: 20, speed: half),
                        to: try source(from: 100, speed: back),
                        transition: TransitionRamp(firstStep: 0, steps: 10)
                    )
                ),
                SliceInstruction(30..<70, SliceLayer(from: try source(from: 90, speed: back))),
                SliceInstruction(70..<84, SliceLayer(from: try source(from: 7, speed: .zero))),
                SliceInstruction(84..<104, SliceLayer(from: bent)),
            ]
        )
        let whole = try edit.compositor()
        let expected = try (0..<edit.frameCount).map { try whole.picture(at: $0).digest() }
        #expect(Set(expected[70..<84]).count == 1)
        for count: Int64 in [2, 7, 31] {
            for range in edit.ranges(count) {
                let part = try Compositor(task: edit.task(range), sources: edit.movies.map { try $0.source() })
                for frame in range {
                    let picture = try part.picture(at: frame - range.lowerBound)
                    #expect(picture.digest() == expected[Int(frame)], "\(count) parts, frame \(frame)")
                }
            }
        }
    }

    @Test func highSpeedFootageSlowedDownShowsEachFrameOnce() async throws {
        let movie = try await TestMovie.make(
            "240.mp4",
            in: folder,
            TestPattern.movie("testsrc2", "64x36", rate: "240", frames: 96)
        )
        let raw = try await RawPictures(movie.path, size: size)
        let slow = SliceSource(asset: 0, stream: 0, start: .zero, fit: .contain, speed: try RationalTime(1, 8))
        var edit = timeline(movie, [SliceInstruction(0..<96, SliceLayer(from: slow))])
        edit.rate = try FrameRate(30)
        let compositor = try edit.compositor()
        for frame in 0..<96 {
            #expect(try compositor.picture(at: Int64(frame)).difference(from: raw[frame]) == nil, "frame \(frame)")
        }
    }

    /// Backwards over a variable rate: the frames of every moment, the last first.
    @Test func aVariableRateRunsBackwards() async throws {
        let movie = try await TestMovie.make(
            "vfr.mp4",
            in: folder,
            [
                "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25", "-frames:v", "80", "-vf",
                "select='not(eq(mod(n,7),3)+eq(mod(n,11),5))'", "-fps_mode", "vfr",
            ] + TestPattern.h264 + TestPattern.bt709
        )
        #expect(movie.facts.video[0].isVariableRate)
        func timeline(from frame: Int64, speed: Int64) throws -> TestTimeline {
            let source = try source(from: frame, speed: RationalTime(whole: speed))
            return self.timeline(movie, [SliceInstruction(0..<70, SliceLayer(from: source))])
        }
        let (forwards, backwards) = (try timeline(from: 0, speed: 1), try timeline(from: 69, speed: -1))
        let (there, back) = (try forwards.compositor(), try backwards.compositor())
        let digests = try (0..<70).map { try there.picture(at: $0).digest() }
        #expect(try (0..<70).map { try back.picture(at: $0).digest() } == digests.reversed())
        #expect(Set(digests).count > 30)
    }
}
