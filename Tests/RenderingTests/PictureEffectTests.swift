import CompositionModel
import Media
import Pixels
import Testing
import Timing

@testable import Rendering

/// Effects on real pictures, by their words.
@Suite struct PictureEffectTests {
    private let painter = EffectPainter(color: .bt709)

    private func state(
        _ name: PictureEffect.Name,
        _ values: [PictureEffect.Parameter: [Double]] = [:],
        color: String? = nil
    ) -> EffectState {
        let values = values.mapValues { AnimatedProperty(constant: $0.map { Int64(($0 * 1_000_000).rounded()) }) }
        return EffectState(PictureEffect(name, values, color: color), at: .zero)
    }

    private func apply(_ effects: [EffectState], _ picture: Picture) throws -> Picture {
        try painter.apply(effects, to: picture, grain: (1, 1))
    }

    private func flat(_ color: String, width: Int = 64, height: Int = 48) throws -> Picture {
        let values = try BackgroundColor(color, in: .bt709)
        return try Picture.make(width, height) { plane, _, _ in values.value(ofPlane: plane) }
    }

    /// Whether all samples of all colour planes are within one code value of `color`.
    private func isClose(_ picture: Picture, _ color: String) throws -> Bool {
        let values = try BackgroundColor(color, in: .bt709)
        return (0..<3).allSatisfy { plane in
            picture.samples(plane).allSatisfy { abs(Int($0) - Int(values.value(ofPlane: plane))) <= 1 }
        }
    }

    /// Standard values of these do nothing.
    @Test(arguments: [PictureEffect.Name.exposure, .brightness, .contrast, .saturation, .temperature, .liftGammaGain])
    func standardColorsStay(name: PictureEffect.Name) throws {
        let picture = try Picture.noise(43, 31, seed: 1)
        #expect(try apply([state(name)], picture).allSamples == picture.allSamples)
        #expect(try apply([], picture) === picture)
    }

    @Test func colorsBecomeWhatTheirEffectSays() throws {
        let cases: [(EffectState, String, String)] = [
            (state(.exposure, [.stops: [1]]), "#404040", "#555555"),
            (state(.exposure, [.stops: [-2.4]]), "#806040", "#403020"),
            (state(.brightness, [.amount: [0.2]]), "#204060", "#537393"),
            (state(.contrast, [.amount: [1.5]]), "#606060", "#505050"),
            (state(.saturation, [.amount: [0]]), "#808080", "#808080"),
            (state(.temperature, [.amount: [1]]), "#808080", "#a08060"),
            (state(.liftGammaGain, [.gain: [0.5, 1, 1]]), "#804020", "#404020"),
            (state(.sepia), "#ffffff", "#ffffef"), (state(.blackAndWhite), "#ffffff", "#ffffff"),
        ]
        for (effect, before, after) in cases {
            #expect(try isClose(apply([effect], flat(before)), after), "\(effect.name) of \(before)")
        }
    }

    @Test func liftAndGammaAreCurves() throws {
        let gamma = state(.liftGammaGain, [.gamma: [2, 2, 2]])
        #expect(try isClose(apply([gamma], flat("#404040")), "#808080"))
        let lift = state(.liftGammaGain, [.lift: [0.5, 0.5, 0.5]])
        #expect(try isClose(apply([lift], flat("#000000")), "#808080"))
        #expect(try isClose(apply([lift], flat("#ffffff")), "#ffffff"))
    }

    @Test func aScreenBecomesTransparentAndTheRestStays() throws {
        let (screen, coat) = try (BackgroundColor("#00b140", in: .bt709), BackgroundColor("#c02040", in: .bt709))
        let picture = try Picture.make(64, 48) { plane, x, _ in
            let column = plane == 0 ? x : 2 * x
            return (column < 32 ? screen : coat).value(ofPlane: plane)
        }
        let keyed = try apply([state(.chromaKey, color: "#00b140")], picture)
        #expect(keyed.pixelFormat.name == "yuva420p")
        let alpha = keyed.samples(3)
        for y in 0..<48 {
            #expect(alpha[64 * y..<64 * y + 28].allSatisfy { $0 == 0 })
            #expect(alpha[64 * y + 36..<64 * y + 64].allSatisfy { $0 == 255 })
        }
        // What stays has its colour.
        #expect((0..<48).allSatisfy { keyed.samples(1)[32 * ($0 / 2) + 25] == coat.blueDifference })
        #expect(keyed.samples(0) == picture.samples(0))
    }

