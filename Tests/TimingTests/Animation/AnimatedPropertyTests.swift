import Foundation
import Testing

@testable import CompositionModel
@testable import Timing

/// Times in seconds of the item; values in millionths, two numbers each.
@Suite struct AnimatedPropertyTests {
    /// 0 until 1 s, linear to (1, 2) at 2 s, held to 3 s, there a jump to (5, 5), back to (0, 0) at 4 s.
    private static let way = AnimatedProperty(keys: [
        key(1, 0, 0), key(2, 1, 2, .hold), key(3, 9, 9), key(3, 5, 5), key(4, 0, 0),
    ])

    private static func key(_ at: Int64, _ x: Int64, _ y: Int64, _ ease: Easing = .linear) -> AnimationKey {
        AnimationKey(at: RationalTime(whole: at), value: [x * 1_000_000, y * 1_000_000], ease: ease)
    }

    private static let seen: [(quarter: Int64, x: Double, y: Double)] = [
        (-4, 0, 0), (0, 0, 0), (4, 0, 0), (5, 0.25, 0.5), (7, 0.75, 1.5), (8, 1, 2), (11, 1, 2), (12, 5, 5),
        (13, 3.75, 3.75), (16, 0, 0), (400, 0, 0),
    ]

    @Test func isSeenAtQuarterSeconds() throws {
        for (quarter, x, y) in Self.seen {
            #expect(Self.way.value(at: try RationalTime(quarter, 4)) == [x, y], "\(quarter)")
        }
    }

    @Test func progressIsExact() throws {
        let second = try RationalTime(1001, 1000)
        let keys = [AnimationKey(at: .zero, value: [0]), AnimationKey(at: second, value: [30_000_000])]
        let property = AnimatedProperty(keys: keys)
        // 30 frames of 30000/1001 fps: frame k shows k.
        for frame in 0...30 {
            #expect(property.value(at: try RationalTime(Int64(frame) * 1001, 30_000)) == [Double(frame)])
        }
    }

    @Test func extremesDoNotTrap() throws {
        let fractions = try [RationalTime(.max, 3), RationalTime(1, .max), RationalTime(.min, 7)]
        let ends = fractions + [RationalTime(whole: .min)]
        let keys = [AnimationKey(at: ends[3], value: [.min]), AnimationKey(at: ends[0], value: [.max, 4])]
        for time in ends { #expect(AnimatedProperty(keys: keys).value(at: time).count <= 2) }
        #expect(AnimatedProperty(keys: []).value(at: .zero).isEmpty)
    }

    @Test func canonicalForm() throws {
        let property = AnimatedProperty(keys: [
            AnimationKey(at: .zero, value: [1, -2]),
            AnimationKey(at: try RationalTime(1, 2), value: [3, 4], ease: .curve(.cubic, .out)),
        ])
        let data = try CanonicalJSON.data(property)
        let text = #"{"keys":[{"at":"0/1","value":[1,-2]},{"at":"1/2","ease":"outCubic","value":[3,4]}]}"#
        #expect(String(decoding: data, as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(AnimatedProperty.self, from: data) == property)
        let wrong = Data(#"{"at":"0/1","value":[1],"ease":"outcubic"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AnimationKey.self, from: wrong) }
    }

    @Test func constants() {
        #expect(AnimatedProperty(constant: [7]).isConstant)
        #expect(AnimatedProperty(constant: [1_500_000]).value(at: RationalTime(whole: 9)) == [1.5])
        #expect(!Self.way.isConstant)
    }
}
