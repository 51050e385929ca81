import CompositionModel
import Foundation
import Media
import Pixels
import Planning
import TestSupport
import Testing
import Timing

@testable import Rendering

/// Pictures that are moved, cut and mixed, composited from real movies.
@Suite struct LayerTests {
    private static let size = PictureSize(width: 320, height: 180)
    private let folder: TemporaryFolder
    private let rate: FrameRate

    init() throws {
        folder = try TemporaryFolder()
        rate = try FrameRate(25)
    }

    private func timeline(_ movies: [TestMovie], frames: Int64, _ layers: [SliceSource]) -> TestTimeline {
        TestTimeline(
            movies: movies,
            size: Self.size,
            rate: rate,
            frameCount: frames,
            background: "#000000",
            instructions: [
                SliceInstruction(
                    frames: FrameRange(start: 0, count: frames),
                    layers: layers.map { SliceLayer(from: $0) }
                )
            ]
        )
    }

    private func movie(_ pattern: String, _ size: String = "320x180", frames: Int = 40) async throws -> TestMovie {
        try await TestMovie.make("\(pattern)-\(size).mp4", in: folder, TestPattern.movie(pattern, size, frames: frames))
    }

    private func source(_ asset: Int, frame: Int64 = 0, _ change: (inout LayerAppearance) -> Void) throws -> SliceSource
    {
        var source = try SliceSource(asset, frame: frame, rate: rate)
        var appearance = LayerAppearance()
        change(&appearance)
        source.appearance = appearance
        source.itemTime = appearance.isAnimated ? .zero : nil
        return source
    }

    private func constant(_ numbers: Double...) -> AnimatedProperty {
        AnimatedProperty(constant: numbers.map { Int64(($0 * 1_000_000).rounded()) })
    }

    /// From `start` at 0 s to `end` at `seconds`.
    private func ramp(_ start: [Double], _ end: [Double], seconds: Int64, _ ease: Easing = .linear) -> AnimatedProperty
    {
        let keys = [(RationalTime.zero, start), (RationalTime(whole: seconds), end)].map { at, value in
            AnimationKey(at: at, value: value.map { Int64(($0 * 1_000_000).rounded()) }, ease: ease)
        }
        return AnimatedProperty(keys: keys)
    }

    private func raw(_ movie: TestMovie) async throws -> RawPictures {
        try await RawPictures(movie.path, size: Self.size)
    }

    /// The place where the fit put it, said aloud, changes nothing.
    @Test func aPictureThatIsMovedNowhereIsItself() async throws {
        let movie = try await movie("testsrc2", frames: 4)
        let raw = try await raw(movie)
        let nowhere = try source(0) {
            $0.position = constant(160, 90)
            $0.scale = constant(1, 1)
        }
        let compositor = try timeline([movie], frames: 4, [nowhere]).compositor()
        for frame in 0..<4 {
            #expect(try compositor.picture(at: Int64(frame)).difference(from: raw[frame]) == nil)
        }
    }

    @Test func aPictureMovedByWholeSamplesIsCopied() async throws {
        let movie = try await movie("testsrc2", frames: 2)
        let raw = try await raw(movie)[0]
        let moved = try source(0) { $0.position = constant(160 + 14, 90 - 6) }
        let picture = try timeline([movie], frames: 2, [moved]).compositor().picture(at: 0)
        let luma = picture.samples(0)
        for y in 0..<180 {
            for x in 0..<320 {
                let (u, v) = (x - 14, y + 6)
                let expected = u >= 0 && v < 180 ? raw[v * 320 + u] : 16
                #expect(luma[y * 320 + x] == expected, "\(x), \(y)")
            }
        }
    }

    @Test func opacityIsTheRoundedMean() async throws {
        let movies = try await [movie("testsrc2", frames: 2), movie("mandelbrot", frames: 2)]
        let below = try await raw(movies[0])[0]
        let above = try await raw(movies[1])[0]
        for opacity in [0, 0.25, 0.5, 0.8, 1] {
            let layer = try source(1) { $0.opacity = constant(opacity) }
            let edit = timeline(movies, frames: 1, [try SliceSource(0, rate: rate), layer])
            let samples = try edit.compositor().picture(at: 0).allSamples
            let worst = zip(samples, zip(below, above)).map { seen, pair in
                abs(Double(seen) - (Double(pair.0) * (1 - opacity) + Double(pair.1) * opacity))
            }.max()
            #expect(try #require(worst) <= (opacity == 0 || opacity == 1 ? 0 : 1), "\(opacity)")
        }
    }

