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
    /// The header with which the packet was coded: 0 is the file's ``PacketFileHeader/extradata``, others are counted
    /// from 1 in ``PacketFileHeader/copied``.
    package var headerNumber = 0
    /// The coded bytes as the encoder gave them, or as they were copied.
    package var data: Data

    package init(
        decodeIndex: Int64,
        displayIndex: Int64,
        duration: Int64,
        isKey: Bool,
        headerNumber: Int = 0,
        data: Data
    ) {
        self.headerNumber = headerNumber
        self.decodeIndex = decodeIndex
        self.displayIndex = displayIndex
        self.duration = duration
        self.isKey = isKey
        self.data = data
    }
}
