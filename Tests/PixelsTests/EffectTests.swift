import Foundation
import Pixels
import Testing

@Suite struct EffectTests {
    /// Gaussians against their sum in Double: directly, and by way of a smaller copy.
    @Test(arguments: [(0.5, 0.0), (1.3, 2.6), (3, 3), (0, 1), (5, 4), (9, 12), (22, 7)])
    func aBlurIsAGaussian(sigmaX: Double, sigmaY: Double) {
        let (width, height) = (90, 70)
        let source = PlaneStore(width: width, height: height) { x, y in
            (30..<60).contains(x) && (20..<50).contains(y) ? 235 : 16
        }
        var target = PlaneStore(width: width, height: height)
        source.read { source in target.write { $0.blur(source, sigmaX: sigmaX, sigmaY: sigmaY) } }
        let across = profile(width, 30..<60, sigmaX)
        let down = profile(height, 20..<50, sigmaY)
        var worst = 0.0
        for y in 0..<height {
            for x in 0..<width {
                worst = max(worst, abs(16 + 219 * across[x] * down[y] - Double(target[x, y])))
            }
        }
        // A very small copy of a small plane is coarse.
        let widest = max(sigmaX, sigmaY)
        #expect(worst < (widest > 20 ? 5 : widest > 3 ? 3 : 1.2))
        #expect(target.hasCleanPadding)
    }

    /// A box of 1 along one axis, blurred.
    private func profile(_ count: Int, _ box: Range<Int>, _ sigma: Double) -> [Double] {
        guard sigma > 0 else { return (0..<count).map { box.contains($0) ? 1 : 0 } }
        return (0..<count).map { place in
            var (sum, total) = (0.0, 0.0)
            for sample in -60..<count + 60 {
                let weight = exp(-Double((sample - place) * (sample - place)) / (2 * sigma * sigma))
                total += weight
                if box.contains(sample) { sum += weight }
            }
            return sum / total
        }
    }

    @Test(arguments: [(1, 1), (3, 2), (17, 40), (200, 1)]) func anySizeIsBlurredSafely(width: Int, height: Int) {
        let source = PlaneStore(width: width, height: height) { _, _ in 77 }
        for sigma in [0, 0.05, 0.4, 2, 7, 50, 1e9, .nan, .infinity] {
            var target = PlaneStore(width: width, height: height)
            source.read { source in target.write { $0.blur(source, sigmaX: sigma, sigmaY: sigma) } }
            #expect(target.bytes == source.bytes, "\(sigma)")
        }
    }

    @Test func sharpeningAddsTheDifference() {
        let source = PlaneStore.noise(33, 9, seed: 1)
        var (blurred, target) = (PlaneStore(width: 33, height: 9), PlaneStore(width: 33, height: 9))
        source.read { plane in
            blurred.write { $0.blur(plane, sigmaX: 1, sigmaY: 1) }
            blurred.read { soft in target.write { $0.sharpen(plane, blurred: soft, amount: 384) } }
        }
        for y in 0..<9 {
            for x in 0..<33 {
                let sum = Double(source[x, y]) + 1.5 * (Double(source[x, y]) - Double(blurred[x, y]))
                #expect(abs(max(0, min(255, sum)) - Double(target[x, y])) <= 0.5)
            }
        }
    }

    @Test func aVignetteDarkensFromItsRadiusOn() {
        var picture = PictureStore.flat(161, 90, [200, 90, 160])
        picture.frame { $0.darken(Vignette(amount: 0.8, radius: 0.5, softness: 0.4), matrix: .bt709) }
        #expect(picture.planes[0][80, 45] == 200)
        #expect(picture.planes[0][100, 50] == 200)
        // Beyond 0.9 of the half diagonal a fifth is left.
        #expect(picture.planes[0][0, 0] == 53)
        #expect(picture.planes[1][0, 0] == 120 && picture.planes[2][0, 0] == 134)
        let row = (80..<161).map { picture.planes[0][$0, 45] }
        #expect(row == row.sorted(by: >))
        #expect(picture.hasCleanPadding)
        // The same on both sides.
        #expect((0..<161).allSatisfy { picture.planes[0][$0, 3] == picture.planes[0][160 - $0, 3] })
    }

    @Test(arguments: [1, 2, 5, 16, 500]) func pixelatingShowsMeans(size: Int) {
        let height = max(1, size / 2)
        let source = PictureStore.noise(43, 29, seed: 5)
        var result = source
        result.frame { $0.pixelate(sizeX: size, sizeY: height) }
        for plane in 0..<3 {
            let step = plane == 0 ? 1 : 2
            let (own, made) = (source.planes[plane], result.planes[plane])
            var squares: [[Int]: (sum: Int, count: Int)] = [:]
            for y in 0..<own.height {
                for x in 0..<own.width {
                    let known = squares[[x * step / size, y * step / height]] ?? (0, 0)
                    squares[[x * step / size, y * step / height]] = (known.sum + Int(own[x, y]), known.count + 1)
                }
            }
            var wrong = 0
            for y in 0..<own.height {
                for x in 0..<own.width {
                    let (sum, count) = squares[[x * step / size, y * step / height]] ?? (0, 1)
                    if Int(made[x, y]) != (2 * sum + count) / (2 * count) { wrong += 1 }
                }
            }
            #expect(wrong == 0)
        }
        #expect(result.hasCleanPadding)
    }

    @Test func cornersAreRound() {
        var alpha = PlaneStore(width: 60, height: 40) { _, _ in 255 }
        alpha.write { $0.roundCorners(radiusX: 12, radiusY: 12) }
        #expect(alpha[0, 0] == 0 && alpha[59, 39] == 0 && alpha[12, 0] == 255 && alpha[0, 12] == 255)
        #expect(alpha[30, 0] == 255 && alpha[30, 20] == 255)
        // What is cut away of each corner: (1 − π/4) r².
        let missing = Double(60 * 40) - alpha.bytes.filter { $0 != 0xA5 }.reduce(0.0) { $0 + Double($1) / 255 }
        #expect(abs(missing - 4 * (1 - .pi / 4) * 144) < 5)
        for y in 0..<40 {
            for x in 0..<60 { #expect(alpha[x, y] == alpha[59 - x, y] && alpha[x, y] == alpha[x, 39 - y]) }
        }
        var flat = PlaneStore(width: 60, height: 40) { _, _ in 255 }
        flat.write { $0.roundCorners(radiusX: 24, radiusY: 6) }
        #expect(flat[0, 0] == 0 && flat[0, 5] < 255 && flat[0, 6] == 255 && flat[20, 0] < 255 && flat[24, 0] == 255)
        let cut = Double(60 * 40) - flat.bytes.filter { $0 != 0xA5 }.reduce(0.0) { $0 + Double($1) / 255 }
        #expect(abs(cut - 4 * (1 - .pi / 4) * 144) < 5)
        var round = PlaneStore(width: 9, height: 9) { _, _ in 255 }
        round.write { $0.roundCorners(radiusX: 1e9, radiusY: 1e9) }
        #expect(round[0, 0] == 0 && round[4, 4] == 255 && round[4, 0] > 200)
    }
}
