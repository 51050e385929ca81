import Foundation
import Testing

@testable import CompositionModel
@testable import Timing

/// Parameters of effects and processors have typed keys, and are coded as plain JSON keys.
@Suite struct ParameterKeyTests {
    @Test func keysAreCodedByTheirNames() throws {
        let processor = SoundProcessor(.gate, [.threshold: -40_000_000, .hold: 1000], isAfterVolume: true)
        let text =
            #"{"isAfterVolume":true,"processor":"gate","values":{"hold":1000,"threshold":-40000000}}"#
        #expect(String(decoding: try CanonicalJSON.data(processor), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(SoundProcessor.self, from: Data(text.utf8)) == processor)
        #expect(try JSONDecoder().decode(SoundProcessor.self, from: JSONEncoder().encode(processor)) == processor)
        let effect = PictureEffect(.sepia, [.amount: AnimatedProperty(constant: [500_000])])
        let written = String(decoding: try CanonicalJSON.data(effect), as: UTF8.self)
        #expect(written.contains(#""values":{"amount":{"#))
        #expect(try JSONDecoder().decode(PictureEffect.self, from: Data(written.utf8)) == effect)
        #expect(String(decoding: try CanonicalJSON.data(PictureEffect(.lut)), as: UTF8.self).contains(#""values":{}"#))
    }

    /// A document may say anything: what no processor has is kept, so that it can be refused by its name.
    @Test func unknownKeysAreKept() throws {
        let text = #"{"processor":"reverb","values":{"treshold":1}}"#
        let processor = try JSONDecoder().decode(SoundProcessor.self, from: Data(text.utf8))
        #expect(processor.values.keys.map(\.name) == ["treshold"])
        #expect(String(decoding: try CanonicalJSON.data(processor), as: UTF8.self) == text)
    }

    @Test(arguments: SoundProcessor.Name.allCases) func everyProcessorHasItsStandards(name: SoundProcessor.Name) {
        for parameter in name.parameters {
            let (quantity, plain) = (parameter.quantity, SoundProcessor(name))
            #expect(quantity.range.contains(quantity.standard) && quantity.name == parameter.key.name)
            #expect(plain[parameter.key] == Double(quantity.standard) / 1_000_000)
            #expect(SoundProcessor(name, [parameter.key: 2_000_000])[parameter.key] == 2)
        }
        #expect(Set(name.parameters.map(\.key)).count == name.parameters.count)
    }

    @Test(arguments: PictureEffect.Name.allCases) func everyEffectHasItsStandards(name: PictureEffect.Name) {
        for parameter in name.parameters {
            #expect(PictureEffect(name)[parameter.key] == AnimatedProperty(constant: parameter.standard))
        }
        #expect(Set(name.parameters.map(\.key)).count == name.parameters.count)
    }
}
