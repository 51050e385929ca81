import Foundation
import Testing

@testable import CompositionModel

@Suite struct RetimeCurveTests {
    /// Over 100,000 frames.
    @Test(
        arguments: [
            ([0, 10], [0, 10_000_000], true), ([0, 10], [0, -10_000_000], true), ([0], [0], true),
            // Straight on past its last number it would leave Int64.
            ([0, 1, 2], [0, 1, 7_200_000_000_000_000], false),
            // Between its numbers no frame's way is whole: cut in two it would not be what it was.
            ([0, 10], [0, 8_000_007], false),
            ([0, 0], [0, 1], false), ([1, 2], [0, 1], false), ([0, 200_000], [0, 200_000], false),
            ([0, 1], [0], false),
            ([], [], false),
        ] as [([Int64], [Int64], Bool)]
    )
    func whatCannotBeCountedIsNotSound(frames: [Int64], progress: [Int64], expected: Bool) {
        #expect(RetimeCurve(frames: frames, progress: progress).isSound(over: 100_000) == expected)
    }

    @Test func aCutCurveGoesOnAsItWas() {
        let curve = RetimeCurve(frames: [0, 10, 11, 30], progress: [0, 10_000_000, 11_234_567, 30_234_567])
        #expect(curve.isSound(over: 50))
        for cut in Int64(0)..<45 {
            let rest = curve.advanced(by: cut)
            for frame in cut..<50 {
                #expect(rest.progress(at: frame - cut) == curve.progress(at: frame) - curve.progress(at: cut))
            }
        }
    }

    /// Parts of a part, which share the numbers of the whole, are what the same parts with numbers of their own are.
    @Test func partsAreCurvesOfTheirOwn() throws {
        let curve = RetimeCurve(frames: [0, 10, 11, 30], progress: [0, 10_000_000, 11_234_567, 30_234_567])
        for first in Int64(0)..<34 {
            let part = curve.advanced(by: first)
            let own = RetimeCurve(frames: part.frames, progress: part.progress)
            #expect(own == part && own.hashValue == part.hashValue && own.count == part.count)
            #expect(try JSONDecoder().decode(RetimeCurve.self, from: try JSONEncoder().encode(part)) == own)
            #expect(part.frames.first == 0 && part.progress.first == 0)
            for second in Int64(0)..<34 {
                #expect(part.advanced(by: second) == own.advanced(by: second))
                #expect(part.advanced(by: second) == curve.advanced(by: first + second), "\(first) + \(second)")
                let trimmed = part.trimmed(to: second + 1)
                #expect(trimmed == own.trimmed(to: second + 1))
                for frame in 0...second + 1 { #expect(trimmed.progress(at: frame) == part.progress(at: frame)) }
            }
        }
        #expect(curve.advanced(by: 3) != curve.advanced(by: 4))
    }
}
