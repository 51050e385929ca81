import Pixels
import Testing

/// Layers that are put together in a frame that is seen through.
@Suite struct GroupTests {
    /// Planes multiplied by alphas, as a group has them.
    private struct Group {
        var picture: PictureStore
        var alpha: PlaneStore
        var chromaAlpha: PlaneStore

        init(_ width: Int, _ height: Int) {
            picture = .flat(width, height, [0, 0, 0])
            alpha = PlaneStore(width: width, height: height) { _, _ in 0 }
            chromaAlpha = PlaneStore(width: (width + 1) / 2, height: (height + 1) / 2) { _, _ in 0 }
        }

        mutating func paint(
            _ layer: PictureStore,
            _ projection: Projection = .identity,
            opacity: UInt32 = 65536,
            blend: BlendFunction = .normal
        ) {
            var (alpha, chroma) = (alpha, chromaAlpha)
            layer.layer { layer in
                alpha.write { alpha in
                    chroma.write { chroma in
                        picture.frame { frame in
                            let group = FramePlanes(planes: frame.planes, shift: frame.shift, alphas: (alpha, chroma))
                            group.paint(
                                layer,
                                projection: projection,
                                crop: nil,
                                opacity: BlendWeight(value: opacity),
                                blend: blend
                            )
                        }
                    }
                }
            }
            (self.alpha, chromaAlpha) = (alpha, chroma)
        }

        /// Colours by themselves.
        mutating func finish() -> PictureStore {
            let (alpha, chroma) = (alpha, chromaAlpha)
            alpha.read { alpha in
                chroma.read { chroma in
                    picture.frame { frame in
                        frame.planes[0].divide(by: alpha, empty: 16)
                        frame.planes[1].divide(by: chroma, empty: 128)
                        frame.planes[2].divide(by: chroma, empty: 128)
                    }
                }
            }
            return picture.with { alpha[$0, $1] }
        }
    }

