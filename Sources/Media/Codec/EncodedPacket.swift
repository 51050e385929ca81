package import Foundation

/// One coded picture, or one packet of coded sound.
package struct EncodedPacket: Sendable, Hashable {
    /// The frame of the segment, or for sound the number of the first sample.
    package var pts: Int64
    /// The place in decode order, in the unit of `pts`; ascending, at most `pts`.
    package var dts: Int64
    /// The duration in the unit of `pts`.
    package var duration: Int64
    /// Decoding may start here.
    package var isKey: Bool
    /// The coded bytes.
    package var data: Data

    package init(pts: Int64, dts: Int64, duration: Int64, isKey: Bool, data: Data) {
        self.pts = pts
        self.dts = dts
        self.duration = duration
        self.isKey = isKey
        self.data = data
    }
}
