import Foundation
import Testing

@testable import Timing

/// Against the formulas as https://easings.net prints them, in Foundation's functions.
@Suite struct EasingTests {
    private static let progress = (0...200).map { Double($0) / 200 }

    private static let published: [(name: String, formula: @Sendable (Double) -> Double)] = [
        ("linear", { $0 }),
        ("inSine", { 1 - cos($0 * .pi / 2) }),
        ("outSine", { sin($0 * .pi / 2) }),
        ("inOutSine", { -(cos(.pi * $0) - 1) / 2 }),
        ("inQuad", { $0 * $0 }),
        ("outQuad", { 1 - pow(1 - $0, 2) }),
        ("inOutQuad", { $0 < 0.5 ? 2 * $0 * $0 : 1 - pow(-2 * $0 + 2, 2) / 2 }),
        ("inCubic", { pow($0, 3) }),
        ("outCubic", { 1 - pow(1 - $0, 3) }),
        ("inOutCubic", { $0 < 0.5 ? 4 * pow($0, 3) : 1 - pow(-2 * $0 + 2, 3) / 2 }),
        ("inQuart", { pow($0, 4) }),
        ("outQuart", { 1 - pow(1 - $0, 4) }),
        ("inOutQuart", { $0 < 0.5 ? 8 * pow($0, 4) : 1 - pow(-2 * $0 + 2, 4) / 2 }),
        ("inQuint", { pow($0, 5) }),
        ("outQuint", { 1 - pow(1 - $0, 5) }),
        ("inOutQuint", { $0 < 0.5 ? 16 * pow($0, 5) : 1 - pow(-2 * $0 + 2, 5) / 2 }),
        ("inExpo", { $0 == 0 ? 0 : pow(2, 10 * $0 - 10) }),
        ("outExpo", { $0 == 1 ? 1 : 1 - pow(2, -10 * $0) }),
        (
            "inOutExpo",
            { x in
                if x == 0 || x == 1 { return x }
                return x < 0.5 ? pow(2, 20 * x - 10) / 2 : (2 - pow(2, -20 * x + 10)) / 2
            }
        ),
        ("inCirc", { 1 - sqrt(1 - pow($0, 2)) }),
        ("outCirc", { sqrt(1 - pow($0 - 1, 2)) }),
        (
            "inOutCirc",
            { x in
                x < 0.5 ? (1 - sqrt(1 - pow(2 * x, 2))) / 2 : (sqrt(1 - pow(-2 * x + 2, 2)) + 1) / 2
            }
        ),
        ("inBack", { 2.70158 * pow($0, 3) - 1.70158 * $0 * $0 }),
        ("outBack", { 1 + 2.70158 * pow($0 - 1, 3) + 1.70158 * pow($0 - 1, 2) }),
        (
            "inOutBack",
            { x in
                let c = 1.70158 * 1.525
                return x < 0.5
                    ? pow(2 * x, 2) * ((c + 1) * 2 * x - c) / 2
                    : (pow(2 * x - 2, 2) * ((c + 1) * (x * 2 - 2) + c) + 2) / 2
            }
        ),
        ("inElastic", { x in x == 0 || x == 1 ? x : -pow(2, 10 * x - 10) * sin((x * 10 - 10.75) * 2 * .pi / 3) }),
        ("outElastic", { x in x == 0 || x == 1 ? x : pow(2, -10 * x) * sin((x * 10 - 0.75) * 2 * .pi / 3) + 1 }),
        (
            "inOutElastic",
            { x in
                if x == 0 || x == 1 { return x }
                let swing = sin((20 * x - 11.125) * 2 * .pi / 4.5)
                return x < 0.5 ? -(pow(2, 20 * x - 10) * swing) / 2 : pow(2, -20 * x + 10) * swing / 2 + 1
            }
        ),
        ("inBounce", { 1 - bounceOut(1 - $0) }),
        ("outBounce", { bounceOut($0) }),
        ("inOutBounce", { $0 < 0.5 ? (1 - bounceOut(1 - 2 * $0)) / 2 : (1 + bounceOut(2 * $0 - 1)) / 2 }),
    ]

    private static func bounceOut(_ x: Double) -> Double {
        let (n, d) = (7.5625, 2.75)
        if x < 1 / d { return n * x * x }
        if x < 2 / d { return n * pow(x - 1.5 / d, 2) + 0.75 }
        if x < 2.5 / d { return n * pow(x - 2.25 / d, 2) + 0.9375 }
        return n * pow(x - 2.625 / d, 2) + 0.984375
    }

    @Test func thereAreThirtyTwoNames() {
        #expect(Set(Easing.named.map(\.name)) == Set(Self.published.map(\.name) + ["hold"]))
        for easing in Easing.named { #expect(Easing(easing.name) == easing) }
    }

    @Test func formulasAreThePublishedOnes() throws {
        for (name, formula) in Self.published {
            let easing = try #require(Easing(name))
            for x in Self.progress { #expect(abs(easing.value(at: x) - formula(x)) < 1e-12, "\(name) at \(x)") }
        }
    }

    @Test func everyEaseBeginsAndEnds() throws {
        let bezier = try #require(Easing("cubicBezier(0.3, -2, 0.1, 4)"))
        for easing in Easing.named + [bezier] {
            #expect([-1, 0].map(easing.value) == [0, 0])
            #expect([1, 7].map(easing.value) == [1, 1])
        }
        #expect(Easing.hold.value(at: 0.999999) == 0)
    }

    @Test func bezierIsCSS() throws {
        // The curve by its parameter: at s the abscissa and the ordinate are known.
        let ease = try #require(Easing("cubicBezier(0.25,0.1,0.25,1)"))
        for s in Self.progress.dropFirst().dropLast() {
            let (u, v) = (3 * (1 - s) * (1 - s) * s, 3 * (1 - s) * s * s)
            let (x, y) = (u * 0.25 + v * 0.25 + s * s * s, u * 0.1 + v + s * s * s)
            #expect(abs(ease.value(at: x) - y) < 1e-12, "\(s)")
        }
        let straight = try #require(Easing("cubicBezier(0.2,0.2,0.7,0.7)"))
        for x in Self.progress { #expect(abs(straight.value(at: x) - x) < 1e-12) }
    }

    @Test func bezierText() throws {
        #expect(Easing("cubicBezier( .25,0,1,1)") == nil)
        #expect(Easing("cubicBezier(0.250, 0.1 ,0.25,1.0)")?.name == "cubicBezier(0.25,0.1,0.25,1)")
        for wrong in [
            "cubicBezier(0,0,1)", "cubicBezier(0,0,1,1,1)", "cubicBezier(0,0,,1)", "cubicBezier(1.1,0,1,1)",
            "cubicBezier(0,0,-0.1,1)", "cubicBezier(0,11,1,1)", "cubicBezier(0,0,1,1", "ease", "OutCubic", "",
        ] {
            #expect(Easing(wrong) == nil, "\(wrong)")
        }
    }
}