    @Test func lumaDecidesAndMayBeTurnedRound() throws {
        let picture = try Picture.make(64, 48) { plane, x, _ in plane == 0 ? (x < 32 ? 20 : 200) : 128 }
        for (invert, left) in [(0.0, UInt8(0)), (1, 255)] {
            let values: [PictureEffect.Parameter: [Double]] = [
                .threshold: [0.5], .softness: [0.1], .invert: [invert],
            ]
            let alpha = try apply([state(.lumaKey, values)], picture).samples(3)
            #expect((0..<48).allSatisfy { alpha[64 * $0 + 3] == left && alpha[64 * $0 + 60] == 255 - left })
        }
    }

    @Test func cornersAreRoundAndTheAlphaBeforeIsKept() throws {
        let picture = try flat("#c02040")
        let effects = [state(.roundedCorners, [.radius: [10]]), state(.lumaKey, [.threshold: [0], .softness: [0]])]
        let alpha = try apply(effects, picture).samples(3)
        #expect(alpha[0] == 0 && alpha[63] == 0 && alpha[64 * 47] == 0 && alpha[64 * 24 + 32] == 255)
    }

    @Test func blurAndSharpenKeepWhatIsFlat() throws {
        let picture = try flat("#336699")
        let effects = [state(.blur, [.radius: [4]]), state(.sharpen, [.amount: [3]]), state(.pixelate)]
        #expect(try apply(effects, picture).allSamples == picture.allSamples)
        let noise = try Picture.noise(64, 48, seed: 2)
        let blurred = try apply([state(.blur, [.radius: [3]])], noise).samples(0)
        #expect(blurred.map { abs(Int($0) - 127) }.max() ?? 255 < 60)
    }

    /// Lengths are pixels of the frame: in a picture of twice as many a blur is twice as wide.
    @Test func lengthsAreOfTheFrame() throws {
        let picture = try Picture.noise(64, 48, seed: 2)
        let wide = try painter.apply([state(.blur, [.radius: [1]])], to: picture, grain: (2, 2))
        #expect(wide.allSamples == (try apply([state(.blur, [.radius: [2]])], picture)).allSamples)
    }

    /// A picture whose pixels are not square in the frame has circles and squares there too.
    @Test func lengthsAreOfEachAxis() throws {
        let corners = [state(.roundedCorners, [.radius: [10]])]
        let alpha = try painter.apply(corners, to: flat("#c02040"), grain: (0.5, 1)).samples(3)
        #expect(alpha[5] == 255 && alpha[4] < 255 && alpha[64 * 10] == 255 && alpha[64 * 9] < 255)
        let noise = try Picture.noise(64, 48, seed: 2)
        let luma = try painter.apply([state(.pixelate, [.size: [8]])], to: noise, grain: (0.5, 1)).samples(0)
        var isEven = true
        for y in 0..<48 {
            let row = 64 * (y / 8 * 8)
            for x in 0..<64 where luma[64 * y + x] != luma[row + x / 4 * 4] { isEven = false }
        }
        #expect(isEven && luma[0] != luma[4] && luma[0] != luma[64 * 8])
    }

    private func layer(_ picture: Picture, _ projection: Projection, crop: PlaneRect? = nil) -> PaintedLayer {
        PaintedLayer(
            picture: picture,
            projection: projection,
            crop: crop,
            opacity: BlendWeight(value: 65536),
            blend: .normal
        )
    }

    private func grey(_ width: Int, _ height: Int) throws -> Picture {
        let picture = try MutablePicture(width: width, height: height, pixelFormat: .yuv420p, color: .bt709)
        for plane in 0..<3 { picture.withMutablePlane(plane) { $0.plane.fill(128) } }
        return try picture.freeze()
    }