    /// What differs nowhere is black; the darker of both is neither's when they cross.
    @Test func blendModesAreApplied() async throws {
        let movies = try await [movie("smptehdbars", frames: 2), movie("mandelbrot", frames: 2)]
        let raws = try await [raw(movies[0])[0], raw(movies[1])[0]]
        func picture(_ top: Int, _ mode: BlendMode) throws -> [UInt8] {
            let layer = try source(top) { $0.blend = mode }
            let edit = timeline(movies, frames: 1, [try SliceSource(0, rate: rate), layer])
            return try edit.compositor().picture(at: 0).allSamples
        }
        let nothing = try picture(0, .difference)
        // Between two bars chroma is of colours that red, green and blue cannot hold: they stay.
        #expect(nothing.prefix(320 * 180).count { $0 <= 17 } > 320 * 180 * 9 / 10)
        #expect(nothing.dropFirst(320 * 180).count { abs(Int($0) - 128) <= 1 } > 320 * 90 * 9 / 10)
        let all = try BlendMode.allCases.map { try picture(1, $0) }
        #expect(Set(all).count == 16)
        #expect(all[0] == raws[1])
        #expect(!all.contains(raws[0]))
        #expect(Set(BlendMode.allCases.map(\.function)).count == BlendFunction.allCases.count)
    }

    /// A track that is moved and half seen through shows its clip as the clip alone would, moved and half seen through.
    @Test func aTrackIsPlacedAsItsClipsWouldBe() async throws {
        let movies = try await [movie("testsrc2", frames: 2), movie("mandelbrot", frames: 2)]
        func picture(_ layer: SliceSource) throws -> [UInt8] {
            let edit = timeline(movies, frames: 1, [try SliceSource(0, rate: rate), layer])
            return try edit.compositor().picture(at: 0).allSamples
        }
        let change: (inout LayerAppearance) -> Void = {
            $0.position = constant(200, 60)
            $0.scale = constant(0.5, 0.5)
            $0.rotate = constant(20)
            $0.opacity = constant(0.5)
        }
        let own = try source(1, change)
        var onTrack = try source(1) { $0.scale = constant(1, 1) }
        onTrack.track = own.appearance
        #expect(try picture(onTrack) == picture(own))
        var both = try source(1) { $0.opacity = constant(0.5) }
        both.track = both.appearance
        let quarter = try source(1) { $0.opacity = constant(0.25) }
        #expect(try picture(both) == picture(quarter))
        // Its keys count from the timeline's zero.
        var fading = try SliceSource(1, rate: rate)
        fading.track = LayerAppearance()
        fading.track?.opacity = ramp([0], [1], seconds: 1)
        fading.trackTime = try RationalTime(1, 4)
        #expect(try picture(fading) == picture(quarter))
    }

    @Test func whatIsCutAwayShowsWhatIsBelow() async throws {
        let movies = try await [movie("testsrc2", frames: 2), movie("mandelbrot", frames: 2)]
        let below = try await raw(movies[0])[0]
        let above = try await raw(movies[1])[0]
        let layer = try source(1) { $0.crop = constant(20, 10, 40, 30) }
        let edit = timeline(movies, frames: 1, [try SliceSource(0, rate: rate), layer])
        let samples = try edit.compositor().picture(at: 0).samples(0)
        for y in 0..<180 {
            for x in 0..<320 {
                let isInside = (20..<280).contains(x) && (10..<150).contains(y)
                #expect(samples[y * 320 + x] == (isInside ? above : below)[y * 320 + x], "\(x), \(y)")
            }
        }
    }

