import Bitstream
import CompositionModel
import Media
import Timing

/// What every SPS of a movie with copied pictures says of how its pictures are shown, and what it asks of a decoder.
struct TrackSignalling {
    let color: ColorDescription
    let frameRate: FrameRate
    let pixelAspect: RationalTime
    /// The largest reorder delay of all parts, in frames.
    let reorderDelay: Int
    /// The largest of all parts, in bits per second; 0 when it is not known.
    let bitRate: Int

    /// Frames per second, rounded up.
    var framesPerSecond: Int { Int((frameRate.numerator + frameRate.denominator - 1) / frameRate.denominator) }

    var aspectRatio: AspectRatio {
        AspectRatio(width: Int(pixelAspect.numerator), height: Int(pixelAspect.denominator))
    }

    /// The code points of ITU-T H.273.
    var videoSignal: VideoSignal {
        let points = color.codePoints
        return VideoSignal(
            isFullRange: color.isFullRange,
            colour: .init(primaries: points.primaries, transfer: points.transfer, matrix: points.matrix)
        )
    }
}
