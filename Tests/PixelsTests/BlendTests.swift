import Pixels
import Testing

@Suite struct BlendTests {
    /// The formula as it is written down, in whole numbers.
    private static func reference(_ first: UInt8, _ second: UInt8, _ weight: UInt32) -> UInt8 {
        let (left, right) = (UInt64(65536 - weight), UInt64(weight))
        let sum: UInt64 = UInt64(first) * left + UInt64(second) * right
        return UInt8((sum + 32768) / 65536)
    }

    /// All 65536 pairs of code values in one plane.
    private static let firsts = PlaneStore(width: 256, height: 256) { x, _ in UInt8(x) }
    private static let seconds = PlaneStore(width: 256, height: 256) { _, y in UInt8(y) }

    private static let weights: [UInt32] =
        [0, 1, 2, 127, 128, 129, 255, 256, 257, 16384, 32767, 32768, 32769, 43691, 65407, 65408, 65534, 65535, 65536]
        + (1..<40).map { $0 * 1638 + 11 }

    @Test(arguments: weights)
    func everyPairOfCodeValuesIsExact(weight: UInt32) {
        var target = PlaneStore(width: 256, height: 256)
        BlendTests.firsts.read { first in
            BlendTests.seconds.read { second in
                target.write { $0.blend(first, second, weight: BlendWeight(value: weight)) }
            }
        }
        var wrong = 0
        for y in 0..<256 {
            for x in 0..<256 where target[x, y] != BlendTests.reference(UInt8(x), UInt8(y), weight) { wrong += 1 }
        }
        #expect(wrong == 0)
        #expect(target.hasCleanPadding)
    }

    @Test(arguments: PlaneStore.sizes)
    func everyLengthOfRowIsExact(width: Int, height: Int) {
        let (first, second) = (PlaneStore.noise(width, height, seed: 1), PlaneStore.noise(width, height, seed: 2))
        var target = PlaneStore(width: width, height: height)
        let weight = BlendWeight(step: 3, steps: 7)
        first.read { a in second.read { b in target.write { $0.blend(a, b, weight: weight) } } }
        for y in 0..<height {
            for x in 0..<width {
                #expect(target[x, y] == BlendTests.reference(first[x, y], second[x, y], weight.value))
            }
        }
        #expect(target.hasCleanPadding)
    }

    /// Where both pictures may be seen through, each sample counts as far as it is seen; where nothing is, the mean is
    /// the plain one.
    @Test(arguments: [0, 1, 21845, 32768, 65535, 65536] as [UInt32])
    func eachSampleCountsAsFarAsItIsSeen(weight: UInt32) {
        let size = 64
        let planes = (1...4).map { PlaneStore.noise(size, size, seed: $0) }
        let clear = PlaneStore(width: size, height: size) { _, _ in 0 }
        for (firstAlpha, secondAlpha) in [(planes[2], planes[3]), (planes[2], clear), (clear, clear)] {
            var target = PlaneStore(width: size, height: size)
            planes[0].read { a in
                planes[1].read { b in
                    firstAlpha.read { alphaA in
                        secondAlpha.read { alphaB in
                            target.write { $0.blend(a, b, alpha: alphaA, alphaB, weight: BlendWeight(value: weight)) }
                        }
                    }
                }
            }
            var wrong = 0
            for (x, y) in (0..<size).flatMap({ y in (0..<size).map { ($0, y) } }) {
                let part = Double(weight) / 65536
                var (partA, partB) = ((1 - part) * Double(firstAlpha[x, y]), part * Double(secondAlpha[x, y]))
                if partA + partB == 0 { (partA, partB) = (1 - part, part) }
                let sum: Double = partA * Double(planes[0][x, y]) + partB * Double(planes[1][x, y])
                if abs(Double(target[x, y]) - sum / (partA + partB)) > 0.500_000_1 { wrong += 1 }
            }
            #expect(wrong == 0)
        }
    }

    @Test(arguments: [(0, 15, 0), (15, 15, 65536), (1, 2, 32768), (1, 3, 21845), (2, 3, 43691), (1, 131_072, 1)])
    func aWeightIsTheNearest65536th(step: Int64, steps: Int64, expected: UInt32) {
        #expect(BlendWeight(step: step, steps: steps).value == expected)
    }
}
