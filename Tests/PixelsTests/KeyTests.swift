import Pixels
import Testing

@Suite struct KeyTests {
    /// Pure green in BT.709, limited range.
    private let key = ChromaKey(blue: -86, red: -102, tolerance: 30, softness: 40, spill: 1)

    private func matte(_ blue: UInt8, _ red: UInt8) -> UInt8 {
        let (blues, reds) = (
            PlaneStore(width: 3, height: 2) { _, _ in blue }, PlaneStore(width: 3, height: 2) { _, _ in red }
        )
        var result = PlaneStore(width: 3, height: 2)
        blues.read { blue in reds.read { red in result.write { key.matte($0, blue: blue, red: red) } } }
        #expect(result.hasCleanPadding)
        return result[1, 1]
    }

    @Test func whatIsNearTheScreenIsTransparent() {
        #expect(matte(42, 26) == 0)
        #expect(matte(42 + 20, 26 + 20) == 0)
        #expect(matte(128, 128) == 255)
        // 50 from the screen: half of the way.
        #expect((126...128).contains(matte(42 + 30, 26 + 40)))
    }

    private func suppressed(_ blue: UInt8, _ red: UInt8) -> (Int, Int) {
        var (blues, reds) = (
            PlaneStore(width: 3, height: 2) { _, _ in blue }, PlaneStore(width: 3, height: 2) { _, _ in red }
        )
        blues.write { blue in reds.write { red in key.suppressSpill(blue: blue, red: red) } }
        return (Int(blues[2, 1]), Int(reds[2, 1]))
    }

    @Test func theScreensHueIsTakenAway() {
        // Along the screen's colour all of it; what is opposite or across stays.
        let (blue, red) = suppressed(128 - 43, 128 - 51)
        #expect(abs(blue - 128) <= 1 && abs(red - 128) <= 1)
        #expect(suppressed(128 + 43, 128 + 51) == (171, 179))
        #expect(suppressed(128, 128) == (128, 128))
        #expect(suppressed(128 - 51, 128 + 43) == (77, 171))
    }

    /// Cb and Cr of BT.709, limited range.
    private func chroma(_ color: (Float, Float, Float)) -> (Float, Float) {
        let luma = 0.2126 * color.0 + 0.7152 * color.1 + 0.0722 * color.2
        return ((color.2 - luma) / 1.8556 * 224 / 255, (color.0 - luma) / 1.5748 * 224 / 255)
    }

    /// Red, green and blue less luma, in 255ths.
    private func colors(_ blue: UInt8, _ red: UInt8) -> [Float] {
        let (cb, cr) = ((Float(blue) - 128) * 255 / 224, (Float(red) - 128) * 255 / 224)
        return [1.5748 * cr, -(0.2126 * 1.5748 * cr + 0.0722 * 1.8556 * cb) / 0.7152, 1.8556 * cb]
    }

    static let subjects: [(Float, Float, Float)] = [
        (224, 172, 138), (96, 64, 50), (255, 255, 255), (20, 20, 24), (120, 130, 150),
    ]

    /// What lies between a subject and a green, a blue, a red screen has no more of the screen's colour than its other
    /// two.
    @Test(arguments: [(26, 166, 26), (30, 60, 200), (190, 20, 30)] as [(Float, Float, Float)])
    func noRimHasTheScreensColor(_ screen: (Float, Float, Float)) {
        let place = chroma(screen)
        let key = ChromaKey(blue: place.0, red: place.1, tolerance: 20, softness: 12, spill: 1)
        let main = screen.1 > screen.0 && screen.1 > screen.2 ? 1 : screen.0 > screen.2 ? 0 : 2
        for subject in KeyTests.subjects {
            for step in 0...20 {
                let part = Float(step) / 20
                let red = subject.0 + (screen.0 - subject.0) * part
                let green = subject.1 + (screen.1 - subject.1) * part
                let blue = subject.2 + (screen.2 - subject.2) * part
                // Skin is redder than its other colours allow before a red screen: it is not held against that.
                if main == 0, part < 0.3 { continue }
                let mixed = chroma((red, green, blue))
                let found = suppressed(mixed, key)
                let others = [0, 1, 2].filter { $0 != main }.map { found[$0] }
                #expect(found[main] <= max(others[0], others[1]) + 4, "\(subject) at \(part)")
                // Where much of the screen is in it no olive is left either: at most the mean.
                if part >= 0.4 { #expect(found[main] <= (others[0] + others[1]) / 2 + 8, "\(subject) at \(part)") }
            }
        }
    }

    private func suppressed(_ chroma: (Float, Float), _ key: ChromaKey) -> [Float] {
        var blues = PlaneStore(width: 3, height: 2) { _, _ in UInt8((chroma.0 + 128).rounded()) }
        var reds = PlaneStore(width: 3, height: 2) { _, _ in UInt8((chroma.1 + 128).rounded()) }
        blues.write { blue in reds.write { red in key.suppressSpill(blue: blue, red: red) } }
        return colors(blues[1, 1], reds[1, 1])
    }

    /// Yellow is no spill, and half of the word takes half.
    @Test func whatIsFarFromTheScreenKeepsItsHue() {
        let yellow = chroma((250, 230, 40))
        let (blue, red) = (UInt8((yellow.0 + 128).rounded()), UInt8((yellow.1 + 128).rounded()))
        let (before, after) = (colors(blue, red), suppressed(blue, red))
        let kept = colors(UInt8(after.0), UInt8(after.1))
        #expect(kept[1] > before[1] - 24 && kept[0] > before[0] - 12)
        let half = ChromaKey(blue: -86, red: -102, tolerance: 30, softness: 40, spill: 0.5)
        var (blues, reds) = (
            PlaneStore(width: 3, height: 2) { _, _ in 128 - 42 }, PlaneStore(width: 3, height: 2) { _, _ in 128 - 50 }
        )
        blues.write { blue in reds.write { red in half.suppressSpill(blue: blue, red: red) } }
        #expect(abs(Int(blues[0, 0]) - 107) <= 1 && abs(Int(reds[0, 0]) - 103) <= 1)
    }

    @Test func aLumaKeyIsASlope() {
        let table = LumaKey.table(threshold: 100, softness: 20, isInverted: false)
        #expect(table[90] == 0 && table[110] == 255 && (127...128).contains(table[100]))
        #expect(table == table.sorted())
        let inverted = LumaKey.table(threshold: 100, softness: 20, isInverted: true)
        #expect(zip(table, inverted).allSatisfy { Int($0) + Int($1) == 255 })
        var plane = PlaneStore(width: 5, height: 3) { x, _ in UInt8(80 + 10 * x) }
        let source = plane
        source.read { source in plane.write { $0.map(source, by: table) } }
        #expect((0..<5).map { plane[$0, 2] } == [0, 0, table[100], 255, 255])
    }
}
