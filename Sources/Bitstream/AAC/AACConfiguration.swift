/// The AudioSpecificConfig of an AAC stream (ISO/IEC 14496-3, 1.6.2.1), as far as copying packets asks for it.
package struct AACConfiguration: Sendable, Hashable {
    /// The sampling frequencies in Hz, by samplingFrequencyIndex (table 1.18).
    package static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    /// audioObjectType: 2 is AAC LC.
    package var objectType: Int
    /// The sampling frequency of the core in Hz.
    package var sampleRate: Int
    /// channelConfiguration: 1 is mono, 2 stereo; 0 says that the packets name their channels.
    package var channelConfiguration: Int
    /// Whether a packet holds 960 samples and not 1024.
    package var isShortFrame: Bool
    /// Whether the header announces spectral band replication.
    package var hasBandReplication: Bool

    /// Reads the bytes of the header.
    /// - Throws: ``BitstreamError`` when they end early.
    package init(_ bytes: ArraySlice<UInt8>) throws(BitstreamError) {
        var reader = BitReader(Array(bytes))
        func bits(_ count: Int, _ element: String) throws(BitstreamError) -> Int {
            guard let value = reader.bits(count) else {
                throw BitstreamError(.truncated, element: element, bit: reader.position)
            }
            return value
        }
        func type() throws(BitstreamError) -> Int {
            let type = try bits(5, "audioObjectType")
            return type == 31 ? 32 + (try bits(6, "audioObjectTypeExt")) : type
        }
        func rate() throws(BitstreamError) -> Int {
            let index = try bits(4, "samplingFrequencyIndex")
            if index == 15 { return try bits(24, "samplingFrequency") }
            guard AACConfiguration.sampleRates.indices.contains(index) else {
                throw BitstreamError(.outOfRange(index), element: "samplingFrequencyIndex", bit: reader.position)
            }
            return AACConfiguration.sampleRates[index]
        }
        objectType = try type()
        sampleRate = try rate()
        channelConfiguration = try bits(4, "channelConfiguration")
        hasBandReplication = objectType == 5 || objectType == 29
        if hasBandReplication {
            _ = try rate()
            objectType = try type()
        }
        isShortFrame = try bits(1, "frameLengthFlag") == 1
        if try bits(1, "dependsOnCoreCoder") == 1 { _ = try bits(14, "coreCoderDelay") }
        _ = try bits(1, "extensionFlag")
        // Backward compatible signalling (1.6.6.1).
        guard !hasBandReplication, channelConfiguration != 0, reader.bits(11) == 0x2B7, reader.bits(5) == 5 else {
            return
        }
        hasBandReplication = reader.bits(1) == 1
    }

    /// Whether the packets decode to 1024 samples of the core's rate: AAC LC without spectral band replication.
    package var isPlain: Bool { objectType == 2 && !isShortFrame && !hasBandReplication }
}
