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
    /// - Parameter left: of the second channel of a pair with common windows: the energies of the first one, from which it
    ///   may take bands; nil of any other.
    /// - Returns: the energies of its bands, by group and band: the sums of the squares of their coefficients.
    @discardableResult
    mutating func passChannel(
        _ info: ChannelInfo,
        gain: Int,
        left: [[Double]]? = nil
    ) throws(BitstreamError) -> [[Double]] {
        let sections = try sections(info, hasIntensity: left != nil)
        let factors = try scaleFactors(sections, gain: gain)
        let isShort = info.window.sequence == .eightShort
        let pulses = try bits(1, "pulse_data_present") == 1 ? try pulses(info) : []
        let shaping =
            try bits(1, "tns_data_present") == 1
            ? try noiseShaping(isShort: isShort) : Array(repeating: 1, count: isShort ? 8 : 1)
        if try bits(1, "gain_control_data_present") == 1 { throw unsupported("gain control") }
        var energies = info.groups.map { _ in Array(repeating: 0.0, count: info.bandCount) }
        var place = 0
        for section in sections {
            for band in section.bands {
                let energy =
                    Codebook.intensity.contains(section.codebook)
                    ? (left?[section.group][band] ?? 0) * AACLoudness.energy(factor: -factors[place])
                    : try energy(of: band, in: section, info, factor: factors[place], pulses)
                energies[section.group][band] = energy
                place += 1
            }
        }
        var transform = 0
        for (energies, count) in zip(energies, info.groups) {
            let shaped = shaping[transform..<transform + count].max() ?? 1
            transform += count
            let energy = energies.reduce(0, +) / Double(count) * shaped
            guard !isWhole || AACLoudness.isPossible(energy, isShort: isShort) else {
                throw BitstreamError(.outOfRange(gain), element: "global_gain", bit: reader.position)
            }
        }
        return energies
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

    /// scale_factor_data(): the scale factor of each band of the sections, of noise its energy, of intensity stereo its
    /// position, of silence 0. The first band of noise has its energy in 9 bits (4.6.2.3.2). Energies and positions have
    /// the range that FFmpeg's decoder gives them.
    private mutating func scaleFactors(_ sections: [Section], gain: Int) throws(BitstreamError) -> [Int] {
        var (factor, noise, hasNoise, position) = (gain, gain - 90, false, 0)
        var factors: [Int] = []
        for section in sections {
            for _ in section.bands {
                switch section.codebook {
                case Codebook.zero: factors.append(0)
                case Codebook.noise:
                    noise += hasNoise ? try scaleFactorStep() : try bits(9, "dpcm_noise_nrg") - 256
                    hasNoise = true
                    guard -100...155 ~= noise else {
                        throw BitstreamError(.outOfRange(noise), element: "dpcm_noise_nrg", bit: reader.position)
                    }
                    factors.append(noise)
                case Codebook.intensity:
                    position += try scaleFactorStep()
                    guard -155...100 ~= position else {
                        throw BitstreamError(.outOfRange(position), element: "dpcm_is_position", bit: reader.position)
                    }
                    factors.append(position)
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

    /// What is added to the magnitude of a coefficient.
    private struct Pulse {
        var place: Int
        var amplitude: Int
    }

    /// pulse_data(), which only long windows have (4.6.3).
    private mutating func pulses(_ info: ChannelInfo) throws(BitstreamError) -> [Pulse] {
        let count = try bits(2, "number_pulse") + 1
        let band = try bits(6, "pulse_start_sfb")
        guard info.window.sequence != .eightShort, band < info.offsets.count - 1 else {
            throw BitstreamError(.outOfRange(band), element: "pulse_start_sfb", bit: reader.position)
        }
        var (place, pulses) = (info.offsets[band], [Pulse]())
        for _ in 0..<count {
            place += try bits(5, "pulse_offset")
            pulses.append(Pulse(place: place, amplitude: try bits(4, "pulse_amp")))
        }
        guard place < 1024 else {
            throw BitstreamError(.outOfRange(place), element: "pulse_offset", bit: reader.position)
        }
        return pulses
    }

    /// tns_data().
    /// - Returns: by how much each transform's energy is larger behind the filters than before them, of a spectrum that is
    ///   as flat before them as they are meant to make it.
    private mutating func noiseShaping(isShort: Bool) throws(BitstreamError) -> [Double] {
        var gains: [Double] = []
        for _ in 0..<(isShort ? 8 : 1) {
            gains.append(1)
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
                let width = 3 + resolution - (try bits(1, "coef_compress"))
                var gain = 1.0
                for _ in 0..<order {
                    let coded = try bits(width, "coef")
                    let value = coded >= 1 << (width - 1) ? coded - 1 << width : coded
                    gain *= AACLoudness.gain(reflection: value, isFine: resolution == 1)
                }
                gains[gains.count - 1] = max(gains[gains.count - 1], gain)
            }
        }
        return gains
    }

    /// Reads the codewords of a band in all transforms of its group, with the signs and escape sequences behind them.
    /// - Returns: the sum of the squares of its coefficients.
    private mutating func energy(
        of band: Int,
        in section: Section,
        _ info: ChannelInfo,
        factor: Int,
        _ pulses: [Pulse]
    ) throws(BitstreamError) -> Double {
        let transforms = info.groups[section.group]
        let coefficients = info.offsets[band]..<info.offsets[band + 1]
        let amplitude = pulses.reduce(0) { coefficients.contains($1.place) ? $0 + $1.amplitude : $0 }
        guard amplitude == 0 || section.codebook < Codebook.noise else {
            throw BitstreamError(.outOfRange(section.codebook), element: "pulse_start_sfb", bit: reader.position)
        }
        if section.codebook == Codebook.noise { return Double(transforms) * AACLoudness.energy(factor: factor) }
        guard 1...11 ~= section.codebook else { return 0 }
        let spectrum = AACSpectrumCode.all[section.codebook - 1]
        var energy = 0.0
        for _ in 0..<coefficients.count * transforms / spectrum.dimension {
            let position = try codeword(spectrum.code, "hcod")
            try pass(over: spectrum.signs[position])
            energy += spectrum.energies[position]
            for _ in 0..<spectrum.escapes[position] { energy += AACLoudness.energy(coefficient: try escape()) }
        }
        // (a + b)^(8/3) is at most 2^(5/3) times a^(8/3) + b^(8/3).
        if amplitude > 0 { energy = 3.2 * (energy + AACLoudness.energy(coefficient: amplitude)) }
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
