public import Timing

// How a source runs under a timeline.
// ```
// speed 2     timeline  0  1  2  3      speed −1   timeline  0  1  2  3      speed 0   timeline  0  1  2  3
//             source    0  2  4  6                 source    3  2  1  0                source    5  5  5  5
// ```

extension RationalTime {
    /// The source time `frames` frames after this one.
    /// - Parameter speed: source seconds for a second of the timeline; nil is 1.
    public func advanced(
        by frames: Int64,
        of frameDuration: RationalTime,
        speed: RationalTime?
    ) throws(TimeError) -> RationalTime {
        guard let speed else { return try adding(RationalTime(frames, of: frameDuration)) }
        guard speed != .zero else { return self }
        return try adding(RationalTime(frames, of: frameDuration.multiplied(by: speed)))
    }

    /// Nil for 1: how the canonical form writes a speed.
    package var unlessOne: RationalTime? { self == RationalTime(whole: 1) ? nil : self }

    /// Without its sign.
    /// - Throws: ``TimeError/overflow`` for the one number that has no opposite.
    public func magnitude() throws(TimeError) -> RationalTime {
        isNegative ? try RationalTime.zero.subtracting(self) : self
    }
}

extension Limits {
    /// Whether `speed` is one that a source may run at: 0 and ± ``speeds``, as a fraction of small parts.
    public static func allows(speed: RationalTime) -> Bool {
        guard speed != .zero else { return true }
        guard let size = try? speed.magnitude(), speeds.contains(size) else { return false }
        return size.numerator <= speedParts && size.denominator <= speedParts
    }
}

extension VideoStreamFacts {
    /// Whether it is one picture from a file of pictures, which may be seen for as long as one likes.
    public var isStill: Bool { frameCount == 1 && VideoStreamFacts.pictureCodecs.contains(codec) }

    /// libavcodec's names of what picture files hold, and our own of what is drawn.
    public static let pictureCodecs: Set = [
        GeneratedPicture.codec, "mjpeg", "png", "webp", "tiff", "bmp", "gif", "jpeg2000", "jpegls", "targa",
    ]
}
