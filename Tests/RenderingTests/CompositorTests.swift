import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

@Suite struct CompositorTests {
    private let folder: TemporaryFolder
    private let rate: FrameRate

    init() throws {
        folder = try TemporaryFolder()
        rate = try FrameRate(25)
    }

    private func timeline(
        _ movies: [TestMovie],
        _ width: Int,
        _ height: Int,
        frames: Int64,
        _ instructions: [SliceInstruction]
    ) -> TestTimeline {
        TestTimeline(
            movies: movies,
            size: PictureSize(width: width, height: height),
            rate: rate,
            frameCount: frames,
            background: "#000000",
            instructions: instructions
        )
    }

    private func movie(_ pattern: String, _ size: String, frames: Int, _ name: String) async throws -> TestMovie {
        try await TestMovie.make(name, in: folder, TestPattern.movie(pattern, size, frames: frames))
    }

    @Test func untouchedFramesAreTheSourcesOwn() async throws {
        let movie = try await movie("testsrc2", "320x180", frames: 60, "a.mp4")
        let raw = try await RawPictures(movie.path, size: PictureSize(width: 320, height: 180))
        let edit = timeline(
            [movie],
            320,
            180,
            frames: 40,
            [
                SliceInstruction(0..<40, SliceLayer(from: try SliceSource(0, frame: 13, rate: rate)))
            ]
        )
        let compositor = try edit.compositor()
        for frame in 0..<40 {
            #expect(try compositor.picture(at: Int64(frame)).difference(from: raw[frame + 13]) == nil)
        }
    }

    @Test func framesDoNotDependOnTheOrderTheyAreAskedIn() async throws {
        let movies = try await [
            movie("testsrc2", "320x180", frames: 60, "a.mp4"), movie("mandelbrot", "320x180", frames: 40, "b.mp4"),
        ]
        let edit = try dissolve(movies)
        let forward = try (0..<60).map { try edit.compositor().picture(at: $0).digest() }
        let compositor = try edit.compositor()
        for frame in (0..<60).map({ Int64($0 * 37 % 60) }) {
            #expect(try compositor.picture(at: frame).digest() == forward[Int(frame)], "frame \(frame)")
        }
    }

    /// Frames 0..<20 of A, a dissolve of 15 to B over 20..<35, B up to 60.
    private func dissolve(_ movies: [TestMovie]) throws -> TestTimeline {
        let ramp = TransitionRamp(firstStep: 0, steps: 15)
        return timeline(
            movies,
            320,
            180,
            frames: 60,
            [
                SliceInstruction(0..<20, SliceLayer(from: try SliceSource(0, frame: 7, rate: rate))),
                SliceInstruction(
                    20..<35,
                    SliceLayer(
                        from: try SliceSource(0, frame: 27, rate: rate),
                        to: try SliceSource(1, rate: rate),
                        transition: ramp
                    )
                ),
                SliceInstruction(35..<60, SliceLayer(from: try SliceSource(1, frame: 15, rate: rate))),
            ]
        )
    }

    @Test func aDissolveShowsExactlyTheRoundedMean() async throws {
        let movies = try await [
            movie("testsrc2", "320x180", frames: 60, "a.mp4"), movie("mandelbrot", "320x180", frames: 40, "b.mp4"),
        ]
        let size = PictureSize(width: 320, height: 180)
        let first = try await RawPictures(movies[0].path, size: size)
        let second = try await RawPictures(movies[1].path, size: size)
        let compositor = try dissolve(movies).compositor()
        for frame in 0..<60 {
            let step = min(max(frame - 20, 0), 15)
            let expected: [UInt8] =
                if step == 0 {
                    first[7 + frame]
                } else if step == 15 {
                    second[frame - 20]
                } else {
                    zip(first[7 + frame], second[frame - 20]).map {
                        UInt8((Int($0) * (15 - step) * 2 + Int($1) * step * 2 + 15) / 30)
                    }
                }
            #expect(try compositor.picture(at: Int64(frame)).difference(from: expected) == nil, "frame \(frame)")
        }
    }

