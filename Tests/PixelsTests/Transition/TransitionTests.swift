import Foundation
import Pixels
import Testing

@Suite struct TransitionTests {
    /// Sides around the kernels' runs, odd and tiny ones among them.
    static let sizes = [(1, 1), (2, 2), (3, 5), (65, 7), (129, 9)]

    /// Nothing is read or written outside (``TransitionFrame/paint(_:_:_:progress:)`` looks), at 4:2:0 and 4:4:4.
    @Test(arguments: sizes) func beginsWithTheFirstAndEndsWithTheSecond(width: Int, height: Int) {
        for shift in 0...1 {
            let sites = TransitionFrame.sites(width, height, chromaShift: shift)
            let (first, second) = (TransitionFrame.sample(sites, seed: 1), TransitionFrame.sample(sites, seed: 2))
            for effect in TransitionEffect.all {
                let painter = TransitionPainter(effect, sites: sites)
                #expect(TransitionFrame.paint(painter, first, second, progress: 0) == first)
                #expect(TransitionFrame.paint(painter, first, second, progress: 1) == second)
                for progress in [0.001, 0.37, 0.999] {
                    let once = TransitionFrame.paint(painter, first, second, progress: progress)
                    #expect(once == TransitionFrame.paint(painter, first, second, progress: progress), "\(effect)")
                }
            }
        }
    }

    @Test func noTwoLookTheSame() {
        let sites = TransitionFrame.sites(61, 35, chromaShift: 1)
        let (first, second) = (TransitionFrame.sample(sites, seed: 1), TransitionFrame.sample(sites, seed: 2))
        var seen: [Data: TransitionEffect] = [:]
        for effect in TransitionEffect.all where effect != Self.sameAsDissolve {
            let painter = TransitionPainter(effect, sites: sites)
            let pictures = [0.23, 0.5, 0.81].map {
                TransitionFrame.paint(painter, first, second, progress: $0).bytes
            }
            let other = seen.updateValue(effect, forKey: Data(pictures.joined()))
            #expect(other == nil, "\(effect) looks like \(String(describing: other))")
        }
    }

    /// FFmpeg's `fade` is another word for it.
    static let sameAsDissolve = TransitionEffect.xfade(
        .fade,
        black: PlaneColor(16, 128, 128),
        white: PlaneColor(235, 128, 128)
    )

    /// From black to white no sample ever goes back, and none is white before the start or black at the end.
    @Test func wipesOnlyGoForward() {
        let sites = [PlaneSite(frameWidth: 48, frameHeight: 32)]
        let (black, white) = (TransitionFrame(sites) { _, _, _ in 0 }, TransitionFrame(sites) { _, _, _ in 255 })
        for effect in TransitionEffect.wipes {
            let painter = TransitionPainter(effect, sites: sites)
            var last = black.bytes
            for step in 1...20 {
                let picture = TransitionFrame.paint(painter, black, white, progress: Double(step) / 20).bytes
                #expect(zip(last, picture).allSatisfy { $0 <= $1 }, "\(effect) goes back at \(step)/20")
                last = picture
                let share = Double(picture.reduce(0) { $0 + Int($1) }) / Double(255 * picture.count)
                if step == 1 { #expect(share < 0.35, "\(effect) begins with \(share)") }
                if step == 19 { #expect(share > 0.6, "\(effect) is at \(share) near its end") }
            }
        }
    }

    /// The edge of a straight wipe covers a column by the part that it has passed.
    @Test(arguments: [0.1, 0.333, 0.5031, 0.77]) func edgesAreAntialiased(progress: Double) {
        let sites = [PlaneSite(frameWidth: 200, frameHeight: 3)]
        let (black, white) = (TransitionFrame(sites) { _, _, _ in 0 }, TransitionFrame(sites) { _, _, _ in 255 })
        let painter = TransitionPainter(.wipe(.bar(.right), TransitionEffect.plain), sites: sites)
        let row = TransitionFrame.paint(painter, black, white, progress: progress).bytes.prefix(200)
        for (x, value) in row.enumerated() {
            let covered = min(max(progress * 200 - Double(x), 0), 1)
            #expect(abs(Double(value) - 255 * covered) < 1.6, "column \(x)")
        }
    }

    @Test func aBorderIsAsWideAsSaid() {
        let sites = [PlaneSite(frameWidth: 400, frameHeight: 2)]
        let (black, white) = (TransitionFrame(sites) { _, _, _ in 0 }, TransitionFrame(sites) { _, _, _ in 255 })
        let edge = WipeEdge(softness: 0, border: 0.1, color: PlaneColor(100, 0, 0), isReversed: false)
        let painter = TransitionPainter(.wipe(.bar(.right), edge), sites: sites)
        let row = TransitionFrame.paint(painter, black, white, progress: 0.5).bytes.prefix(400)
        #expect(row[..<179].allSatisfy { $0 == 255 })
        #expect(row[181..<219].allSatisfy { $0 == 100 })
        #expect(row[221...].allSatisfy { $0 == 0 })
    }

    /// Where a pushed sine stands, from its phase: within 0.02 samples of where it should.
    @Test(arguments: [MoveStyle.push, .cover, .reveal]) func moviesMoveBetweenSamples(style: MoveStyle) {
        let (width, period) = (400, 20.0)
        let sites = [PlaneSite(frameWidth: width, frameHeight: 4)]
        let wave = TransitionFrame(sites) { _, x, _ in UInt8(128 + 100 * Self.sine(Double(x) / period) + 0.5) }
        let flat = TransitionFrame(sites) { _, _, _ in 128 }
        let painter = TransitionPainter(.move(style, .right), sites: sites)
        let movesFirst = style != .cover
        for step in 1..<40 {
            let progress = 0.2 + Double(step) * 0.0011
            let (first, second) = movesFirst ? (wave, flat) : (flat, wave)
            let row = TransitionFrame.paint(painter, first, second, progress: progress).bytes.prefix(width)
            let offset = Double(width) * (movesFirst ? progress : progress - 1)
            // Whole periods well inside of what shows the wave.
            let start = movesFirst ? 140 : 5
            let count = movesFirst ? 240 : 60
            var (sine, cosine) = (0.0, 0.0)
            for x in start..<(start + count) {
                sine += Double(row[x]) * Self.sine(Double(x) / period)
                cosine += Double(row[x]) * Self.sine(Double(x) / period + 0.25)
            }
            let shown = Self.turns(sine: sine, cosine: cosine) * period
            let error = (shown + offset).remainder(dividingBy: period)
            #expect(abs(error) < 0.02, "\(style) \(progress): \(error)")
        }
    }

    private static func sine(_ turns: Double) -> Double { sin(turns * 2 * .pi) }
    private static func turns(sine: Double, cosine: Double) -> Double { atan2(cosine, sine) / (2 * .pi) }
}
