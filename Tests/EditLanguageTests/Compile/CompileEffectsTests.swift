import EditSamples
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing

/// What of a picture's effects stands in the canonical form. The edit has 1280×720 pixels at 25 fps.
@Suite struct CompileEffectsTests {
    let assets = ["a": SampleAsset.minute("a")]

    private func effects(_ effects: String) throws -> [PictureEffect]? {
        let item = "{ \"asset\": \"a\", \"duration\": \"4s\", \"effects\": [\(effects)] }"
        let compiled = try Compiled(editText([item], assets: ["a"]), assets)
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        return composition.videoTracks[0].segments[0].appearance?.effects
    }

    private func constant(_ numbers: Double...) -> AnimatedProperty {
        AnimatedProperty(constant: numbers.map { Int64(($0 * 1_000_000).rounded()) })
    }

    @Test func effectsAreResolvedInTheirOrder() throws {
        let found = try effects(
            #"""
            { "effect": "blur", "radius": "1%" }, { "effect": "chromaKey", "color": "#00B140", "tolerance": 0.25 },
            { "effect": "liftGammaGain", "gain": [1, 1, 0.5], "gamma": 1.2 },
            { "effect": "dropShadow", "offset": ["1%", "1%"] }
            """#
        )
        #expect(
            found == [
                PictureEffect(.blur, [.radius: constant(12.8)]),
                PictureEffect(.chromaKey, [.tolerance: constant(0.25)], color: "#00b140"),
                PictureEffect(.liftGammaGain, [.gain: constant(1, 1, 0.5), .gamma: constant(1.2, 1.2, 1.2)]),
                PictureEffect(.dropShadow, [.offset: constant(12.8, 7.2)]),
            ]
        )
    }

    @Test func whatIsStandardIsLeftOut() throws {
        #expect(try effects("") == nil)
        let plain = ##"{ "effect": "chromaKey", "color": "#00FF00", "tolerance": 0.15, "spill": 1 }"##
        #expect(try effects(plain) == [PictureEffect(.chromaKey)])
        let still = #"{ "effect": "sepia", "amount": [{ "at": "0s", "value": 0.5 }, { "at": "1s", "value": 0.5 }] }"#
        #expect(try effects(still) == [PictureEffect(.sepia, [.amount: constant(0.5)])])
    }

    @Test func aParameterIsAnimated() throws {
        let found = try effects(
            #"{ "effect": "exposure", "stops": [{ "at": "0s", "value": -2 }, { "at": "2s", "value": 2 }] }"#
        )
        let effect = try #require(found?.first)
        let stops = try #require(effect.effect.parameters.first)
        #expect(effect.isAnimated)
        #expect(effect.value(stops, at: RationalTime(whole: 1)) == [0])
        #expect(effect.value(stops, at: RationalTime(whole: 9)) == [2])
        #expect(PictureEffect(.exposure).value(stops, at: .zero) == [0])
    }

    /// Every effect by its name alone, and a standard value within each range.
    @Test(arguments: PictureEffect.Name.allCases) func everyEffectHasStandards(name: PictureEffect.Name) throws {
        if name.assetRole == nil {
            #expect(try effects("{ \"effect\": \"\(name.rawValue)\" }") == [PictureEffect(name)])
        }
        for parameter in name.parameters {
            #expect(parameter.standard.count == parameter.form.count)
            #expect(parameter.standard.allSatisfy(parameter.form.millionths.contains))
        }
    }

    @Test func lengthsScaleWithTheOutput() {
        var appearance = LayerAppearance()
        appearance.effects = [PictureEffect(.blur, [.radius: constant(12)]), PictureEffect(.pixelate)]
        let (large, small) = (PictureSize(width: 1920, height: 1080), PictureSize(width: 1280, height: 720))
        let scaled = appearance.scaled(from: large, to: small)
        #expect(scaled.effects?[0].values[.radius] == constant(8))
        #expect(scaled.effects?[1].values[.size]?.keys.first?.value == [10_666_667])
    }

    @Test func onlyTransparencyShowsWhatLiesBelow() {
        var appearance = LayerAppearance()
        appearance.effects = [PictureEffect(.sepia), PictureEffect(.blur)]
        #expect(appearance.surelyCovers)
        appearance.effects?.append(PictureEffect(.chromaKey))
        #expect(!appearance.surelyCovers)
    }

    @Test func aCompositionWithWrongEffectsIsRefused() throws {
        let item = "{ \"asset\": \"a\", \"duration\": \"4s\", \"effects\": [{ \"effect\": \"blur\" }] }"
        let compiled = try Compiled(editText([item], assets: ["a"]), assets)
        let composition = try #require(compiled.composition)
        let wrong: [PictureEffect] = [
            PictureEffect(.blur, [.size: constant(1)]), PictureEffect(.blur, [.radius: constant(-1)]),
            PictureEffect(.blur, [.radius: constant(1, 2)]), PictureEffect(.blur, color: "#000000"),
            PictureEffect(.chromaKey, color: "green"), PictureEffect(.lut),
            PictureEffect(.lut, source: EffectSource(asset: 7)), PictureEffect(.sepia, source: EffectSource(asset: 0)),
            PictureEffect(.lut, source: EffectSource(asset: 0, stream: 0)),
            PictureEffect(.mask, source: EffectSource(asset: 0)),
            PictureEffect(.mask, source: EffectSource(asset: 0, stream: 0, channel: .luma, clock: .item)),
        ]
        #expect(composition.findings().isEmpty)
        for effect in wrong {
            var broken = composition
            broken.videoTracks[0].segments[0].appearance?.effects = [effect]
            #expect(!broken.findings().isEmpty, "\(effect)")
        }
    }
}
