package import Timing

/// Every packet of one picture stream, in decode order, as one pass over the file found them.
///
/// It answers the renderer's question: which packets must be decoded to show the frame at a given source time.
package struct FrameIndex: Sendable, Hashable, Codable {
    /// The version of this format; an index file of another version is not read.
    package static let currentVersion = 1

    /// One packet. Times are in ticks of ``timeBase``, by the file's own clock.
    package struct Entry: Sendable, Hashable, Codable {
        /// The presentation time in ticks.
        package var pts: Int64
        /// The decoding time in ticks.
        package var dts: Int64
        /// The position in the file in bytes; −1 when the container does not state it.
        package var position: Int64
        /// Whether the demuxer marks the packet as a keyframe.
        package var isKey: Bool
        /// Whether decoding may start here, so that every frame shown from here on is right: the packet is IDR by its
        /// NAL type, or a keyframe of a codec without open GOPs.
        package var isEntryPoint: Bool
        /// Whether the edit list hides the picture: it is decoded and never shown.
        package var isDiscarded: Bool

        package init(
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

    package var version: Int
    /// The stream's index in libavformat.
    package var streamIndex: Int
    /// The seconds per tick of pts and dts.
    package var timeBase: RationalTime
    /// The pts in the file at source time 0 of the asset, in ticks.
    package var origin: Int64
    /// The length of a frame at a constant rate (see ``VideoStreamFacts/frameRate``): shown frame n is on screen for
    /// [n, n + 1) × this. nil means a variable rate: shown frame n is on screen from `shown[n]` to `shown[n + 1]`.
    package var constantFrameDuration: RationalTime?
    /// The packets in decode order.
    package var packets: [Entry]
    /// The pts of the shown frames in ticks, ascending.
    package var shown: [Int64]
    /// The pts at which the last shown frame ends, in ticks.
    package var endPts: Int64

    package init(
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
