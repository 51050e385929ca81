import Pixels
import Testing

/// Whatever the transform, a layer draws within its box and nothing crashes.
@Suite struct LayerFuzzTests {
    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let numbers: [Double] = [
        0, 1, -1, 0.5, 1e-3, -1e-9, 1e-300, 17.25, -40, 1e4, -1e9, 1e18, 1e300, .infinity, .nan, 0.99999, 3,
    ]

    private static func projection(_ random: inout Random) -> Projection {
        func number(_ wild: Bool) -> Double {
            wild ? numbers.randomElement(using: &random) ?? 0 : Double.random(in: -2...2, using: &random)
        }
        let wild = UInt8.random(in: 0...3, using: &random)
        let place = (Double.random(in: -40...90, using: &random), Double.random(in: -40...90, using: &random))
        switch wild {
        case 0:
            return Projection(
                x: (number(true), number(true), number(true)),
                y: (number(true), number(true), number(true)),
                w: (number(true), number(true), number(true))
            )
        case 1: return Projection(x: (number(true), 0, place.0), y: (0, number(true), place.1))
        case 2:
            return Projection(
                x: (number(false), number(false), place.0),
                y: (number(false), number(false), place.1)
            )
        default:
            let angle = Double.random(in: -1...1, using: &random)
            let turn = (angle, (1 - angle * angle).squareRoot())
            return .translation(x: place.0, y: place.1) * .tilt(x: turn, y: turn, distance: 30)
        }
    }

    @Test(arguments: 0..<40) func anyTransformIsSafe(seed: Int) {
        var random = Random(state: UInt64(seed))
        for _ in 0..<25 {
            let (width, height) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...40, using: &random))
            let shift = Int.random(in: 0...1, using: &random)
            var picture = PictureStore.noise(width, height, shift: shift, seed: seed)
            if Bool.random(using: &random) { picture = picture.with { x, y in UInt8((x * 31 + y * 17) % 256) } }
            let frame = PictureStore.flat(Int.random(in: 1...70, using: &random), 33, [9, 9, 9])
            let map = LayerFuzzTests.projection(&random)
            let crop = Bool.random(using: &random) ? nil : PlaneRect(left: 1.5, top: -3, right: 11, bottom: 200)
            let result = frame.painted(picture, map, crop: crop, opacity: 50000, shrinking: true)
            #expect(result.hasCleanPadding, "\(map)")
            expectNothingOutside(result, of: crop ?? PlaneRect(width: width, height: height), map, width, height)
        }
    }

    /// Pixels whose centre is further than a pixel and a half from the layer, and all chroma of such, are as they were.
    private func expectNothingOutside(
        _ result: PictureStore,
        of crop: PlaneRect,
        _ map: Projection,
        _ width: Int,
        _ height: Int
    ) {
        let box = crop.intersection(PlaneRect(width: width, height: height))
        let corners = [(box.left, box.top), (box.right, box.top), (box.left, box.bottom), (box.right, box.bottom)]
            .compactMap { map($0.0, $0.1) }
        guard corners.count == 4, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return }
        let xs = corners.map(\.x)
        let ys = corners.map(\.y)
        let luma = result.planes[0]
        for y in 0..<luma.height {
            for x in 0..<luma.width {
                let (centerX, centerY) = (Double(x) + 0.5, Double(y) + 0.5)
                let isOutside =
                    centerX < xs.min()! - 1.5 || centerX > xs.max()! + 1.5 || centerY < ys.min()! - 1.5
                    || centerY > ys.max()! + 1.5
                if isOutside { #expect(luma[x, y] == 9) }
            }
        }
    }
}
