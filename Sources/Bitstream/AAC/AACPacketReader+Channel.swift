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

    /// individual_channel_stream() behind its global_gain and ics_info().
    /// - Parameter hasIntensity: whether it is the second channel of a pair, which may take bands from the first.
    mutating func passChannel(
        _ info: ChannelInfo,
        gain: Int,
        hasIntensity: Bool = false
    ) throws(BitstreamError) {
        let sections = try sections(info, hasIntensity: hasIntensity)
        let factors = try scaleFactors(sections, gain: gain)
        let isShort = info.window.sequence == .eightShort
        if try bits(1, "pulse_data_present") == 1 { try passPulses(info) }
        if try bits(1, "tns_data_present") == 1 { try passNoiseShaping(isShort: isShort) }
        if try bits(1, "gain_control_data_present") == 1 { throw unsupported("gain control") }
        var energies = info.groups.map { _ in 0.0 }
        var place = 0
        for section in sections {
            for band in section.bands {
                energies[section.group] += try energy(of: band, in: section, info, factor: factors[place])
                place += 1
            }
        }
        let isPossible = zip(energies, info.groups).allSatisfy {
            AACLoudness.isPossible($0 / Double($1), isShort: isShort)
        }
        guard isPossible || !isWhole else {
            throw BitstreamError(.outOfRange(gain), element: "global_gain", bit: reader.position)
        }
    }

    /// Bands of a group with one codebook.
    private struct Section {
        var codebook: Int
        var bands: Range<Int>
        var group: Int
    }

    /// Codebooks that stand for no coefficients (4.6.2.3.2, table 4.150).
    private enum Codebook {
        static let zero = 0
        static let reserved = 12
        static let noise = 13
        /// Intensity stereo, out of phase and in phase.
        static let intensity = 14...15
    }

    /// section_data().
    private mutating func sections(_ info: ChannelInfo, hasIntensity: Bool) throws(BitstreamError) -> [Section] {
        let length = info.window.sequence == .eightShort ? 3 : 5
        let escape = 1 << length - 1
        var sections: [Section] = []
        for group in info.groups.indices {
            var band = 0
            while band < info.bandCount {
                let codebook = try bits(4, "sect_cb")
                guard codebook != Codebook.reserved, hasIntensity || !Codebook.intensity.contains(codebook) else {
                    throw BitstreamError(.outOfRange(codebook), element: "sect_cb", bit: reader.position)
                }
                var (count, part) = (0, escape)
                while part == escape {
                    part = try bits(length, "sect_len_incr")
                    count += part
                }
                guard count > 0, band + count <= info.bandCount else {
                    throw BitstreamError(.outOfRange(count), element: "sect_len", bit: reader.position)
                }
                sections.append(Section(codebook: codebook, bands: band..<band + count, group: group))
                band += count
            }
        }
        return sections
    }

    /// scale_factor_data(): the scale factor of each band of the sections, of noise its energy, of intensity stereo and
    /// silence 0. The first band of noise has its energy in 9 bits (4.6.2.3.2).
    private mutating func scaleFactors(_ sections: [Section], gain: Int) throws(BitstreamError) -> [Int] {
        var (factor, noise, hasNoise) = (gain, gain - 90, false)
        var factors: [Int] = []
        for section in sections {
            for _ in section.bands {
                switch section.codebook {
                case Codebook.zero: factors.append(0)
                case Codebook.noise where !hasNoise:
                    hasNoise = true
                    noise += try bits(9, "dpcm_noise_nrg") - 256
                    factors.append(noise)
                case Codebook.noise:
                    noise += try scaleFactorStep()
                    factors.append(noise)
                case Codebook.intensity:
                    _ = try scaleFactorStep()
                    factors.append(0)
                default:
                    factor += try scaleFactorStep()
                    guard 0...255 ~= factor else {
                        throw BitstreamError(.outOfRange(factor), element: "hcod_sf", bit: reader.position)
                    }
                    factors.append(factor)
                }
            }
        }
        return factors
    }

    private mutating func scaleFactorStep() throws(BitstreamError) -> Int {
        AACCodebook.scaleFactors.symbols[try codeword(AACCodebook.scaleFactors, "hcod_sf")]
    }

    /// pulse_data(), which only long windows have (4.6.3).
    private mutating func passPulses(_ info: ChannelInfo) throws(BitstreamError) {
        let count = try bits(2, "number_pulse") + 1
        let band = try bits(6, "pulse_start_sfb")
        guard info.window.sequence != .eightShort, band < info.offsets.count - 1 else {
            throw BitstreamError(.outOfRange(band), element: "pulse_start_sfb", bit: reader.position)
        }
        var place = info.offsets[band]
        for _ in 0..<count {
            place += try bits(5, "pulse_offset")
            try pass(over: 4)
        }
        guard place < 1024 else {
            throw BitstreamError(.outOfRange(place), element: "pulse_offset", bit: reader.position)
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
                // TNS_MAX_ORDER of AAC LC (4.6.9.4, table 4.156).
                guard order <= 12 else {
                    throw BitstreamError(.outOfRange(order), element: "order", bit: reader.position)
                }
                try pass(over: 1)
                let isCompressed = try bits(1, "coef_compress") == 1
                try pass(over: order * (3 + resolution - (isCompressed ? 1 : 0)))
            }
        }
    }

    /// Reads the codewords of a band in all transforms of its group, with the signs and escape sequences behind them.
    /// - Returns: the sum of the squares of its coefficients.
    private mutating func energy(
        of band: Int,
        in section: Section,
        _ info: ChannelInfo,
        factor: Int
    ) throws(BitstreamError) -> Double {
        let transforms = info.groups[section.group]
        if section.codebook == Codebook.noise { return Double(transforms) * AACLoudness.energy(factor: factor) }
        guard 1...11 ~= section.codebook else { return 0 }
        let spectrum = AACSpectrumCode.all[section.codebook - 1]
        let width = info.offsets[band + 1] - info.offsets[band]
        var energy = 0.0
        for _ in 0..<width * transforms / spectrum.dimension {
            let position = try codeword(spectrum.code, "hcod")
            try pass(over: spectrum.signs[position])
            energy += spectrum.energies[position]
            for _ in 0..<spectrum.escapes[position] { energy += AACLoudness.energy(coefficient: try escape()) }
        }
        return energy * AACLoudness.energy(factor: factor - AACLoudness.unity)
    }

    /// hcod_esc: N ones, a zero, and N + 4 bits.
    private mutating func escape() throws(BitstreamError) -> Int {
        var count = 4
        while try bits(1, "escape_prefix") == 1 { count += 1 }
        guard count <= 12 else {
            throw BitstreamError(.outOfRange(count), element: "escape_prefix", bit: reader.position)
        }
        return try bits(count, "escape_word") + 1 << count
    }
}
