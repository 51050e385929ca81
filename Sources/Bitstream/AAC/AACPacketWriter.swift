/// Writes a packet of AAC LC with one element of one or two channels under one long window, its bands in codebook 11 or
/// silent (ISO/IEC 14496-3, 4.4.2).
///
/// Such a packet may have any window and any precision, which no encoder can be asked for; it takes more bits than an
/// encoder's.
package struct AACPacketWriter: Sendable {
    /// The quantised spectrum of a channel.
    package struct Channel: Sendable {
        /// The scale factor of each band, 0 … 255; no two differ by more than ``AACPacketWriter/mostStep``.
        package var scaleFactors: [Int]
        /// The coefficients, −8191 … 8191.
        package var coefficients: [Int]

        package init(scaleFactors: [Int], coefficients: [Int]) {
            (self.scaleFactors, self.coefficients) = (scaleFactors, coefficients)
        }
    }

    /// The most by which the scale factors of two bands may differ.
    package static let mostStep = 11
    /// The largest magnitude of a coefficient.
    package static let largest = 8191

    private let window: AACWindow
    /// The first coefficient of each band and, last, one past all.
    private let offsets: [Int]

    /// - Parameters:
    ///   - window: of one transform.
    ///   - offsets: the scale factor bands (``AACBands``).
    package init(window: AACWindow, offsets: [Int]) { (self.window, self.offsets) = (window, offsets) }

    /// The packet, whose element has the tag 0.
    /// - Parameter channels: one or two.
    /// - Throws: ``BitstreamError`` for values that cannot be written.
    package func packet(_ channels: [Channel]) throws(BitstreamError) -> [UInt8] {
        var writer = BitWriter()
        writer.write(channels.count - 1, bits: 3)
        writer.write(0, bits: 4)
        let bands = bandCount(channels)
        if channels.count == 2 {
            // common_window, and no joint stereo.
            writer.write(1, bits: 1)
            writeWindow(bands, to: &writer)
            writer.write(0, bits: 2)
        }
        for channel in channels { try write(channel, bands, isAlone: channels.count == 1, to: &writer) }
        // The end of the packet.
        writer.write(7, bits: 3)
        writer.align(with: 0)
        return writer.bytes
    }

    /// The bands up to the last coefficient that is not 0.
    private func bandCount(_ channels: [Channel]) -> Int {
        let last = channels.compactMap { $0.coefficients.lastIndex { $0 != 0 } }.max() ?? -1
        return offsets.dropLast().prefix { $0 <= last }.count
    }

    /// ics_info().
    private func writeWindow(_ bands: Int, to writer: inout BitWriter) {
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
        isAlone: Bool,
        to writer: inout BitWriter
    ) throws(BitstreamError) {
        writer.write(channel.scaleFactors.first ?? 0, bits: 8)
        if isAlone { writeWindow(bands, to: &writer) }
        let heard = (0..<bands).map { band in
            channel.coefficients[offsets[band]..<offsets[band + 1]].contains { $0 != 0 }
        }
        writeSections(heard, to: &writer)
        let factors = zip(channel.scaleFactors, heard).filter(\.1).map(\.0)
        for (factor, before) in zip(factors, channel.scaleFactors.prefix(1) + factors) {
            guard let (word, length) = AACCodebook.scaleFactors[factor - before] else {
                throw BitstreamError(.outOfRange(factor - before), element: "hcod_sf", bit: writer.position)
            }
            writer.write(word, bits: length)
        }
        // No pulses, no temporal noise shaping, no gain control.
        writer.write(0, bits: 3)
        for band in heard.indices where heard[band] {
            for place in stride(from: offsets[band], to: offsets[band + 1], by: 2) {
                try write(channel.coefficients[place], channel.coefficients[place + 1], to: &writer)
            }
        }
    }

    /// section_data(): runs of bands with codebook 11, and of silent ones with codebook 0.
    private func writeSections(_ heard: [Bool], to writer: inout BitWriter) {
        var start = 0
        while start < heard.count {
            let end = heard[start...].firstIndex { $0 != heard[start] } ?? heard.count
            writer.write(heard[start] ? 11 : 0, bits: 4)
            for _ in 0..<(end - start) / 31 { writer.write(31, bits: 5) }
            writer.write((end - start) % 31, bits: 5)
            start = end
        }
    }

    private func write(_ first: Int, _ second: Int, to writer: inout BitWriter) throws(BitstreamError) {
        let magnitudes = [abs(first), abs(second)]
        guard magnitudes.allSatisfy({ $0 <= Self.largest }),
            let (word, length) = AACCodebook.escapedPairs[17 * min(magnitudes[0], 16) + min(magnitudes[1], 16)]
        else { throw BitstreamError(.outOfRange(first), element: "hcod", bit: writer.position) }
        writer.write(word, bits: length)
        for value in [first, second] where value != 0 { writer.write(value < 0 ? 1 : 0, bits: 1) }
        for magnitude in magnitudes where magnitude >= 16 {
            // hcod_esc: as many ones as the number has bits beyond 4, a zero, and its bits without the first.
            let bits = Int.bitWidth - 1 - magnitude.leadingZeroBitCount
            for _ in 4..<bits { writer.write(1, bits: 1) }
            writer.write(0, bits: 1)
            writer.write(magnitude, bits: bits)
        }
    }
}
