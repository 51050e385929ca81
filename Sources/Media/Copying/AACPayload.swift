import Bitstream

/// A packet of AAC without the header that it has in a stream without tables.
struct AACPayload {
    /// raw_data_block().
    let bytes: UnsafeRawBufferPointer
    let header: ADTSFrame?

    /// - Parameters:
    ///   - packet: lives longer than this.
    ///   - hasHeader: whether the stream has no AudioSpecificConfig.
    /// - Returns: nil where there is no header, or one of several blocks.
    init?(_ packet: UnsafeRawBufferPointer, hasHeader: Bool) {
        guard hasHeader else {
            (bytes, header) = (packet, nil)
            return
        }
        guard let header = ADTSFrame(packet), header.blockCount == 1 else { return nil }
        self.header = header
        bytes = UnsafeRawBufferPointer(rebasing: packet[header.headerCount...])
    }
}
