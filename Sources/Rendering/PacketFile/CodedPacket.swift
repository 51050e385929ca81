package import Foundation

/// One coded packet of a packet file.
package struct CodedPacket: Sendable, Hashable {
    /// Its place in decode order, from 0.
    package var decodeIndex: Int64
    /// Frame number in display order from 0, or for sound the number of its first sample (negative while priming).
    package var displayIndex: Int64
    /// The duration in frames, which is 1, or in samples.
    package var duration: Int64
    /// Decoding may start here: an IDR or equivalent.
    package var isKey: Bool
    /// The coded bytes as the encoder gave them.
    package var data: Data

    package init(decodeIndex: Int64, displayIndex: Int64, duration: Int64, isKey: Bool, data: Data) {
        self.decodeIndex = decodeIndex
        self.displayIndex = displayIndex
        self.duration = duration
        self.isKey = isKey
        self.data = data
    }
}
