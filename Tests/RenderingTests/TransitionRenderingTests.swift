import CompositionModel
import Foundation
import Media
import Pixels
import Planning
import TestSupport
import Testing
import Timing

@testable import Rendering

/// Transitions between real pictures.
@Suite struct TransitionRenderingTests {
    static let looks: [TransitionLook] = TransitionName.all.compactMap { TransitionName.look($0)?.resolved }
        .filter { $0.kind != .luma }

    @Test func everyLookIsPainted() throws {
        let sites = [PlaneSite(frameWidth: 16, frameHeight: 10)]
        var kinds: Set<TransitionEffect> = []
        for look in Self.looks {
            let effect = try TransitionEffect(look, in: .bt709)
            _ = TransitionPainter(effect, sites: sites)
            kinds.insert(effect)
        }
        #expect(kinds.count >= TransitionKind.allCases.count - 1)
        #expect(throws: RenderError.self) { try TransitionEffect(TransitionLook(.push), in: .bt709) }
        #expect(throws: RenderError.self) { try TransitionEffect(TransitionLook(.iris), in: .bt709) }
    }

    /// Where a wipe code's edge is soon, and where late, in parts of the frame, as SMIL 2.0 describes it.
    static let codes: [(code: Int, soon: (Double, Double), late: (Double, Double))] = [
        (1, (0.05, 0.5), (0.95, 0.5)), (2, (0.5, 0.05), (0.5, 0.95)), (3, (0.1, 0.1), (0.9, 0.9)),
        (4, (0.9, 0.1), (0.1, 0.9)), (5, (0.9, 0.9), (0.1, 0.1)), (6, (0.1, 0.9), (0.9, 0.1)),
        (7, (0.05, 0.05), (0.5, 0.5)), (21, (0.5, 0.5), (0.05, 0.5)), (22, (0.5, 0.5), (0.5, 0.05)),
        (23, (0.5, 0.1), (0.5, 0.9)), (24, (0.9, 0.5), (0.1, 0.5)), (25, (0.5, 0.9), (0.5, 0.1)),
        (26, (0.1, 0.5), (0.9, 0.5)), (41, (0.1, 0.1), (0.9, 0.9)), (42, (0.9, 0.1), (0.1, 0.9)),
        (43, (0.5, 0.1), (0.05, 0.5)), (44, (0.1, 0.5), (0.5, 0.05)), (45, (0.5, 0.5), (0.9, 0.9)),
        (46, (0.5, 0.5), (0.9, 0.1)), (61, (0.5, 0.1), (0.9, 0.9)), (62, (0.9, 0.5), (0.1, 0.1)),
        (201, (0.6, 0.1), (0.4, 0.1)), (202, (0.9, 0.6), (0.9, 0.4)), (203, (0.4, 0.9), (0.6, 0.9)),
        (204, (0.1, 0.4), (0.1, 0.6)), (205, (0.6, 0.1), (0.4, 0.1)), (206, (0.1, 0.4), (0.1, 0.6)),
        (211, (0.5, 0.1), (0.5, 0.9)), (212, (0.9, 0.5), (0.1, 0.5)), (213, (0.5, 0.9), (0.1, 0.5)),
        (214, (0.1, 0.5), (0.5, 0.9)), (221, (0.95, 0.05), (0.05, 0.05)), (222, (0.95, 0.95), (0.95, 0.05)),
        (223, (0.05, 0.95), (0.95, 0.95)), (224, (0.05, 0.05), (0.05, 0.95)), (231, (0.5, 0.9), (0.05, 0.05)),
        (232, (0.1, 0.5), (0.95, 0.95)), (233, (0.5, 0.1), (0.05, 0.95)), (234, (0.9, 0.5), (0.05, 0.05)),
        (241, (0.95, 0.05), (0.05, 0.95)), (242, (0.95, 0.95), (0.05, 0.05)), (243, (0.05, 0.95), (0.95, 0.05)),
        (244, (0.05, 0.05), (0.95, 0.95)), (301, (0.1, 0.05), (0.9, 0.95)), (302, (0.05, 0.1), (0.95, 0.9)),
        (310, (0.9, 0.05), (0.05, 0.9)), (312, (0.1, 0.95), (0.95, 0.1)), (315, (0.1, 0.05), (0.95, 0.9)),
        (317, (0.9, 0.95), (0.05, 0.1)),
    ]

