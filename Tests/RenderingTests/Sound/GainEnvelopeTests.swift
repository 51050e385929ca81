import CompositionModel
import Foundation
import Testing

@testable import Rendering

@Suite struct GainEnvelopeTests {
    private static func linear(_ at: Int64, _ gain: Double, holds: Bool = false) -> VolumeKey {
        VolumeKey(at: at, millionths: Int64(gain * 1_000_000), unit: .linear, holds: holds)
    }

    private static func decibel(_ at: Int64, _ level: Double, holds: Bool = false) -> VolumeKey {
        VolumeKey(at: at, millionths: Int64(level * 1_000_000), unit: .decibel, holds: holds)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var keys: [VolumeKey]
        /// Sample → gain.
        var expected: [Int64: Double]
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "no key", keys: [], expected: [-5: 1, 0: 1, 1000: 1]),
        Case(name: "one key holds everywhere", keys: [linear(100, 0.25)], expected: [-5: 0.25, 100: 0.25, 200: 0.25]),
        Case(name: "decibels", keys: [decibel(0, -6)], expected: [7: pow(10, -0.3)]),
        Case(
            name: "linear way",
            keys: [linear(100, 0.5), linear(200, 1)],
            expected: [99: 0.5, 100: 0.5, 101: 0.505, 150: 0.75, 199: 0.995, 200: 1, 201: 1]
        ),
        Case(
            name: "way in decibels",
            keys: [decibel(0, -20), decibel(100, 0)],
            expected: [0: 0.1, 50: pow(10, -0.5), 99: pow(10, -0.01), 100: 1]
        ),
        Case(
            name: "mixed units go linearly in gain",
            keys: [linear(0, 0), decibel(10, -20)],
            expected: [0: 0, 5: 0.05, 10: 0.1]
        ),
        Case(
            name: "a held key",
            keys: [linear(0, 0.5, holds: true), linear(10, 1), linear(20, 0)],
            expected: [0: 0.5, 9: 0.5, 10: 1, 15: 0.5, 20: 0]
        ),
        Case(
            name: "two keys at one sample are a jump",
            keys: [linear(0, 0), linear(10, 1), linear(10, 0.25), linear(20, 0.75)],
            expected: [9: 0.9, 10: 0.25, 15: 0.5, 20: 0.75]
        ),
        Case(
            name: "a jump at the first and the last key",
            keys: [linear(0, 0.5), linear(0, 1), linear(10, 0), linear(10, 0.125)],
            expected: [-1: 0.5, 0: 1, 5: 0.5, 9: 0.1, 10: 0.125, 11: 0.125]
        ),
    ]

    @Test(arguments: cases)
    func gainFollowsTheKeys(_ example: Case) {
        let envelope = GainEnvelope(example.keys)
        for (sample, gain) in example.expected {
            #expect(abs(envelope.gain(at: sample) - gain) < 1e-12, "at \(sample)")
        }
    }

    @Test(arguments: cases)
    func anyBlockGivesTheSame(_ example: Case) {
        let envelope = GainEnvelope(example.keys)
        for count in [1, 7, 64] {
            for first in stride(from: Int64(-20), to: 40, by: count) {
                let gains = UnsafeMutableBufferPointer<Double>.allocate(capacity: count)
                defer { gains.deallocate() }
                gains.initialize(repeating: 1)
                envelope.multiply(gains, from: first)
                #expect(gains.indices.allSatisfy { gains[$0] == envelope.gain(at: first + Int64($0)) })
            }
        }
    }

    @Test func onlyPlainOneIsUnity() {
        #expect(GainEnvelope([]).isUnity)
        #expect(GainEnvelope([Self.linear(3, 1)]).isUnity)
        #expect(GainEnvelope([Self.decibel(0, -1)]).isUnity == false)
    }

    @Test func crossfadesFollowTheirFormulas() {
        for index in Int64(0)..<99 {
            let p = Double(index) / 99
            let power = Crossfade(shape: .equalPower, count: 99)
            #expect(abs(power.gainOut(at: index) - cos(p * .pi / 2)) < 1e-15)
            #expect(abs(power.gainIn(at: index) - sin(p * .pi / 2)) < 1e-15)
            let linear = Crossfade(shape: .linear, count: 99)
            #expect(linear.gainIn(at: index) == p && linear.gainOut(at: index) == 1 - p)
            let sum = Crossfade(shape: .sum, count: 99)
            #expect(sum.gainIn(at: index) == 1 && sum.gainOut(at: index) == 1)
            let cut = Crossfade(shape: .cut, count: 99)
            #expect(cut.gainIn(at: index) == (p < 0.5 ? 0 : 1) && cut.gainOut(at: index) == (p < 0.5 ? 1 : 0))
        }
    }
}
