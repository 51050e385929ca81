package import Timing

// The progress of a source under a timeline.
// ```
// speed 2     timeline  0  1  2  3      speed −1   timeline  0  1  2  3      speed 0   timeline  0  1  2  3
//             source    0  2  4  6                 source    3  2  1  0                source    5  5  5  5
// ```

extension RationalTime {
    /// The source time `frames` frames after this one.
    /// - Parameter speed: The source seconds per second of the timeline; nil means 1.
    /// - Throws: ``TimeError/overflow`` when the time does not fit.
    package func advanced(
        by frames: Int64,
        of frameDuration: RationalTime,
        speed: RationalTime?
    ) throws(TimeError) -> RationalTime {
        guard let speed else { return try adding(RationalTime(frames, of: frameDuration)) }
        guard speed != .zero else { return self }
        return try adding(RationalTime(frames, of: frameDuration.multiplied(by: speed)))
    }

    /// The speed as the canonical form writes it: nil means 1.
    package var unlessOne: RationalTime? { self == RationalTime(whole: 1) ? nil : self }

    /// The absolute value.
    /// - Throws: ``TimeError/overflow`` when the numerator is `Int64.min`, which has no opposite.
    package func magnitude() throws(TimeError) -> RationalTime {
        isNegative ? try RationalTime.zero.subtracting(self) : self
    }
}

extension Limits {
    /// Whether a source may run at `speed`: 0, or ± ``speeds`` with parts of at most ``speedParts``.
    package static func allows(speed: RationalTime) -> Bool {
        guard speed != .zero else { return true }
        guard let size = try? speed.magnitude(), speeds.contains(size) else { return false }
        return size.numerator <= speedParts && size.denominator <= speedParts
    }
}

extension VideoStreamFacts {
    /// Whether the stream is a single picture from a picture file, which may be shown for any length of time.
    package var isStill: Bool { frameCount == 1 && VideoStreamFacts.pictureCodecs.contains(codec) }

    /// The names of codecs in picture files, as libavcodec has them, and our own name for drawn pictures.
    package static let pictureCodecs: Set = [
        GeneratedPicture.codec, "mjpeg", "png", "webp", "tiff", "bmp", "gif", "jpeg2000", "jpegls", "targa",
    ]
}