    @Test func wipeCodesRunAsTheirListSays() throws {
        let stage = TransitionStage(size: PictureSize(width: 160, height: 120), color: .bt709)
        let black = try Picture.make(160, 120) { plane, _, _ in plane == 0 ? 16 : 128 }
        let white = try Picture.make(160, 120) { plane, _, _ in plane == 0 ? 235 : 128 }
        for (code, soon, late) in Self.codes {
            let look = try #require(TransitionName.look("smpte-\(code)")).resolved
            func reached(_ place: (Double, Double)) throws -> Int {
                let index = Int(place.1 * 120) * 160 + Int(place.0 * 160)
                return try (0...50).first {
                    try stage.paint(black, white, look, progress: Double($0) / 50).samples(0)[index] > 125
                } ?? 99
            }
            let (first, last) = try (reached(soon), reached(late))
            #expect(first < last && first <= 24 && last <= 50, "\(code): \(first), \(last)")
        }
    }

    private static func look(_ name: String, ease: String? = nil) throws -> TransitionLook {
        var look = try #require(TransitionName.look(name))
        look.ease = ease.flatMap { Easing($0) }
        return look.resolved
    }

    /// Frames 0 ..< 12·n: for every look 10 frames of a transition and 2 of one clip.
    private func timeline(_ looks: [TransitionLook], _ movies: [TestMovie]) throws -> TestTimeline {
        let rate = try FrameRate(25)
        var instructions: [SliceInstruction] = []
        for (index, look) in looks.enumerated() {
            let start = Int64(index * 12)
            // Against what lies below too, at the start or at the end.
            let first = index % 4 == 2 ? nil : try SliceSource(0, frame: Int64(index), rate: rate)
            let second = index % 4 == 3 ? nil : try SliceSource(1, frame: Int64(index), rate: rate)
            let ramp = TransitionRamp(firstStep: 0, steps: 10, look: look)
            instructions.append(
                SliceInstruction(start..<start + 10, SliceLayer(from: first, to: second, transition: ramp))
            )
            let alone = SliceLayer(from: try SliceSource(1, frame: 3, rate: rate))
            instructions.append(SliceInstruction(start + 10..<start + 12, alone))
        }
        return TestTimeline(
            movies: movies,
            size: PictureSize(width: 320, height: 180),
            rate: rate,
            frameCount: Int64(looks.count * 12),
            instructions: instructions
        )
    }

    private func digests(_ edit: TestTimeline, _ count: Int64) throws -> [ContentDigest] {
        try edit.ranges(count).flatMap { range in
            let compositor = try Compositor(task: edit.task(range), sources: edit.movies.map { try $0.source() })
            return try (0..<range.count).map { try compositor.picture(at: Int64($0)).digest() }
        }
    }