    @Test func halfATurnShowsTheLastSampleFirst() async throws {
        let movie = try await movie("testsrc2", frames: 2)
        let raw = Array(try await raw(movie)[0].prefix(320 * 180))
        let layer = try source(0) { $0.rotate = constant(180) }
        let samples = try timeline([movie], frames: 1, [layer]).compositor().picture(at: 0).samples(0)
        let worst = zip(samples, raw.reversed()).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(worst <= 1)
    }

    /// A quarter of the size, about its centre: what shrinks by the same factor elsewhere.
    @Test func aScaledPictureLiesAboutItsAnchor() async throws {
        let movie = try await movie("testsrc2", frames: 2)
        for (anchor, corner) in [([160.0, 90], (120, 67)), ([0, 0], (0, 0)), ([320, 180], (240, 135))] {
            let layer = try source(0) {
                $0.scale = constant(0.25, 0.25)
                $0.anchor = constant(anchor[0], anchor[1])
            }
            let samples = try timeline([movie], frames: 1, [layer]).compositor().picture(at: 0).samples(0)
            let lit = samples.indices.filter { samples[$0] > 20 }
            let columns = lit.map { $0 % 320 }
            let rows = lit.map { $0 / 320 }
            #expect(abs((columns.min() ?? -9) - corner.0) <= 2 && abs((columns.max() ?? -9) - corner.0 - 80) <= 2)
            #expect(abs((rows.min() ?? -9) - corner.1) <= 2 && abs((rows.max() ?? -9) - corner.1 - 45) <= 2)
        }
    }

    /// A disc with a soft border, pushed by a fifteenth of a pixel each frame: its centre of mass is where it should
    /// be.
    @Test func aSlowPushMovesByFractionsOfASample() async throws {
        let disc =
            "color=black:size=320x180:rate=25,format=yuv420p,"
            + "geq=lum='16+clip((50-hypot(X-159.5,Y-89.5))*25,0,200)':cb=128:cr=128"
        let movie = try await TestMovie.make(
            "disc.mp4",
            in: folder,
            ["-f", "lavfi", "-i", disc, "-frames:v", "2", "-c:v", "libx264", "-qp", "0"] + TestPattern.bt709
        )
        var layer = try source(0) { $0.position = ramp([160, 90], [165, 88], seconds: 3) }
        layer.speed = .zero
        let compositor = try timeline([movie], frames: 75, [layer]).compositor()
        let start = try centre(of: compositor.picture(at: 0))
        for frame in stride(from: 0, to: 75, by: 4) {
            let (x, y) = try centre(of: compositor.picture(at: Int64(frame)))
            let way = Double(frame) / 75
            #expect(abs(x - start.x - 5 * way) < 0.02, "frame \(frame)")
            #expect(abs(y - start.y + 2 * way) < 0.02, "frame \(frame)")
        }
    }

    private func centre(of picture: Picture) -> (x: Double, y: Double) {
        var (sum, x, y) = (0.0, 0.0, 0.0)
        for (place, sample) in picture.samples(0).enumerated() {
            let weight = Double(sample) - 16
            (sum, x, y) = (sum + weight, x + weight * Double(place % 320), y + weight * Double(place / 320))
        }
        return (x / sum, y / sum)
    }

    /// Spinning, growing and fading in over a layer below, over a dissolve and cuts: the same frames however it is cut,
    /// and in whatever order they are asked for.
    private func lively() async throws -> TestTimeline {
        let movies = try await [movie("testsrc2"), movie("mandelbrot"), movie("testsrc2", "180x320")]
        let spin = try source(1) {
            $0.rotateY = ramp([0], [720], seconds: 1, .curve(.sine, .inOut))
            $0.scale = ramp([0.3, 0.3], [0.8, 0.6], seconds: 1, .curve(.elastic, .out))
            $0.opacity = ramp([0], [1], seconds: 1)
        }
        let push = try source(2) {
            $0.position = ramp([20, 90], [300, 30], seconds: 2, .curve(.back, .inOut))
            $0.rotate = ramp([0], [33], seconds: 2)
            $0.crop = ramp([0, 0, 0, 0], [30, 20, 10, 5], seconds: 1)
        }
        var edit = timeline(movies, frames: 40, [try SliceSource(0, rate: rate), push])
        edit.instructions = [
            SliceInstruction(0..<12, SliceLayer(from: try SliceSource(0, rate: rate)), SliceLayer(from: push)),
            SliceInstruction(
                12..<30,
                SliceLayer(from: try SliceSource(0, frame: 12, rate: rate)),
                SliceLayer(from: try later(push, 12), to: spin, transition: TransitionRamp(firstStep: 0, steps: 18))
            ),
            SliceInstruction(30..<40, SliceLayer(from: try later(spin, 18))),
        ]
        return edit
    }

