import CompositionModel
import Media
import Pixels
import TestSupport
import Testing

@testable import Rendering

@Suite struct CanvasTests {
    private let size = PictureSize(width: 21, height: 15)
    private let painter: CanvasPainter
    private let background: BackgroundColor

    init() throws {
        background = try BackgroundColor("#204060", in: .bt709)
        painter = CanvasPainter(size: size, color: .bt709, background: background)
    }

    @Test func anEmptyCanvasIsBackgroundMadeOnce() throws {
        let picture = try painter.picture(of: .background)
        for plane in 0..<3 { #expect(picture.samples(plane).allSatisfy { $0 == background.value(ofPlane: plane) }) }
        #expect(try painter.picture(of: .background) === picture)
    }

    @Test func aWholePictureIsPassedByReference() throws {
        let picture = try Picture.noise(21, 15, seed: 1)
        let canvas = try painter.draw(PlacedPicture(picture: picture, x: 0, y: 0), over: .background)
        #expect(try painter.picture(of: canvas) === picture)
    }

    /// Inside, over each edge, beyond it, and larger than the frame; odd sizes among them.
    @Test(arguments: [
        (4, 2, 6, 6), (0, 0, 20, 14), (4, 2, 7, 5), (-4, -2, 9, 9), (14, 10, 12, 12), (-2, 4, 30, 3), (6, -8, 5, 40),
        (-2, -2, 31, 29), (22, 2, 4, 4), (-8, -8, 4, 4),
    ])
    func aPlacedPictureShowsWhatLiesBelowAroundIt(x: Int, y: Int, width: Int, height: Int) throws {
        let below = try Picture.noise(21, 15, seed: 1)
        let above = try Picture.noise(width, height, seed: 2)
        for canvas in [Canvas.background, .picture(below)] {
            let drawn = try painter.draw(PlacedPicture(picture: above, x: x, y: y), over: canvas)
            let picture = try painter.picture(of: drawn)
            let base = try painter.picture(of: canvas)
            for plane in 0..<3 {
                let expected = overlaid(above, over: base, x: x, y: y, plane: plane)
                let isRight = picture.samples(plane) == expected
                #expect(isRight, "plane \(plane)")
            }
        }
    }

    @Test func aBlendAtItsEndsPassesItsSidesOn() throws {
        let (first, second) = try (Picture.noise(21, 15, seed: 1), Picture.noise(21, 15, seed: 2))
        let sides = (Canvas.picture(first), Canvas.picture(second))
        let start = try painter.blend(sides.0, sides.1, weight: BlendWeight(step: 0, steps: 9))
        let end = try painter.blend(sides.0, sides.1, weight: BlendWeight(step: 9, steps: 9))
        #expect(try painter.picture(of: start) === first)
        #expect(try painter.picture(of: end) === second)
    }

    @Test(arguments: 1..<15)
    func aBlendIsTheExactMeanRoundedToTheNearest(step: Int64) throws {
        let (first, second) = try (Picture.noise(21, 15, seed: 3), Picture.noise(21, 15, seed: 4))
        let weight = BlendWeight(step: step, steps: 15)
        let canvas = try painter.blend(.picture(first), .picture(second), weight: weight)
        let blended = try painter.picture(of: canvas)
        for plane in 0..<3 {
            let pairs = zip(first.samples(plane), second.samples(plane))
            let expected = pairs.map { (Int($0) * (15 - Int(step)) * 2 + Int($1) * Int(step) * 2 + 15) / 30 }
            let worst = zip(blended.samples(plane), expected).map { abs(Int($0) - $1) }.max() ?? 0
            #expect(worst == 0)
        }
    }

    /// The rule sample by sample: a chroma sample belongs to the picture when its first luma sample does.
    private func overlaid(_ above: Picture, over below: Picture, x: Int, y: Int, plane: Int) -> [UInt8] {
        let shift = plane == 0 ? 0 : 1
        let (width, height) = ((21 + shift) >> shift, (15 + shift) >> shift)
        let (ownWidth, ownHeight) = ((above.width + shift) >> shift, (above.height + shift) >> shift)
        let (samples, base) = (above.samples(plane), below.samples(plane))
        return (0..<width * height).map { place in
            let (column, row) = (place % width - (x >> shift), place / width - (y >> shift))
            let isInside = (0..<ownWidth).contains(column) && (0..<ownHeight).contains(row)
            return isInside ? samples[row * ownWidth + column] : base[place]
        }
    }
}