    /// Whatever the number of segments, with borders inside the transitions.
    @Test func anyNumberOfSegmentsGivesTheSameFrames() async throws {
        let movies = try await ExampleMovies.shared.movies(rate: "25/1")
        let looks = try [
            Self.look("push", ease: "inOutCubic"), Self.look("iris"), Self.look("clock"), Self.look("slide"),
            Self.look("zoom", ease: "outBack"), Self.look("distance"), Self.look("blur"), Self.look("dip"),
            Self.look("xfade-dissolve"), Self.look("dissolve", ease: "inOutSine"),
        ]
        let edit = try timeline(looks, Array(movies.prefix(2)))
        let whole = try digests(edit, 1)
        #expect(Set(whole).count > 95)
        for count in [2, 7, 31] as [Int64] { #expect(try digests(edit, count) == whole) }
    }

    /// Its first frame is the first picture itself; what comes after its last frame is the second.
    @Test func aTransitionBeginsWithItsFirstPicture() async throws {
        let movies = try await Array(ExampleMovies.shared.movies(rate: "25/1").prefix(2))
        let edit = try timeline([Self.look("wipeleft"), Self.look("circlecrop"), Self.look("barnDoor")], movies)
        let raw = try await RawPictures(movies[0].path, size: edit.size)
        let compositor = try edit.compositor()
        #expect(try compositor.picture(at: 0).difference(from: raw[0]) == nil)
        #expect(try compositor.picture(at: 12).difference(from: raw[1]) == nil)
        #expect(try compositor.picture(at: 3).difference(from: raw[3]) != nil)
    }

    /// Half of a push of 320 pixels by 10 frames: whole pixels, so both halves are the pictures' own.
    @Test func aPushMovesBothPictures() async throws {
        let movies = try await Array(ExampleMovies.shared.movies(rate: "25/1").prefix(2))
        let edit = try timeline([Self.look("push")], [movies[0], movies[0]])
        let raw = try await RawPictures(movies[0].path, size: edit.size)
        let shown = try edit.compositor().picture(at: 5)
        shown.withPlane(0) { plane in
            for y in stride(from: 0, to: 180, by: 7) {
                let row = Array(plane.row(y))
                #expect(Array(row[..<160]) == Array(raw[5][(y * 320 + 160)..<(y * 320 + 320)]))
                #expect(Array(row[160...]) == Array(raw[5][(y * 320)..<(y * 320 + 160)]))
            }
        }
    }

    /// A horizontal ramp as a map is a wipe from its dark to its bright side, as far as 220 steps of brightness go.
    @Test func aMapLeadsTheEdge() async throws {
        let folder = try TemporaryFolder()
        let ramp = "nullsrc=s=160x90:r=25:d=1,format=gray,geq=lum='X*255/159',format=yuv420p"
        let map = try await TestMovie.make("map.mkv", in: folder, ["-f", "lavfi", "-i", ramp, "-c:v", "ffv1"])
        let movies = try await Array(ExampleMovies.shared.movies(rate: "25/1").prefix(2)) + [map]
        var look = TransitionLook(.luma)
        look.map = TransitionMap(asset: 2, stream: 0)
        let edit = try timeline([look.resolved], [movies[0], movies[0], map])
        let raw = try await RawPictures(movies[0].path, size: edit.size)
        let wiped = try edit.compositor().picture(at: 5)
        let plain = try timeline([Self.look("wipe")], [movies[0], movies[0]]).compositor().picture(at: 5)
        wiped.withPlane(0) { one in
            plain.withPlane(0) { other in
                for y in stride(from: 0, to: 180, by: 9) {
                    let (a, b) = (Array(one.row(y)), Array(other.row(y)))
                    #expect(a[..<154] == b[..<154] && a[167...] == b[167...])
                    #expect(a[300] == raw[5][y * 320 + 300])
                }
            }
        }
        let digests = try digests(edit, 1)
        #expect(try self.digests(edit, 7) == digests)
    }

    /// A small picture that is pushed off the frame leaves what lies below it where it is.
    @Test func whatLiesBelowStays() async throws {
        let movies = try await ExampleMovies.shared.movies(rate: "25/1")
        let rate = try FrameRate(25)
        let ramp = TransitionRamp(firstStep: 0, steps: 10, look: try Self.look("push"))
        let small = try SliceSource(2, frame: 0, rate: rate, fit: .none)
        let edit = TestTimeline(
            movies: movies,
            size: PictureSize(width: 320, height: 180),
            rate: rate,
            frameCount: 10,
            instructions: [
                SliceInstruction(
                    0..<10,
                    SliceLayer(from: try SliceSource(0, rate: rate)),
                    SliceLayer(from: small, transition: ramp)
                )
            ]
        )
        let raw = try await RawPictures(movies[0].path, size: edit.size)
        let smallRaw = try await RawPictures(movies[2].path, size: PictureSize(width: 96, height: 64))
        let compositor = try edit.compositor()
        // 96 × 64 in the middle stands at (112, 58); half way it has gone 160 to the left.
        for (frame, left) in [(0, 112), (5, -48)] {
            try compositor.picture(at: Int64(frame)).withPlane(0) { plane in
                var wrong = 0
                for y in 0..<180 {
                    let row = Array(plane.row(y))
                    for x in 0..<320 {
                        let isInside = (58..<122).contains(y) && (left..<left + 96).contains(x)
                        let expected = isInside ? smallRaw[frame][(y - 58) * 96 + x - left] : raw[frame][y * 320 + x]
                        if abs(Int(row[x]) - Int(expected)) > 2 { wrong += 1 }
                    }
                }
                #expect(wrong == 0, "frame \(frame)")
            }
        }
    }
}
