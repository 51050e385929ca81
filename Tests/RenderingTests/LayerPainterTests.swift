import CompositionModel
import Media
import Pixels
import Testing

@testable import Rendering

@Suite struct LayerPainterTests {
    private let painter = LayerPainter()

    private func painted(
        _ picture: Picture,
        over base: (Int, Int, Int) -> UInt8 = { _, _, _ in 20 },
        _ projection: Projection,
        crop: PlaneRect? = nil,
        opacity: BlendWeight = BlendWeight(value: 65536)
    ) throws -> Picture {
        let target = try MutablePicture(width: 40, height: 30, pixelFormat: .yuv420p, color: .bt709)
        for plane in 0..<3 {
            target.withMutablePlane(plane) { view in
                for y in 0..<view.height {
                    for x in 0..<view.width { view.row(y)[x] = base(plane, x, y) }
                }
            }
        }
        try painter.paint(picture, projection: projection, crop: crop, opacity: opacity, over: target)
        return try target.freeze()
    }

    /// A picture of `format` with one value a plane.
    private func flat(_ width: Int, _ height: Int, _ format: String, _ values: [UInt8]) throws -> Picture {
        let format = try #require(PixelFormat(name: format))
        let picture = try MutablePicture(width: width, height: height, pixelFormat: format, color: .bt709)
        for (plane, value) in values.enumerated() {
            picture.withMutablePlane(plane) { $0.plane.fill(value) }
        }
        return try picture.freeze()
    }

    @Test func atItsPlaceAPictureIsCopied() throws {
        let picture = try Picture.noise(40, 30, seed: 1)
        #expect(try painted(picture, .identity).allSamples == picture.allSamples)
        #expect(try painted(picture, .identity, opacity: BlendWeight(value: 0)).samples(0).allSatisfy { $0 == 20 })
    }

    @Test(arguments: ["yuv420p", "yuv422p", "yuv444p", "yuva420p", "yuva422p", "yuva444p"])
    func everyLayoutOfPlanesIsDrawn(format: String) throws {
        let picture = try flat(8, 6, format, format.hasPrefix("yuva") ? [100, 140, 60, 255] : [100, 140, 60])
        let result = try painted(picture, .translation(x: 12, y: 10) * .scale(x: 2, y: 2))
        for (plane, value) in [(0, 100), (1, 140), (2, 60)] as [(Int, UInt8)] {
            let (width, step) = plane == 0 ? (40, 1) : (20, 2)
            let samples = result.samples(plane)
            let isRight = samples.indices.allSatisfy { place in
                let (x, y) = (place % width * step, place / width * step)
                let isInside = (12..<28).contains(x) && (10..<22).contains(y)
                return samples[place] == (isInside ? value : 20)
            }
            #expect(isRight, "plane \(plane)")
        }
    }

    @Test func anAlphaIsUsedForLumaAndChroma() throws {
        let picture = try flat(40, 30, "yuva420p", [220, 40, 200, 128])
        let result = try painted(picture, .identity)
        #expect(result.samples(0).allSatisfy { (120...121).contains($0) })
        #expect(result.samples(1).allSatisfy { (29...31).contains($0) })
        #expect(result.samples(2).allSatisfy { (110...111).contains($0) })
    }

    /// What is kept from frame to frame changes nothing.
    @Test func aPictureIsDrawnAlikeEachTime() throws {
        let pictures = try (0..<9).map { try flat(64, 48, "yuva420p", [UInt8(20 * $0 + 20), 128, 128, 200]) }
        let tilt = Projection.tilt(x: (0.6, 0.8), y: (0.28, 0.96), distance: 200) * .scale(x: 0.4, y: 0.4)
        let first = try pictures.map { try painted($0, .translation(x: 5, y: 8) * tilt).digest() }
        let again = try pictures.reversed().map { try painted($0, .translation(x: 5, y: 8) * tilt).digest() }
        #expect(first == again.reversed())
        #expect(Set(first).count == pictures.count)
    }

    @Test func otherFormatsAreRefused() throws {
        let picture = try flat(8, 6, "rgb24", [])
        #expect(throws: MediaError.self) { try painted(picture, .identity) }
    }

    /// Nine logos that stay are all kept; of an overlay that plays one picture is.
    @Test func picturesAreKeptForOneFrame() throws {
        let logos = try (0..<9).map { try flat(8, 6, "yuva444p", [100, 140, 60, UInt8(200 + $0)]) }
        for _ in 0..<2 {
            for logo in logos { _ = try painted(logo, .identity) }
            painter.endFrame()
        }
        #expect(painter.keptCount == 9)
        for value in 0..<5 {
            _ = try painted(flat(8, 6, "yuva444p", [100, 140, 60, UInt8(value)]), .identity)
            painter.endFrame()
            #expect(painter.keptCount == 1)
        }
    }

    @Test func noMoreThanSoManyBytesAreKept() {
        var cache = FrameCache<Int>(mostBytes: 100)
        for number in 0..<5 { cache.insert(number, byteCount: 40) }
        #expect(cache.count == 2 && cache.first { $0 == 3 } == 3 && cache.first { $0 == 2 } == nil)
        // The one that was used is the later one now.
        cache.insert(9, byteCount: 40)
        #expect(cache.first { $0 == 4 } == nil && cache.first { $0 == 3 } == 3)
        cache.insert(10, byteCount: 1000)
        #expect(cache.count == 1 && cache.take { $0 == 10 } == 10 && cache.byteCount == 0)
        cache.insert(11, byteCount: 1)
        cache.endFrame()
        #expect(cache.count == 1)
        cache.endFrame()
        #expect(cache.count == 0)
    }
}
