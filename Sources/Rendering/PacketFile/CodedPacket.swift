public import Foundation

/// One coded packet of a packet file.
public struct CodedPacket: Sendable, Hashable {
    /// Its place in decode order, from 0.
    public var decodeIndex: Int64
    /// Frame number in display order from 0, or for sound the number of its first sample (negative while priming).
    public var displayIndex: Int64
    /// The duration in frames, which is 1, or in samples.
    public var duration: Int64
    /// Decoding may start here: an IDR or equivalent.
    public var isKey: Bool
    /// The coded bytes as the encoder gave them.
    public var data: Data

    public init(decodeIndex: Int64, displayIndex: Int64, duration: Int64, isKey: Bool, data: Data) {
        self.decodeIndex = decodeIndex
        self.displayIndex = displayIndex
        self.duration = duration
        self.isKey = isKey
        self.data = data
    }
}
