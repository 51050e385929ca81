/// The header before a packet of AAC in a stream without tables: adts_frame() of ISO/IEC 14496-3, 1.A.2.2.
package struct ADTSFrame: Sendable, Hashable {
    /// audioObjectType: 2 is AAC LC.
    package var objectType: Int
    /// The sampling frequency in Hz.
    package var sampleRate: Int
    /// channel_configuration.
    package var channelConfiguration: Int
    /// The bytes of the header, with its checksum where it has one.
    package var headerCount: Int
    /// raw_data_blocks of the frame.
    package var blockCount: Int

    /// Reads the header at the start of `bytes`.
    /// - Returns: nil where `bytes` begin with no such header, or are not one frame.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 7 else { return nil }
        var reader = BitReader(Array(bytes.prefix(7)))
        guard reader.bits(12) == 0xFFF, reader.bits(1) != nil, reader.bits(2) == 0,
            let hasNoChecksum = reader.bits(1), let profile = reader.bits(2), let rate = reader.bits(4),
            AACConfiguration.sampleRates.indices.contains(rate), reader.bits(1) != nil, let channels = reader.bits(3),
            reader.bits(4) != nil, reader.bits(13) == bytes.count, reader.bits(11) != nil, let blocks = reader.bits(2)
        else { return nil }
        objectType = profile + 1
        sampleRate = AACConfiguration.sampleRates[rate]
        channelConfiguration = channels
        headerCount = hasNoChecksum == 1 ? 7 : 9
        blockCount = blocks + 1
        guard bytes.count > headerCount else { return nil }
    }
}
