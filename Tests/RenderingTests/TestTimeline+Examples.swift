import CompositionModel
import Foundation
import Planning
import Rendering
import TestSupport
import Timing

extension TestTimeline {
    /// 62 frames of two clips with a dissolve, a hole, and a fitted clip over the first one.
    /// ```
    /// 0        15      25        40    45          62
    /// | A      | A→B   | B       | hole | A, C on it |
    /// ```
    static func example(
        rate text: (Int64, Int64) = (25, 1),
        encoding: VideoEncoding = .testLossless
    ) async throws -> TestTimeline {
        let rate = try FrameRate(text.0, text.1)
        let movies = try await ExampleMovies.shared.movies(rate: "\(text.0)/\(text.1)")
        func source(_ asset: Int, _ frame: Int64, _ fit: Fit = .contain) throws -> SliceSource {
            try SliceSource(asset, frame: frame, rate: rate, fit: fit)
        }
        let ramp = TransitionRamp(firstStep: 0, steps: 10)
        return TestTimeline(
            movies: movies,
            size: PictureSize(width: 320, height: 180),
            rate: rate,
            frameCount: 62,
            encoding: encoding,
            instructions: [
                SliceInstruction(0..<15, SliceLayer(from: try source(0, 30))),
                SliceInstruction(15..<25, SliceLayer(from: try source(0, 45), to: try source(1, 3), transition: ramp)),
                SliceInstruction(25..<40, SliceLayer(from: try source(1, 13))),
                SliceInstruction(40..<45),
                SliceInstruction(
                    45..<62,
                    SliceLayer(from: try source(0, 0)),
                    SliceLayer(from: try source(2, 5, .none))
                ),
            ]
        )
    }
}