    /// One opaque picture in a group is itself.
    @Test(arguments: [(32, 18), (33, 21)]) func whatIsAloneIsKept(width: Int, height: Int) {
        let layer = PictureStore.noise(width, height, seed: 3)
        var group = Group(width, height)
        group.paint(layer)
        let result = group.finish()
        for plane in 0..<3 { #expect(result.planes[plane].bytes == layer.planes[plane].bytes) }
        #expect(group.chromaAlpha.bytes.allSatisfy { $0 == 255 || $0 == 0xA5 })
    }

    /// An opaque group over a picture is what its layers over it are; transparent ones are within a code value.
    @Test func aGroupIsItsLayers() {
        let (below, first) = (PictureStore.smooth(48, 32), PictureStore.smooth(48, 32).with { x, _ in UInt8(5 * x) })
        let second = PictureStore.flat(20, 14, [90, 200, 60])
        let place = Projection.translation(x: 10, y: 8)
        var group = Group(48, 32)
        group.paint(first)
        group.paint(second, place, opacity: 32768)
        let direct = below.painted(first, .identity).painted(second, place, opacity: 32768)
        var mixed = below
        let own = group.finish()
        group.alpha.read { alpha in
            group.chromaAlpha.read { chroma in
                own.planes[0].read { luma in
                    own.planes[1].read { blue in
                        own.planes[2].read { red in
                            let planes = [luma, blue, red]
                            let layer = LayerPicture(planes: planes, alpha: alpha, chroma: chroma, shift: (1, 1))
                            mixed.frame {
                                $0.paint(layer, projection: .identity, crop: nil, opacity: BlendWeight(value: 65536))
                            }
                        }
                    }
                }
            }
        }
        for plane in 0..<3 {
            let worst = zip(direct.planes[plane].bytes, mixed.planes[plane].bytes).map { abs(Int($0) - Int($1)) }.max()
            #expect(worst ?? 255 <= 2, "\(plane)")
        }
    }

    /// What is hidden in a group does not shine through it when the group is seen through.
    @Test func nothingShinesThrough() {
        let below = PictureStore.flat(32, 16, [16, 128, 128])
        var group = Group(32, 16)
        group.paint(.flat(32, 16, [235, 128, 128]))
        group.paint(.flat(16, 16, [81, 90, 240]))
        let mixed = below.painted(group.finish(), .identity, opacity: 32768)
        // Half of the upper one alone, although the lower one is white.
        #expect(abs(Int(mixed.planes[0][4, 4]) - 48) <= 1)
        #expect(abs(Int(mixed.planes[2][2, 2]) - 184) <= 1)
        #expect(abs(Int(mixed.planes[0][28, 4]) - 125) <= 1)
    }

    /// Co = (αs(1 − αb)Cs + αsαb·B(Cb, Cs) + (1 − αs)αb·Cb) / αo, of W3C's Compositing and Blending §9.1, over seeded
    /// greys, for which the modes are plain.
    @Test(arguments: [BlendFunction.multiply, .screen, .difference]) func modesCountBySomethingBelow(
        mode: BlendFunction
    ) {
        let greys = (0..<64).map { UInt8(16 + ($0 * 151) % 220) }
        let alphas = (0..<64).map { UInt8(40 + ($0 * 73) % 216) }
        let below = PictureStore(128, 8) { plane, x, _ in plane == 0 ? greys[x / 2] : 128 }.with { x, _ in alphas[x / 2]
        }
        let above = PictureStore(128, 8) { plane, x, _ in plane == 0 ? greys[63 - x / 2] : 128 }
            .with { x, _ in alphas[(x / 2 + 17) % 64] }
        var group = Group(128, 8)
        group.paint(below)
        group.paint(above, blend: mode)
        let result = group.finish()
        for index in 0..<64 {
            let (b, s) = (Double(greys[index]) - 16, Double(greys[63 - index]) - 16)
            let (ab, top) = (Double(alphas[index]) / 255, Double(alphas[(index + 17) % 64]) / 255)
            let (x, y) = (b / 219, s / 219)
            let blended = mode == .multiply ? x * y : mode == .screen ? x + y - x * y : abs(x - y)
            let whole = top + ab - top * ab
            let alone: Double = top * (1 - ab) * y + (1 - top) * ab * x
            let color = (alone + top * ab * blended) / whole
            #expect(abs(Double(group.alpha[2 * index, 3]) - 255 * whole) <= 1)
            let found = Double(result.planes[0][2 * index, 3])
            #expect(abs(found - (16 + 219 * color)) <= 1 + 1.5 / whole, "\(mode) \(index)")
        }
    }

    @Test func dividingUndoesMultiplying() {
        let values = PlaneStore(width: 256, height: 255) { x, _ in UInt8(x) }
        let alphas = PlaneStore(width: 256, height: 255) { _, y in UInt8(y + 1) }
        var result = PlaneStore(width: 256, height: 255)
        values.read { values in
            alphas.read { alphas in
                result.write {
                    $0.multiply(values, by: alphas)
                    $0.divide(by: alphas, empty: 7)
                }
            }
        }
        for y in 0..<255 {
            for x in 0..<256 {
                let product = (Double(x) * Double(y + 1) / 255).rounded()
                let expected = min(255, product * 255 / Double(y + 1))
                #expect(abs(Double(result[x, y]) - expected) <= 0.51)
            }
        }
        var empty = PlaneStore(width: 3, height: 2) { _, _ in 9 }
        let none = PlaneStore(width: 3, height: 2) { _, _ in 0 }
        none.read { none in empty.write { $0.divide(by: none, empty: 128) } }
        #expect((0..<3).allSatisfy { empty[$0, 0] == 128 && empty[$0, 1] == 128 })
    }

    /// Painted on black and on white, a picture with alpha is found again.
    @Test func whatWasOnTwoGroundsIsFound() {
        let layer = PictureStore.flat(24, 12, [180, 90, 200]).with { x, _ in UInt8(10 * x + 15) }
        let black = PictureStore.flat(24, 12, [16, 128, 128]).painted(layer, .identity)
        let white = PictureStore.flat(24, 12, [235, 128, 128]).painted(layer, .identity)
        var found = PictureStore.flat(24, 12, [0, 0, 0])
        var alpha = PlaneStore(width: 24, height: 12)
        black.planes[0].read { dark in
            white.planes[0].read { light in
                alpha.write { $0.setAlpha(dark: dark, light: light, black: 16, white: 235) }
                found.frame { frame in
                    frame.planes[0].setOwn(dark: dark, light: light, black: 16, white: 235)
                    black.planes[1].read {
                        frame.planes[1].setOwn(chroma: $0, luma: dark, light, black: 16, white: 235)
                    }
                }
            }
        }
        for x in 0..<24 {
            let part = Double(10 * x + 15) / 255
            #expect(abs(Double(alpha[x, 5]) - 255 * part) <= 2)
            #expect(abs(Double(found.planes[0][x, 5]) - 180) <= 1 + 1 / part)
            #expect(abs(Double(found.planes[1][x / 2, 2]) - 90) <= 1 + 3 / part)
        }
        #expect(!alpha.readSolid)
        #expect(PlaneStore(width: 5, height: 3) { _, _ in 255 }.readSolid)
    }
}

extension PlaneStore {
    fileprivate var readSolid: Bool {
        var isSolid = false
        read { isSolid = $0.isSolid }
        return isSolid
    }
}
