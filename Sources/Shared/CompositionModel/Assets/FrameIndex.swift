public import Timing

/// Every packet of one picture stream, in decode order, as one pass over the file found them.
///
/// It answers the one question a renderer asks: which packets must be decoded to see the frame at this source time.
public struct FrameIndex: Sendable, Hashable, Codable {
    public static let currentVersion = 1

    /// One packet. Times are in ticks of ``timeBase``, on the file's own clock.
    public struct Entry: Sendable, Hashable, Codable {
        public var pts: Int64
        public var dts: Int64
        /// Byte position in the file, −1 when the container does not tell.
        public var position: Int64
        /// The demuxer calls it a keyframe.
        public var isKey: Bool
        /// Decoding may start here and every frame shown from here on is right: IDR by NAL type, or a keyframe of a
        /// codec that has no open GOP.
        public var isEntryPoint: Bool
        /// The edit list hides it: decoded, never shown.
        public var isDiscarded: Bool

        public init(
            pts: Int64,
            dts: Int64,
            position: Int64,
            isKey: Bool,
            isEntryPoint: Bool,
            isDiscarded: Bool
        ) {
            self.pts = pts
            self.dts = dts
            self.position = position
            self.isKey = isKey
            self.isEntryPoint = isEntryPoint
            self.isDiscarded = isDiscarded
        }
    }

    public var version: Int
    public var streamIndex: Int
    public var timeBase: RationalTime
    /// File pts that is source time zero of the asset.
    public var origin: Int64
    /// At a constant rate (see ``VideoStreamFacts/frameRate``): shown frame n is on screen for
    /// [n, n + 1) × this. Nil at a variable rate: it is on screen from `shown[n]` to `shown[n + 1]`.
    public var constantFrameDuration: RationalTime?
    /// In decode order.
    public var packets: [Entry]
    /// Pts of the shown frames, ascending.
    public var shown: [Int64]
    /// Pts at which the last shown frame ends.
    public var endPts: Int64

    public init(
        streamIndex: Int,
        timeBase: RationalTime,
        origin: Int64,
        constantFrameDuration: RationalTime?,
        packets: [Entry],
        shown: [Int64],
        endPts: Int64
    ) {
        version = FrameIndex.currentVersion
        self.streamIndex = streamIndex
        self.timeBase = timeBase
        self.origin = origin
        self.constantFrameDuration = constantFrameDuration
        self.packets = packets
        self.shown = shown
        self.endPts = endPts
    }
}