    /// A picture of sixteen times the pixels throws the same shadow.
    @Test func aShadowIsThatOfAnyResolution() throws {
        let effect = state(.dropShadow, [.offset: [7, 5], .radius: [8], .opacity: [1]], color: "#ffffff")
        let background = try BackgroundColor("#000000", in: .bt709)
        let canvas = CanvasPainter(size: PictureSize(width: 160, height: 120), color: .bt709, background: background)
        func shadow(grain: Int) throws -> [UInt8] {
            let scale = Projection.scale(x: 1 / Double(grain), y: 1 / Double(grain))
            let place = Projection.translation(x: 50, y: 40) * scale
            let layer = layer(try grey(40 * grain, 40 * grain), place)
            let made = try painter.shadows(of: layer, [effect], grain: (Double(grain), Double(grain)))
            return try canvas.picture(of: canvas.draw(#require(made.first), over: .background)).samples(0)
        }
        let (own, fine) = (try shadow(grain: 1), try shadow(grain: 16))
        #expect(own[160 * 65 + 77] > 200 && own[160 * 5 + 77] == 16)
        #expect(zip(own, fine).map { abs(Int($0) - Int($1)) }.max() ?? 255 <= 3)
    }

    /// It ends softly, however many pixels its layer has, and is no larger than it must be.
    @Test func aWideShadowIsNotCutOff() throws {
        let effect = state(.dropShadow, [.offset: [0, 0], .radius: [100], .opacity: [1]], color: "#000000")
        let large = layer(try grey(4000, 4000), .identity)
        let shadow = try #require(try painter.shadows(of: large, [effect], grain: (16, 16)).first).picture
        let alpha = shadow.samples(3)
        #expect(shadow.width < 400 && alpha[shadow.width * (shadow.height / 2)] <= 2)
        #expect(alpha[shadow.width * (shadow.height / 2) + shadow.width / 2] > 150)
        let longest = layer(try grey(MediaLimits.dimension, 2), .identity)
        let slight = state(.dropShadow, [.offset: [0, 0], .radius: [1], .opacity: [1]], color: "#000000")
        #expect(try painter.shadows(of: longest, [slight], grain: (4, 1)).count == 1)
    }

    /// The shadow of a crop moves by parts of a pixel, as the crop does.
    @Test(arguments: ["yuv420p", "yuva420p"]) func aShadowIsCutWithinAPixel(format: String) throws {
        let effect = state(.dropShadow, [.offset: [0, 0], .radius: [0], .opacity: [1]], color: "#000000")
        let format = try #require(PixelFormat(name: format))
        let picture = try MutablePicture(width: 16, height: 16, pixelFormat: format, color: .bt709)
        for plane in 0..<picture.planeCount { picture.withMutablePlane(plane) { $0.plane.fill(255) } }
        let crop = PlaneRect(left: 4.25, top: 2, right: 20, bottom: 13.5)
        let cut = layer(try picture.freeze(), .identity, crop: crop)
        let shadow = try #require(try painter.shadows(of: cut, [effect], grain: (1, 1)).first).picture
        let (alpha, margin) = (shadow.samples(3), (shadow.width - 16) / 2)
        func value(_ x: Int, _ y: Int) -> UInt8 { alpha[shadow.width * (y + margin) + x + margin] }
        #expect([3, 4, 5, 15, 16].map { value($0, 8) } == [0, 191, 255, 255, 0])
        #expect([1, 2, 12, 13, 14].map { value(8, $0) } == [0, 255, 255, 128, 0])
    }

    /// Of a title with many layers all are kept for the next frame, and none for the one after.
    @Test func whatAFrameUsesIsKeptForTheNext() throws {
        let pictures = try (0..<9).map { try Picture.noise(16, 16, seed: $0) }
        func made() throws -> [Picture] { try pictures.map { try apply([state(.sepia)], $0) } }
        let first = try made()
        painter.endFrame()
        #expect(try zip(first, made()).allSatisfy { $0 === $1 })
        painter.endFrame()
        painter.endFrame()
        #expect(try !zip(first, made()).contains { $0 === $1 })
    }

    @Test func aShadowFallsBehindItsLayer() throws {
        let layer = PaintedLayer(
            picture: try flat("#ffffff", width: 16, height: 16),
            projection: .translation(x: 20, y: 16),
            crop: nil,
            opacity: BlendWeight(value: 65536),
            blend: .normal
        )
        let effect = state(.dropShadow, [.offset: [8, 6], .radius: [1], .opacity: [1]], color: "#000000")
        let shadow = try #require(try painter.shadows(of: layer, [effect], grain: (1, 1)).first)
        let background = try BackgroundColor("#808080", in: .bt709)
        let canvas = CanvasPainter(size: PictureSize(width: 64, height: 48), color: .bt709, background: background)
        var shown = layer
        shown.shadows = [shadow]
        let luma = try canvas.picture(of: canvas.draw(shown, over: .background)).samples(0)
        func value(_ x: Int, _ y: Int) -> UInt8 { luma[64 * y + x] }
        #expect(value(25, 20) == 235)
        #expect(value(40, 30) == 16)
        #expect(value(5, 5) == background.luma && value(60, 40) == background.luma)
        #expect(value(22, 34) == background.luma)
        // On a track that is moved it goes along.
        var moved = LayerAppearance()
        moved.position = AnimatedProperty(constant: [42_000_000, 24_000_000])
        let track = LayerState(moved, at: .zero)
        let along = shown.on(track, frame: PictureSize(width: 64, height: 48)).shadows
        #expect(along.map(\.projection) == [.translation(x: 10, y: 0) * shadow.projection])
    }

    @Test func aPictureShownAgainIsMadeOnce() throws {
        let picture = try Picture.noise(64, 48, seed: 2)
        let first = try apply([state(.sepia)], picture)
        #expect(try apply([state(.sepia)], picture) === first)
        #expect(try apply([state(.sepia, [.amount: [0.5]])], picture) !== first)
    }
}
