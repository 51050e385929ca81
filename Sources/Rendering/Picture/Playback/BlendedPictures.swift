import CompositionModel
import Media
import Pixels
import Timing

/// The pictures of a stream with those between two frames: the mean of both, weighed by the exact part of the way from
/// the start of the one to the start of the other.
/// ```
/// frames   A       B       C
/// time     |   ▲   |           at ▲, halfway: A / 2 + B / 2
/// ```
/// They are of 8 bits, in the frame's colour, as large as the source's.
final class BlendedPictures: TimedPictures {
    private let source: any TimedPictures
    private let stream: VideoStreamFacts
    private let color: ColorDescription
    private let converter = PictureConverter()
    /// The two frames that were shown last, by number: each is asked for again until the time has passed it.
    private var recent: [(frame: Int64, picture: Picture)] = []

    init(_ source: any TimedPictures, stream: VideoStreamFacts, color: ColorDescription) {
        self.source = source
        self.stream = stream
        self.color = color
    }

    func picture(at time: RationalTime, direction: PictureReader.Direction) throws -> Picture {
        var frame = try stream.frame(shownAt: time)
        var start = try stream.time(ofFrame: frame)
        // At a variable rate a frame is shown up to a tick early: that is still on the way to it.
        if start > time, frame > 0 {
            frame -= 1
            start = try stream.time(ofFrame: frame)
        }
        guard time > start, frame + 1 < stream.frameCount else { return try shown(frame, direction) }
        let weight = try time.subtracting(start).divided(by: stream.time(ofFrame: frame + 1).subtracting(start))
        // Backwards the later one is read first.
        let later = direction == .backwards ? try shown(frame + 1, direction) : nil
        let first = try shown(frame, direction)
        let second = try later ?? shown(frame + 1, direction)
        return try mean(first, second, BlendWeight(nearest: weight))
    }

    private func shown(_ frame: Int64, _ direction: PictureReader.Direction) throws -> Picture {
        if let known = recent.first(where: { $0.frame == frame }) { return known.picture }
        let decoded = try source.picture(at: stream.time(ofFrame: frame), direction: direction)
        let seenThrough = try stream.isSurelyOpaque ? nil : converter.keepingAlpha(decoded, color: color)
        let picture =
            try seenThrough ?? converter.convert(decoded, toWidth: decoded.width, height: decoded.height, color: color)
        recent = Array(recent.suffix(1)) + [(frame, picture)]
        return picture
    }

    /// Both with alpha where one has it.
    private func alike(_ first: Picture, _ second: Picture) throws(MediaError) -> (Picture, Picture) {
        if first.pixelFormat == second.pixelFormat { return (first, second) }
        let format = first.pixelFormat.hasAlpha ? first.pixelFormat : second.pixelFormat
        func made(_ picture: Picture) throws(MediaError) -> Picture {
            try converter.convert(picture, to: format, width: picture.width, height: picture.height, color: color)
        }
        return (try made(first), try made(second))
    }

    private func mean(_ first: Picture, _ second: Picture, _ weight: BlendWeight) throws(MediaError) -> Picture {
        guard first.size == second.size else { return first }
        let (first, second) = try alike(first, second)
        let target = try MutablePicture(
            width: first.width,
            height: first.height,
            pixelFormat: first.pixelFormat,
            color: color
        )
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in
                first.withPlane(index) { first in
                    second.withPlane(index) { second in
                        view.plane.blend(first.plane, second.plane, weight: weight)
                    }
                }
            }
        }
        guard target.planeCount == 4 else { return try target.freeze() }
        for index in 0..<3 { weighByAlpha(index, of: first, second, weight, into: target) }
        return try target.freeze()
    }

    /// What cannot be seen has no colour that could shine through.
    private func weighByAlpha(
        _ index: Int,
        of first: Picture,
        _ second: Picture,
        _ weight: BlendWeight,
        into target: MutablePicture
    ) {
        target.withMutablePlane(index) { view in
            first.withPlane(index) { from in
                second.withPlane(index) { to in
                    first.withPlane(3) { fromAlpha in
                        second.withPlane(3) { toAlpha in
                            view.plane.blend(
                                from.plane,
                                to.plane,
                                alpha: fromAlpha.plane,
                                toAlpha.plane,
                                weight: weight
                            )
                        }
                    }
                }
            }
        }
    }
}

extension BlendWeight {
    /// - Parameter part: 0 … 1.
    fileprivate init(nearest part: RationalTime) {
        let whole = Int128(part.denominator)
        let value = (Int128(part.numerator) * 65536 * 2 + whole) / (2 * whole)
        self.init(value: UInt32(clamping: min(max(value, 0), 65536)))
    }
}