    private func later(_ source: SliceSource, _ frames: Int64) throws -> SliceSource {
        var source = source
        source.start = try source.start.adding(rate.time(ofFrame: frames))
        source.itemTime = try source.itemTime?.adding(rate.time(ofFrame: frames))
        return source
    }

    @Test func framesDoNotDependOnHowTheTimelineIsCut() async throws {
        let edit = try await lively()
        let whole = try edit.compositor()
        let digests = try (0..<40).map { try whole.picture(at: $0).digest() }
        #expect(Set(digests).count == 40)
        for count in [2, 7] as [Int64] {
            for range in edit.ranges(count) {
                let part = try Compositor(task: edit.task(range), sources: edit.movies.map { try $0.source() })
                for frame in range {
                    #expect(try part.picture(at: frame - range.lowerBound).digest() == digests[Int(frame)], "\(frame)")
                }
            }
        }
        for frame in (0..<40).map({ Int64($0 * 23 % 40) }) {
            #expect(try whole.picture(at: frame).digest() == digests[Int(frame)], "\(frame)")
        }
    }

    /// A logo that is turned round by its scale: between its keys it is next to nothing, but not nothing.
    @Test func aScaleMayPassThroughZero() async throws {
        let movie = try await movie("testsrc2", frames: 30)
        let turning = try source(0) {
            $0.position = constant(100, 100)
            $0.scale = ramp([0.3, 0.3], [-0.6, -0.6], seconds: 3)
        }
        let compositor = try timeline([movie], frames: 30, [turning]).compositor()
        let sizes = try [0, 24, 25, 26].map { try compositor.picture(at: $0).samples(0).count { $0 != 16 } }
        #expect(sizes[0] > 3000 && sizes[1] < 40 && sizes[2] == 0 && sizes[3] < 40)
        var least = try source(0) { $0.scale = constant(0.000001, 0.000001) }
        least.track = least.appearance
        let nothing = try timeline([movie], frames: 1, [least]).compositor().picture(at: 0)
        #expect(nothing.samples(0).allSatisfy { $0 == 16 })
    }

    /// All of it would be 18,000 pixels wide.
    @Test func aPanoramaCovers() async throws {
        let movie = try await movie("testsrc2", "2000x20", frames: 2)
        var cover = try SliceSource(0, rate: rate)
        cover.fit = .cover
        var placed = try source(0) { $0.position = constant(160, 90) }
        placed.fit = .cover
        let shown = try timeline([movie], frames: 1, [cover]).compositor().picture(at: 0).allSamples
        #expect(try shown == timeline([movie], frames: 1, [placed]).compositor().picture(at: 0).allSamples)
        #expect(Set(shown).count > 20)
    }

    /// Whatever numbers a task has, drawing ends and does not trap.
    @Test func wildAppearancesAreSafe() async throws {
        let movie = try await movie("testsrc2", "64x36", frames: 2)
        var random = Scatter()
        for _ in 0..<60 {
            let layer = try source(0) { appearance in
                for property in PictureProperty.allCases where Bool.random(using: &random) {
                    let range = property.form.millionths
                    let numbers = (0..<property.form.count).map { _ in
                        let anywhere = Int64.random(in: range, using: &random)
                        let choices = [range.lowerBound, range.upperBound, 0, 1, anywhere, anywhere / 1000]
                        return choices.randomElement(using: &random) ?? 0
                    }
                    appearance[property] = AnimatedProperty(constant: numbers.map { max($0, range.lowerBound) })
                }
            }
            _ = try timeline([movie], frames: 1, [layer]).compositor().picture(at: 0)
        }
    }
}

/// splitmix64 from 0: the same numbers in every run.
private struct Scatter: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
