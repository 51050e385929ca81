package import CompositionModel
import Timing

extension NestedSlice {
    /// The facts of the slice's pictures, as if they were the picture stream of a file.
    package var facts: VideoStreamFacts {
        VideoStreamFacts(
            streamIndex: 0,
            codec: NestedComposition.codec,
            profile: nil,
            width: size.width,
            height: size.height,
            pixelFormat: "yuv420p",
            pixelAspect: RationalTime(whole: 1),
            orientation: .upright,
            color: color,
            timeBase: frameRate.frameDuration,
            frameRate: frameRate,
            isVariableRate: false,
            frameCount: frameCount,
            duration: (try? frameRate.time(ofFrame: frameCount)) ?? .zero,
            keyframes: [0],
            language: nil,
            isDefault: true
        )
    }
}
