import Pixels
import Testing

@Suite struct LayerTests {
    /// Odd sizes among them.
    @Test(arguments: [(64, 48), (33, 21), (1, 1), (2, 3)])
    func atItsPlaceAPictureIsCopied(width: Int, height: Int) {
        let picture = PictureStore.noise(width, height, seed: 1)
        let frame = PictureStore.noise(width, height, seed: 7)
        let result = frame.painted(picture, .identity)
        for plane in 0..<3 { #expect(result.planes[plane].bytes == picture.planes[plane].bytes) }
    }

    @Test(arguments: [(4, 6), (-8, 2), (20, -10), (100, 0), (0, -200)])
    func movedByEvenPixelsItIsCopiedThere(x: Int, y: Int) {
        let picture = PictureStore.noise(40, 30, seed: 1)
        let frame = PictureStore.noise(64, 48, seed: 7)
        let result = frame.painted(picture, .translation(x: Double(x), y: Double(y)))
        for plane in 0..<3 {
            let (left, top) = plane == 0 ? (x, y) : (x / 2, y / 2)
            let (own, below) = (picture.planes[plane], frame.planes[plane])
            let expected = PlaneStore(width: below.width, height: below.height) { x, y in
                let isInside = (0..<own.width).contains(x - left) && (0..<own.height).contains(y - top)
                return isInside ? own[x - left, y - top] : below[x, y]
            }
            #expect(result.planes[plane].bytes == expected.bytes, "plane \(plane)")
        }
    }

    /// A flat layer shows the border's coverage: exact where it is parallel to the frame's.
    @Test func bordersAreAntialiased() {
        let frame = PictureStore.flat(32, 16, [0, 0, 0])
        let result = frame.painted(.flat(8, 4, [200, 100, 100]), .translation(x: 3.25, y: 5.5))
        let luma = result.planes[0]
        #expect((2...12).map { luma[$0, 7] } == [0, 150, 200, 200, 200, 200, 200, 200, 200, 50, 0])
        #expect((4...10).map { luma[7, $0] } == [0, 100, 200, 200, 200, 100, 0])
        #expect(luma[3, 5] == 75)
        // Chroma column 1 covers the pixels 2 and 3: of 2 wide the layer has 0.75.
        #expect((0...6).map { result.planes[1][$0, 3] } == [0, 38, 100, 100, 100, 63, 0])
    }

    /// The same border in the general way: by the distance from the centre, here equal.
    @Test func turnedBordersAreAntialiasedLikewise() {
        let frame = PictureStore.flat(32, 16, [0, 0, 0])
        let turned = Projection.translation(x: 11.25, y: 5.5) * .rotation(sin: 1, cos: 0)
        let result = frame.painted(.flat(4, 8, [200, 100, 100]), turned)
        let expected = frame.painted(.flat(8, 4, [200, 100, 100]), .translation(x: 3.25, y: 5.5))
        for plane in 0..<3 { #expect(result.distance(to: expected, plane: plane) <= 1) }
    }

    @Test func aQuarterTurnIsATranspose() {
        let picture = PictureStore.noise(24, 18, shift: 0, seed: 3)
        let frame = PictureStore.flat(18, 24, shift: 0, [0, 0, 0])
        let turned = Projection.translation(x: 18, y: 0) * .rotation(sin: 1, cos: 0)
        let result = frame.painted(picture, turned)
        for plane in 0..<3 {
            var expected = PlaneStore(width: 18, height: 24)
            picture.planes[plane].read { source in
                expected.write { $0.copy(source, turned: PlaneTurn(quarterTurns: 1, isMirrored: false)) }
            }
            #expect(result.planes[plane].bytes == expected.bytes)
        }
    }

    @Test(arguments: [0, 1, 13107, 32768, 65535, 65536] as [UInt32])
    func opacityIsTheMeanOfBoth(opacity: UInt32) {
        let (frame, picture) = (PictureStore.noise(31, 17, seed: 5), PictureStore.noise(31, 17, seed: 6))
        let result = frame.painted(picture, .identity, opacity: opacity)
        for plane in 0..<3 {
            let pairs = zip(zip(frame.planes[plane].bytes, picture.planes[plane].bytes), result.planes[plane].bytes)
            let share = Double(opacity) / 65536
            var worst = 0.0
            for (pair, made) in pairs {
                let (below, above) = (Double(pair.0), Double(pair.1))
                let mean: Double = below * (1 - share) + above * share
                worst = max(worst, abs(mean - Double(made)))
            }
            #expect(worst <= 0.51)
        }
    }

    @Test func alphaDecidesWhatIsSeen() {
        let frame = PictureStore.noise(40, 20, seed: 5)
        let picture = PictureStore.noise(40, 20, seed: 6).with { x, _ in UInt8(min(255, x * 7)) }
        let result = frame.painted(picture, .identity, opacity: 49152)
        var worst = 0.0
        for y in 0..<20 {
            for x in 0..<40 {
                let share = Double(min(255, x * 7)) / 255 * 0.75
                let expected =
                    Double(frame.planes[0][x, y]) * (1 - share) + Double(picture.planes[0][x, y]) * share
                worst = max(worst, abs(expected - Double(result.planes[0][x, y])))
            }
        }
        #expect(worst < 1)
        #expect(result.hasCleanPadding)
    }

    /// Transparent pixels have no colour of their own that could shine through when they are mixed.
    @Test func whatIsTransparentLeavesNoFringe() {
        let frame = PictureStore.flat(40, 20, [50, 128, 128])
        let picture = PictureStore(20, 10) { _, x, _ in x < 10 ? 50 : 255 }.with { x, _ in x < 10 ? 255 : 0 }
        let result = frame.painted(picture, .translation(x: 3.3, y: 2.7) * .scale(x: 1.5, y: 1.5))
        #expect(result.planes[0].bytes.filter { $0 != 0xA5 }.allSatisfy { (49...51).contains($0) })
    }

    /// Nothing is drawn where all is transparent, and what is drawn is the same as if it were.
    @Test func whatIsTransparentAllAroundIsLeftOut() {
        let frame = PictureStore.noise(90, 70, seed: 5)
        let turn = Projection.rotation(sin: 0.28, cos: 0.96)
        let maps = [
            .identity, .translation(x: 3.3, y: 2.2) * .scale(x: 0.3, y: 0.4), .translation(x: 20, y: 9) * turn,
            .translation(x: 20, y: 9) * turn * .scale(x: 0.3, y: 0.5), .scale(x: 1.7, y: 1.3),
        ]
        let dot = PictureStore.noise(80, 60, seed: 6).with { x, y in
            (30..<42).contains(x) && (20..<33).contains(y) ? UInt8(x * y % 256) : 0
        }
        // A corner far away that is hardly seen makes the whole picture the drawn part.
        let whole = PictureStore.noise(80, 60, seed: 6).with { x, y in
            let isCorner = (x == 0 || x == 79) && (y == 0 || y == 59)
            return isCorner ? 1 : dot.alpha![x, y]
        }
        for map in maps {
            let (first, second) = (frame.painted(dot, map), frame.painted(whole, map))
            for plane in 0..<3 { #expect(first.distance(to: second, plane: plane) <= 1) }
            #expect(first.planes[0].bytes != frame.planes[0].bytes)
        }
        let nothing = PictureStore.noise(80, 60, seed: 6).with { _, _ in 0 }
        #expect(frame.painted(nothing, .identity).planes[0].bytes == frame.planes[0].bytes)
    }

    @Test func aCropShowsItsPartOnly() {
        let frame = PictureStore.flat(40, 20, [0, 0, 0])
        let picture = PictureStore.noise(40, 20, seed: 2)
        let crop = PlaneRect(left: 10, top: 4, right: 30.5, bottom: 16)
        let result = frame.painted(picture, .identity, crop: crop)
        for y in 0..<20 {
            for x in 0..<40 {
                let isInside = (10..<30).contains(x) && (4..<16).contains(y)
                let value = result.planes[0][x, y]
                if isInside { #expect(value == picture.planes[0][x, y]) }
                if x == 30, (4..<16).contains(y) { #expect(value == (picture.planes[0][x, y] + 1) / 2) }
                if x > 30 || x < 10 || y < 4 || y >= 16 { #expect(value == 0) }
            }
        }
    }

    /// A layer on its way through nothing: work is bounded, and what covers no sample changes none.
    @Test(arguments: [1e-4, 1e-6, -1e-9, 5.55e-17, 1e-24, -1e-300, 1e-307], [0, 10.3])
    func aLayerOfHardlyAnySizeIsHardlySeen(scale: Double, place: Double) {
        let frame = PictureStore.noise(32, 24, seed: 5)
        let noise = PictureStore.noise(40, 30, seed: 1)
        for picture in [noise, noise.with { x, _ in UInt8(x) }] {
            for (x, y) in [(scale, scale), (scale, 2), (-0.5, scale)] {
                let map = Projection.translation(x: place, y: place) * .scale(x: x, y: y)
                let result = frame.painted(picture, map)
                for plane in 0..<3 { #expect(result.distance(to: frame, plane: plane) <= (abs(scale) < 1e-5 ? 0 : 2)) }
            }
        }
    }
}
