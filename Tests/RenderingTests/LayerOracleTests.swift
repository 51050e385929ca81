import Foundation
import Rendering
import TestSupport
import Testing

/// A clip with all words that move it, against the formulas of docs/design/picture.md in Double, pixel by pixel.
@Suite struct LayerOracleTests {
    /// Lengths are pixels, angles degrees.
    struct Place: Sendable {
        var position = [160.0, 90.0]
        var anchor = [160.0, 90.0]
        var scale = [1.0, 1.0]
        var skew = [0.0, 0.0]
        var rotate = 0.0
        var rotateY = 0.0

        var words: String {
            "\"position\": \(position), \"anchor\": \(anchor), \"scale\": \(scale), \"skew\": \(skew), "
                + "\"rotate\": \(rotate), \"rotateY\": \(rotateY)"
        }

        /// The point of the clip that is seen at (x, y) of the frame.
        func source(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
            var (u, v) = (x - position[0], y - position[1])
            // The eye is as far away as the frame is wide: u′ = u cos β / (1 + u sin β / d).
            let (sine, cosine) = (sin(radians(rotateY)) / 320, cos(radians(rotateY)))
            u = u / (cosine - u * sine)
            v *= 1 + u * sine
            let (turnSine, turnCosine) = (sin(radians(rotate)), cos(radians(rotate)))
            (u, v) = (turnCosine * u + turnSine * v, -turnSine * u + turnCosine * v)
            let (x, y) = (tan(radians(skew[0])), tan(radians(skew[1])))
            (u, v) = ((u - x * v) / (1 - x * y), (v - y * u) / (1 - x * y))
            return (u / scale[0] + anchor[0], v / scale[1] + anchor[1])
        }
    }

    /// A plane is a plane however it is interpolated.
    private static func value(_ x: Double, _ y: Double) -> Double { 30 + (x - 0.5) * 0.25 + (y - 0.5) * 0.6 }

    @Test(arguments: [
        Place(), Place(position: [121.3, 77.6]), Place(position: [100, 60], anchor: [20, 30], scale: [0.5, 0.35]),
        Place(scale: [-1.4, 2]), Place(rotate: 30), Place(anchor: [300, 10], scale: [0.8, 1.3], rotate: -111),
        Place(skew: [20, 0]), Place(skew: [-10, 25], rotate: 15), Place(rotateY: 40),
        Place(position: [150, 100], anchor: [100, 50], scale: [1.2, 0.9], skew: [5, -8], rotate: 200, rotateY: -35),
    ])
    func everyPixelIsWhereItsWordsPutIt(place: Place) async throws {
        let folder = try TemporaryFolder()
        let filter = "color=black:size=320x180:rate=25,format=yuv420p,geq=lum='30+X*0.25+Y*0.6':cb=128:cr=128"
        let codec = ["-frames:v", "5", "-c:v", "libx264", "-qp", "0"] + TestPattern.bt709
        let movie = try await TestMovie.make("plane.mp4", in: folder, ["-f", "lavfi", "-i", filter] + codec)
        let clip = "{ \"asset\": \"a\", \"duration\": \"1f\", \(place.words) }"
        let edit = try EditCase("{ \"kind\": \"video\", \"segments\": [ \(clip) ] }", ["a": movie])
        let luma = try edit.compositor().picture(at: 0).samples(0)
        var (worst, inside) = (0.0, 0)
        for y in 0..<180 {
            for x in 0..<320 {
                let from = place.source(Double(x) + 0.5, Double(y) + 0.5)
                let depth = [from.x, 320 - from.x, from.y, 180 - from.y].min() ?? 0
                let seen = Double(luma[320 * y + x])
                if depth > 6 {
                    worst = max(worst, abs(seen - LayerOracleTests.value(from.x, from.y)))
                    inside += 1
                } else if depth < -4 {
                    worst = max(worst, abs(seen - 16))
                }
            }
        }
        // The picture's own whole values, and the frame's.
        #expect(worst < 1.9 && inside > 5000)
    }
}
