import Pixels
import Testing

@Suite struct ShowThroughTests {
    /// A ground of 16 and of 235 under a picture of `opacity`: what lies below takes the ground's place.
    @Test(arguments: [0.0, 0.2, 0.5, 0.83, 1.0]) func theGroundIsReplaced(opacity: Double) {
        let (own, below) = (150.0, 40.0)
        func on(_ ground: Double, _ value: Double) -> UInt8 { UInt8(value * opacity + ground * (1 - opacity) + 0.5) }
        let luma = [on(16, own), on(235, own)].map { value in PlaneStore(width: 5, height: 3) { _, _ in value } }
        let chroma = PlaneStore(width: 3, height: 2) { _, _ in on(128, 90) }
        let (under, underChroma) = (
            PlaneStore(width: 5, height: 3) { _, _ in UInt8(below) }, PlaneStore(width: 3, height: 2) { _, _ in 200 }
        )
        var (target, targetChroma) = (PlaneStore(width: 5, height: 3), PlaneStore(width: 3, height: 2))
        luma[0].read { dark in
            luma[1].read { light in
                under.read { under in target.write { $0.show(under, through: dark, light, black: 16, white: 235) } }
                chroma.read { chroma in
                    underChroma.read { below in
                        targetChroma.write {
                            $0.show(chroma: below, through: chroma, luma: dark, light, black: 16, white: 235)
                        }
                    }
                }
            }
        }
        for y in 0..<3 {
            for x in 0..<5 { #expect(abs(Int(target[x, y]) - Int(on(below, own))) <= 1) }
        }
        for y in 0..<2 {
            for x in 0..<3 { #expect(abs(Int(targetChroma[x, y]) - Int(on(200, 90))) <= 1) }
        }
        #expect(target.hasCleanPadding && targetChroma.hasCleanPadding)
    }
}
