import Pixels
import Testing

@Suite struct ProjectionTests {
    private let samples: [Projection] = [
        .identity, .translation(x: 3.5, y: -2), .scale(x: -2, y: 0.25), .skew(tangentX: 0.3, tangentY: -0.1),
        .rotation(sin: 0.6, cos: 0.8), .tilt(x: (0.6, 0.8), y: (-0.28, 0.96), distance: 900),
        .translation(x: 40, y: 30) * .tilt(x: (0, 1), y: (0.8, 0.6), distance: 300) * .scale(x: 2, y: 3),
    ]

    @Test func theInverseLeadsBack() throws {
        for projection in samples {
            let back = try #require(projection.inverse)
            for (u, v) in [(0.0, 0.0), (10, 3), (-7, 25), (64, 48)] {
                let there = try #require(projection(u, v))
                let here = try #require(back(there.x, there.y))
                #expect(abs(here.x - u) < 1e-9 && abs(here.y - v) < 1e-9)
            }
        }
    }

    @Test func theSecondFactorIsAppliedFirst() throws {
        let product = Projection.translation(x: 10, y: 0) * .scale(x: 2, y: 2)
        #expect(try #require(product(3, 4)) == (16, 8))
    }

    @Test func aQuarterTurnIsClockwise() throws {
        #expect(try #require(Projection.rotation(sin: 1, cos: 0)(1, 0)) == (0, 1))
    }

    /// CSS Transforms 2 §11: rotateY(30°) with perspective 100 takes (50, 0) to 50·cos / (1 + 50·sin / 100).
    @Test func aTiltIsThatOfCSS() throws {
        let cosine = 0.75.squareRoot()
        let tilt = Projection.tilt(x: (0, 1), y: (0.5, cosine), distance: 100)
        let right = try #require(tilt(50, 0))
        #expect(abs(right.x - 50 * cosine / 1.25) < 1e-12)
        let left = try #require(tilt(-50, 0))
        #expect(abs(left.x + 50 * cosine / 0.75) < 1e-12)
    }

    @Test func whatIsEdgeOnHasNoInverse() {
        #expect(Projection.scale(x: 0, y: 1).inverse == nil)
        #expect(Projection.tilt(x: (0, 1), y: (1, 0), distance: 500).inverse == nil)
        #expect(Projection.scale(x: .nan, y: 1).inverse == nil)
        #expect(Projection.scale(x: .infinity, y: 1).inverse == nil)
    }

    @Test func nothingIsSeenBehindTheEye() {
        #expect(Projection.tilt(x: (0, 1), y: (-1, 0), distance: 100)(101, 0) == nil)
    }
}
