import Foundation
import TestSupport
import Testing
import Timing

@testable import CompositionModel

/// The appearance of a layer writes its members by hand, and all of them.
@Suite struct WrittenPictureTests {
    private static let moving = AnimatedProperty(keys: [
        AnimationKey(at: .zero, value: [0, -1], ease: .hold), AnimationKey(at: RationalTime(whole: 1), value: [1, 2]),
        AnimationKey(at: RationalTime(whole: 2), value: [3, 4], ease: .curve(.cubic, .inOut)),
    ])

    /// Names that a document may hold, in the order of UTF-16 and not of Unicode.
    private static let effect: PictureEffect = {
        let source = EffectSource(asset: 1, stream: 2, channel: .luma, clock: .item, offset: .zero)
        var effect = PictureEffect(.mask, color: "#ff0000", source: source)
        for name in ["\u{1F600}", "\u{FB33}", "b", "a", "\"quoted\""] { effect.values[ParameterKey(name)] = moving }
        return effect
    }()

    @Test func anAppearanceWritesAllOfItsMembers() throws {
        var whole = LayerAppearance()
        for property in PictureProperty.allCases { whole[property] = Self.moving }
        (whole.blend, whole.effects) = (.multiply, [Self.effect, PictureEffect(.sepia)])
        #expect(try WrittenMembers.members(of: whole) == WrittenMembers.properties(of: whole))
        #expect(try WrittenMembers.members(of: LayerAppearance()).isEmpty)
        // Foundation sorts names by UTF-8.
        whole.effects = [PictureEffect(.sepia, [.amount: Self.moving])]
        for appearance in [whole, LayerAppearance()] { #expect(try WrittenMembers.areRead(appearance)) }
    }

    @Test func anEffectWritesAllOfItsMembers() throws {
        #expect(try WrittenMembers.members(of: Self.effect) == WrittenMembers.properties(of: Self.effect))
        #expect(try WrittenMembers.members(of: PictureEffect(.sepia)) == ["effect", "values"])
        for effect in [Self.effect, PictureEffect(.sepia)] {
            #expect(try JSONDecoder().decode(PictureEffect.self, from: CanonicalJSON.data(effect)) == effect)
        }
        let text = String(decoding: try CanonicalJSON.data(Self.effect), as: UTF8.self)
        let places = [#""\"quoted\"":"#, #""a":"#, #""b":"#, "\"\u{1F600}\":", "\"\u{FB33}\":"].compactMap {
            text.range(of: $0)?.lowerBound
        }
        #expect(places.count == 5 && places == places.sorted())
    }

    /// Values of Timing have two descriptions, of which one is for other encoders.
    @Test func anAnimationIsWrittenAsItEncodesItself() throws {
        #expect(try WrittenMembers.members(of: Self.moving) == ["keys"])
        #expect(try WrittenMembers.areRead(Self.moving))
        var appearance = LayerAppearance()
        appearance.skew = Self.moving
        let inside = String(decoding: try CanonicalJSON.data(Self.moving), as: UTF8.self)
        #expect(String(decoding: try CanonicalJSON.data(appearance), as: UTF8.self) == "{\"skew\":\(inside)}")
        #expect(inside.contains(#"{"at":"0/1","ease":"hold","value":[0,-1]},{"at":"1/1","value":[1,2]}"#))
    }
}