    @Test func aDissolveWithoutASideGoesToWhatLiesBelow() async throws {
        let movie = try await movie("testsrc2", "64x36", frames: 12, "a.mp4")
        let raw = try await RawPictures(movie.path, size: PictureSize(width: 64, height: 36))
        let out = SliceLayer(
            from: try SliceSource(0, rate: rate),
            transition: TransitionRamp(firstStep: 0, steps: 10)
        )
        let edit = timeline([movie], 64, 36, frames: 10, [SliceInstruction(0..<10, out)])
        let compositor = try edit.compositor()
        for step in 0..<10 {
            let (luma, chroma) = (64 * 36, 2 * 32 * 18)
            let below = Array(repeating: 16, count: luma) + Array(repeating: 128, count: chroma)
            let weight = (step * 65536 * 2 + 10) / 20
            let expected = zip(raw[step], below).map {
                UInt8((Int($0) * (65536 - weight) + $1 * weight + 32768) / 65536)
            }
            #expect(try compositor.picture(at: Int64(step)).difference(from: expected) == nil)
        }
    }

    @Test func aPictureTwoColumnsShortOfTheFrameIsCopiedExactly() async throws {
        let movie = try await movie("testsrc2", "1276x720", frames: 3, "a.mp4")
        let raw = try await RawPictures(
            movie.path,
            size: PictureSize(width: 1280, height: 720),
            ["-vf", "pad=1280:720:2:0:black"]
        )
        let edit = timeline(
            [movie],
            1280,
            720,
            frames: 3,
            [
                SliceInstruction(0..<3, SliceLayer(from: try SliceSource(0, rate: rate)))
            ]
        )
        let compositor = try edit.compositor()
        for frame in 0..<3 { #expect(try compositor.picture(at: Int64(frame)).difference(from: raw[frame]) == nil) }
    }

    /// What ffmpeg's own turning of the same display matrix gives.
    @Test(arguments: ["0", "90", "180", "270"], ["mp4", "mov"])
    func turnedSourcesStandUpright(degrees: String, container: String) async throws {
        let upright = try await movie("testsrc2", "64x36", frames: 4, "a.mp4")
        let movie = try await TestMovie.make(
            "turned.\(container)",
            in: folder,
            ["-i", upright.path, "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)"]
        )
        let isTurned = degrees == "90" || degrees == "270"
        let size = isTurned ? PictureSize(width: 36, height: 64) : PictureSize(width: 64, height: 36)
        let raw = try await RawPictures(movie.path, size: size)
        let edit = timeline(
            [movie],
            size.width,
            size.height,
            frames: 4,
            [
                SliceInstruction(0..<4, SliceLayer(from: try SliceSource(0, rate: rate)))
            ]
        )
        let compositor = try edit.compositor()
        // Chroma is moved to its place in the turned picture (ChromaPlaceTests), which ffmpeg leaves out.
        let count = degrees == "0" ? raw[0].count : size.width * size.height
        for frame in 0..<4 {
            let found = try compositor.picture(at: Int64(frame)).allSamples
            #expect(found[..<count] == raw[frame][..<count])
        }
    }

    @Test func aScaledPictureIsScaledWithAccurateRounding() async throws {
        let movie = try await movie("testsrc2", "640x480", frames: 3, "a.mp4")
        let left = "in_h_chr_pos=0:out_h_chr_pos=0"
        let filter = "scale=240:180:\(left):flags=bicubic+accurate_rnd+full_chroma_int+bitexact,pad=320:180:40:0:black"
        let size = PictureSize(width: 320, height: 180)
        let raw = try await RawPictures(movie.path, size: size, ["-vf", filter])
        let edit = timeline(
            [movie],
            320,
            180,
            frames: 3,
            [
                SliceInstruction(0..<3, SliceLayer(from: try SliceSource(0, rate: rate)))
            ]
        )
        let compositor = try edit.compositor()
        for frame in 0..<3 {
            let found = try compositor.picture(at: Int64(frame)).allSamples
            #expect(zip(found, raw[frame]).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }
    }

    /// An odd source over another clip, and the same source frame twice in one frame.
    @Test func layersLieOverEachOtherFromTheBottom() async throws {
        let movies = try await [
            movie("mandelbrot", "64x36", frames: 6, "below.mp4"),
            TestMovie.make(
                "odd.mkv",
                in: folder,
                [
                    "-f", "lavfi", "-i", "mandelbrot=size=35x21:rate=25", "-frames:v", "6", "-c:v", "ffv1", "-pix_fmt",
                    "yuv420p",
                ] + TestPattern.bt709
            ),
        ]
        let below = try await RawPictures(movies[0].path, size: PictureSize(width: 64, height: 36))
        let above = try await RawPictures(movies[1].path, size: PictureSize(width: 35, height: 21))
        let odd = SliceLayer(from: try SliceSource(1, rate: rate, fit: .none))
        let edit = timeline(
            movies,
            64,
            36,
            frames: 6,
            [
                SliceInstruction(0..<6, SliceLayer(from: try SliceSource(0, rate: rate)), odd, odd)
            ]
        )
        let compositor = try edit.compositor()
        for frame in 0..<6 {
            let found = try compositor.picture(at: Int64(frame)).allSamples
            var expected = below[frame]
            // 35 × 21 in 64 × 36: offsets 14 and 7, rounded down to 14 and 6.
            for y in 0..<21 { for x in 0..<35 { expected[(y + 6) * 64 + x + 14] = above[frame][y * 35 + x] } }
            let wrong = (0..<64 * 36).first { found[$0] != expected[$0] }
            #expect(wrong == nil)
        }
    }

    @Test func aSlowerSourceShowsTheFrameWhoseTimeHasCome() async throws {
        let movie = try await TestMovie.make(
            "ntsc.mp4",
            in: folder,
            TestPattern.movie("testsrc2", "64x36", rate: "30000/1001", frames: 30)
        )
        let raw = try await RawPictures(movie.path, size: PictureSize(width: 64, height: 36))
        let edit = timeline(
            [movie],
            64,
            36,
            frames: 24,
            [
                SliceInstruction(0..<24, SliceLayer(from: try SliceSource(0, rate: rate)))
            ]
        )
        let compositor = try edit.compositor()
        for frame in 0..<24 {
            // Frame n of the source is on screen over [n, n + 1) × 1001/30000 s; ours begins at frame / 25 s.
            let shown = frame * 30000 / (25 * 1001)
            #expect(try compositor.picture(at: Int64(frame)).difference(from: raw[shown]) == nil, "frame \(frame)")
        }
    }

    /// Two layers that fit one clip differently read no more of it than one layer.
    @Test func aSourceSeenTwiceIsDecodedOnce() async throws {
        let movie = try await movie("testsrc2", "320x180", frames: 60, "a.mp4")
        func readCount(_ fits: [Fit]) throws -> Int64 {
            let layers = try fits.map { SliceLayer(from: try SliceSource(0, frame: 9, rate: rate, fit: $0)) }
            let all = SliceInstruction(frames: FrameRange(start: 0, count: 40), layers: layers)
            let edit = timeline([movie], 320, 180, frames: 40, [all])
            var source = try movie.source()
            let counting = CountingSource(source.bytes)
            source.bytes = counting
            let compositor = try Compositor(task: edit.task(0..<40), sources: [source])
            for frame in 0..<40 { _ = try compositor.picture(at: Int64(frame)) }
            return counting.readCount
        }
        #expect(try readCount([.cover, .contain]) == readCount([.contain]))
    }

    /// The farm knows sources by their digests, and people want to know which of theirs is damaged.
    @Test func aSourceThatCannotBeReadIsNamed() async throws {
        let movie = try await movie("testsrc2", "64x64", frames: 10, "a.mp4")
        let layer = SliceLayer(from: try SliceSource(0, rate: rate))
        let edit = timeline([movie], 64, 64, frames: 30, [SliceInstruction(0..<30, layer)])
        let compositor = try edit.compositor()
        _ = try compositor.picture(at: 9)
        #expect { try compositor.picture(at: 10) } throws: { error in
            let failure = (error as? RenderError)?.failure
            return failure?.code == "out_of_range" && failure?.asset == (try? edit.task(0..<1))?.assets.first
        }
    }

    @Test func aTaskThatCoversNoFrameIsRefused() async throws {
        let edit = timeline([], 64, 36, frames: 4, [SliceInstruction(0..<2)])
        let compositor = try edit.compositor()
        #expect(try compositor.picture(at: 1).allSamples.prefix(64 * 36).allSatisfy { $0 == 16 })
        #expect { try compositor.picture(at: 2) } throws: {
            ($0 as? RenderError)?.failure.code == "frame_not_covered"
        }
    }
}
