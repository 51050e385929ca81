/// Writes a packet of AAC LC under long windows (ISO/IEC 14496-3, 4.4.2).
///
/// Such a packet may have any window and any precision, which no encoder can be asked for.
package struct AACPacketWriter: Sendable {
    /// The quantised spectrum of a channel.
    package struct Channel: Sendable {
        /// A window of one transform.
        package var window: AACWindow
        /// The scale factor of each band, 0 … 255; no two differ by more than ``AACPacketWriter/mostStep``.
        package var scaleFactors: [Int]
        /// The coefficients, −8191 … 8191.
        package var coefficients: [Int]

        package init(window: AACWindow, scaleFactors: [Int], coefficients: [Int]) {
            (self.window, self.scaleFactors, self.coefficients) = (window, scaleFactors, coefficients)
        }
    }

    /// The most by which the scale factors of two bands may differ.
    package static let mostStep = 60
    /// The largest magnitude of a coefficient.
    package static let largest = 8191

    private let configuration: AACChannelConfiguration
    /// The first coefficient of each band and, last, one past all.
    private let offsets: [Int]

    package init(_ configuration: AACChannelConfiguration, _ bands: AACBands) {
        (self.configuration, offsets) = (configuration, bands.long)
    }

    /// The packet.
    /// - Parameter channels: in the order of the elements.
    /// - Throws: ``BitstreamError`` for values that cannot be written.
    package func packet(_ channels: [Channel]) throws(BitstreamError) -> [UInt8] {
        var writer = BitWriter()
        var rest = channels[...]
        for (element, tag) in zip(configuration.elements, configuration.tags) {
            writer.write(element.rawValue, bits: 3)
            writer.write(tag, bits: 4)
            let own = rest.prefix(element.channelCount)
            rest = rest.dropFirst(element.channelCount)
            try write(own, to: &writer)
        }
        // The end of the packet.
        writer.write(7, bits: 3)
        writer.align(with: 0)
        return writer.bytes
    }

    private func write(_ channels: ArraySlice<Channel>, to writer: inout BitWriter) throws(BitstreamError) {
        let isCommon = channels.count == 2 && channels.first?.window == channels.last?.window
        let bands = channels.map(bandCount)
        if channels.count == 2 { writer.write(isCommon ? 1 : 0, bits: 1) }
        let most = bands.max() ?? 0
        if isCommon, let first = channels.first {
            writeInfo(first.window, most, to: &writer)
            // ms_mask_present: no joint stereo.
            writer.write(0, bits: 2)
        }
        for (channel, own) in zip(channels, bands) {
            try write(channel, isCommon ? most : own, hasInfo: !isCommon, to: &writer)
        }
    }

    /// The bands up to the last coefficient that is not 0.
    private func bandCount(_ channel: Channel) -> Int {
        let last = channel.coefficients.lastIndex { $0 != 0 } ?? -1
        return offsets.dropLast().prefix { $0 <= last }.count
    }

    /// ics_info().
    private func writeInfo(_ window: AACWindow, _ bands: Int, to writer: inout BitWriter) {
        writer.write(0, bits: 1)
        writer.write(window.sequence.rawValue, bits: 2)
        writer.write(window.shape.rawValue, bits: 1)
        writer.write(bands, bits: 6)
        // predictor_data_present
        writer.write(0, bits: 1)
    }

    /// individual_channel_stream().
    private func write(
        _ channel: Channel,
        _ bands: Int,
        hasInfo: Bool,
        to writer: inout BitWriter
    ) throws(BitstreamError) {
        writer.write(channel.scaleFactors.first ?? 0, bits: 8)
        if hasInfo { writeInfo(channel.window, bands, to: &writer) }
        let sections = AACSections(channel.coefficients, Array(offsets.prefix(bands + 1)))
        sections.write(to: &writer)
        let heard = zip(channel.scaleFactors, sections.codebooks).filter { $0.1 != 0 }.map(\.0)
        for (factor, before) in zip(heard, channel.scaleFactors.prefix(1) + heard) {
            guard let (word, length) = AACCodebook.scaleFactors[factor - before] else {
                throw BitstreamError(.outOfRange(factor - before), element: "hcod_sf", bit: writer.position)
            }
            writer.write(word, bits: length)
        }
        // No pulses, no temporal noise shaping, no gain control.
        writer.write(0, bits: 3)
        for (band, codebook) in sections.codebooks.enumerated() where codebook != 0 {
            let values = channel.coefficients[offsets[band]..<offsets[band + 1]]
            guard AACSpectrumCode.all[codebook - 1].write(values, to: &writer) else {
                throw BitstreamError(.outOfRange(codebook), element: "hcod", bit: writer.position)
            }
        }
    }
}
