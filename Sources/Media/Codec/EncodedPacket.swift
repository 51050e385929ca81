public import Foundation

/// One coded picture, or one packet of coded sound.
public struct EncodedPacket: Sendable, Hashable {
    /// Frames of the segment for picture, samples for sound.
    public var pts: Int64
    /// Same unit; ascending, at most `pts`.
    public var dts: Int64
    /// Same unit.
    public var duration: Int64
    /// Decoding may start here.
    public var isKey: Bool
    public var data: Data

    public init(pts: Int64, dts: Int64, duration: Int64, isKey: Bool, data: Data) {
        self.pts = pts
        self.dts = dts
        self.duration = duration
        self.isKey = isKey
        self.data = data
    }
}
