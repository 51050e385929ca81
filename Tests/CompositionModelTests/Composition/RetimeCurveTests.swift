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
}
