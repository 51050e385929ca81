/// The data of one channel: individual_channel_stream() of ISO/IEC 14496-3, 4.4.2.7.
extension AACPacketReader {
    /// ics_info().
    struct ChannelInfo {
        var window: AACWindow
        /// The bands that have data: max_sfb.
        var bandCount: Int
        /// The transforms of each group: 1, or of eight short ones as they are grouped.
        var groups: [Int]
        /// The first coefficient of each band and, last, one past all of a transform.
        var offsets: [Int]
    }

    mutating func channelInfo() throws(BitstreamError) -> ChannelInfo {
        guard try bits(1, "ics_reserved_bit") == 0,
            let sequence = AACWindow.Sequence(rawValue: try bits(2, "window_sequence")),
            let shape = AACWindow.Shape(rawValue: try bits(1, "window_shape"))
        else { throw BitstreamError(.outOfRange(1), element: "ics_reserved_bit", bit: reader.position) }
        let isShort = sequence == .eightShort
        let offsets = isShort ? bands.short : bands.long
        let bandCount = try bits(isShort ? 4 : 6, "max_sfb")
        guard bandCount < offsets.count else {
            throw BitstreamError(.outOfRange(bandCount), element: "max_sfb", bit: reader.position)
        }
        let groups = isShort ? try groups() : [1]
        if !isShort, try bits(1, "predictor_data_present") == 1 { throw unsupported("prediction") }
        let window = AACWindow(sequence: sequence, shape: shape)
        return ChannelInfo(window: window, bandCount: bandCount, groups: groups, offsets: offsets)
    }

    /// scale_factor_grouping: a bit for each transform but the first, 1 where it goes on with the group.
    private mutating func groups() throws(BitstreamError) -> [Int] {
        let grouping = try bits(7, "scale_factor_grouping")
        return (0..<7).reversed().reduce(into: [1]) { groups, bit in
            if grouping >> bit & 1 == 1 { groups[groups.count - 1] += 1 } else { groups.append(1) }
        }
    }

    /// individual_channel_stream() behind its ics_info().
    mutating func passChannel(_ info: ChannelInfo) throws(BitstreamError) {
        let sections = try sections(info)
        try passScaleFactors(sections)
        let isShort = info.window.sequence == .eightShort
        if try bits(1, "pulse_data_present") == 1 {
            let count = try bits(2, "number_pulse") + 1
            try pass(over: 6 + 9 * count)
        }
        if try bits(1, "tns_data_present") == 1 { try passNoiseShaping(isShort: isShort) }
        if try bits(1, "gain_control_data_present") == 1 { throw unsupported("gain control") }
        for section in sections { try passSpectrum(section, info) }
    }

    /// Bands of a group with one codebook.
    private struct Section {
        var codebook: Int
        var bands: Range<Int>
        /// The transforms of the group.
        var transforms: Int
    }

    /// section_data().
    private mutating func sections(_ info: ChannelInfo) throws(BitstreamError) -> [Section] {
        let length = info.window.sequence == .eightShort ? 3 : 5
        let escape = 1 << length - 1
        var sections: [Section] = []
        for transforms in info.groups {
            var band = 0
            while band < info.bandCount {
                let codebook = try bits(4, "sect_cb")
                guard codebook != 12 else {
                    throw BitstreamError(.outOfRange(12), element: "sect_cb", bit: reader.position)
                }
                var (count, part) = (0, escape)
                while part == escape {
                    part = try bits(length, "sect_len_incr")
                    count += part
                }
                guard count > 0, band + count <= info.bandCount else {
                    throw BitstreamError(.outOfRange(count), element: "sect_len", bit: reader.position)
                }
                sections.append(Section(codebook: codebook, bands: band..<band + count, transforms: transforms))
                band += count
            }
        }
        return sections
    }

    /// scale_factor_data(). The first band of noise has its energy in 9 bits.
    private mutating func passScaleFactors(_ sections: [Section]) throws(BitstreamError) {
        var hasNoise = false
        for section in sections where section.codebook != 0 {
            for _ in section.bands {
                if section.codebook == 13, !hasNoise {
                    hasNoise = true
                    try pass(over: 9)
                } else {
                    _ = try codeword(AACCodebook.scaleFactors, "hcod_sf")
                }
            }
        }
    }

    /// tns_data().
    private mutating func passNoiseShaping(isShort: Bool) throws(BitstreamError) {
        for _ in 0..<(isShort ? 8 : 1) {
            let count = try bits(isShort ? 1 : 2, "n_filt")
            guard count > 0 else { continue }
            let resolution = try bits(1, "coef_res")
            for _ in 0..<count {
                try pass(over: isShort ? 4 : 6)
                let order = try bits(isShort ? 3 : 5, "order")
                guard order > 0 else { continue }
                try pass(over: 1)
                let isCompressed = try bits(1, "coef_compress") == 1
                try pass(over: order * (3 + resolution - (isCompressed ? 1 : 0)))
            }
        }
    }

    /// The codewords of a section, with the signs and escape sequences behind them.
    private mutating func passSpectrum(_ section: Section, _ info: ChannelInfo) throws(BitstreamError) {
        guard 1...11 ~= section.codebook else { return }
        let spectrum = AACSpectrumCode.all[section.codebook - 1]
        let width = info.offsets[section.bands.upperBound] - info.offsets[section.bands.lowerBound]
        for _ in 0..<width * section.transforms / spectrum.dimension {
            let position = try codeword(spectrum.code, "hcod")
            try pass(over: spectrum.signs[position])
            for _ in 0..<spectrum.escapes[position] { try passEscape() }
        }
    }

    /// hcod_esc: N ones, a zero, and N + 4 bits.
    private mutating func passEscape() throws(BitstreamError) {
        var count = 4
        while try bits(1, "escape_prefix") == 1 { count += 1 }
        guard count <= 12 else {
            throw BitstreamError(.outOfRange(count), element: "escape_prefix", bit: reader.position)
        }
        try pass(over: count)
    }
}
