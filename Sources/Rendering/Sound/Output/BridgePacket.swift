import Bitstream
import Samples
import Timing

/// Codes single packets of AAC under any long window, so that encoded and copied packets can stand beside each other: the
/// halves of neighbouring windows have to fit (ISO/IEC 14496-3, 4.6.11).
///
/// ```
/// encoder      ╲ bridge ╱ ╲ bridge ╱       the outer slopes are those of the neighbours,
///       ╲_____╱ ╲______╱   ╲______╱ copy   the inner ones long and Kaiser–Bessel-derived
/// ```
struct BridgePacket {
    /// A slope between two packets: the left half of one window and the right half of the other.
    struct Slope: Hashable {
        var isShort = false
        var shape = AACWindow.Shape.kaiserBessel

        init(isShort: Bool = false, shape: AACWindow.Shape = .kaiserBessel) {
            (self.isShort, self.shape) = (isShort, shape)
        }

        /// The right half of a window.
        init(after window: AACWindow) { self.init(isShort: window.isShortRight, shape: window.shape) }

        /// The left half of `window`, which has the shape of the window `before`.
        init(_ before: AACWindow, _ window: AACWindow) {
            self.init(isShort: window.isShortLeft, shape: before.shape)
        }

        fileprivate var transform: ModifiedCosineTransform.Slope {
            .init(isKaiserBessel: shape == .kaiserBessel, isShort: isShort)
        }
    }

    /// The inner slopes of each channel, in the order of the packet's elements. The channel of low frequencies has sines
    /// alone (4.5.2.2).
    let inner: [Slope]
    private let transform = ModifiedCosineTransform()
    private let configuration: AACChannelConfiguration
    private let bands: AACBands
    /// The most bits of a packet.
    private let budget: Int

    /// - Throws: ``RenderError`` `invalid_sound_task` for a sample rate whose scale factor bands are not known, and for
    ///   more than six channels.
    init(channels: Int, sampleRate: Int) throws(RenderError) {
        guard let bands = AACBands(sampleRate: sampleRate),
            let configuration = AACChannelConfiguration(channels: channels)
        else { throw .invalidPackets("AAC of \(channels) channels and \(sampleRate) Hz cannot be joined") }
        (self.bands, self.configuration) = (bands, configuration)
        let elements = configuration.elementOfChannel
        inner = elements.map { Slope(shape: $0 == .lowFrequency ? .sine : .kaiserBessel) }
        // The most that a packet may have (4.5.3.1), in which the channel of low frequencies does not count: bridges are
        // few, and have to be finer than what they join.
        budget = 6144 * elements.count { $0 != .lowFrequency }
    }

    /// The packet whose windows have such slopes.
    /// - Parameters:
    ///   - samples: of each channel the 2048 samples under the window, nominally −1 … 1.
    ///   - left: The slope of each channel, in the order of the packet's elements; so is `right`.
    /// - Throws: ``RenderError`` `invalid_sound_task` where both slopes of a channel are short.
    func packet(_ samples: [[Double]], left: [Slope], right: [Slope]) throws(RenderError) -> [UInt8] {
        guard samples.count == inner.count, left.count == inner.count, right.count == inner.count else {
            throw .invalidPackets("a packet has other channels than the output")
        }
        var spectra: [Spectrum] = []
        for (place, (element, channel)) in zip(configuration.elementOfChannel, configuration.order).enumerated() {
            spectra.append(try spectrum(of: samples[channel], left[place], right[place], element))
        }
        let writer = AACPacketWriter(configuration, bands)
        // The finest quantisation that fits: bits fall as the step grows.
        var (low, high) = (0, 255)
        while low < high {
            let middle = (low + high) / 2
            if let packet = packet(spectra, writer, middle), packet.count * 8 <= budget {
                high = middle
            } else {
                low = middle + 1
            }
        }
        guard let packet = packet(spectra, writer, low) else { throw .invalidPackets("a packet cannot be coded") }
        return packet
    }

    private func spectrum(
        of samples: [Double],
        _ left: Slope,
        _ right: Slope,
        _ element: AACChannelConfiguration.Element
    ) throws(RenderError) -> Spectrum {
        guard let window = AACWindow(shortLeft: left.isShort, shortRight: right.isShort, shape: right.shape) else {
            throw .invalidPackets("a packet would have two short slopes")
        }
        var coefficients = transform.forward(samples.map { $0 * 32768 }, left: left.transform, right: right.transform)
        if element == .lowFrequency {
            for index in Self.lowFrequencies..<coefficients.count { coefficients[index] = 0 }
        }
        return Spectrum(coefficients, bands.long, window)
    }

    /// The coefficients that the channel of low frequencies may have (4.5.2.2).
    private static let lowFrequencies = 12

    private func packet(_ spectra: [Spectrum], _ writer: AACPacketWriter, _ step: Int) -> [UInt8]? {
        let channels = spectra.compactMap { $0.quantised(step: step, bands.long) }
        return channels.count == spectra.count ? try? writer.packet(channels) : nil
    }
}

/// The coefficients of a channel under its window, with the relative steps of its bands.
private struct Spectrum {
    private let coefficients: [Double]
    /// How much coarser than the finest each band is quantised, in steps of scale factors.
    private let relative: [Int]
    private let window: AACWindow

    /// The most by which a band is quantised more coarsely than another: 16 dB.
    private static let mostRelative = 11

    init(_ coefficients: [Double], _ offsets: [Int], _ window: AACWindow) {
        (self.coefficients, self.window) = (coefficients, window)
        let levels = zip(offsets, offsets.dropFirst()).map { start, end in
            let power = coefficients[start..<end].reduce(0) { $0 + $1 * $1 } / Double(end - start)
            // Noise may rise with the sound of its band: a third as much in dB, beside what the quantiser does.
            return Int((4.0 / 3 * ExactMath.log2(max(power, 1).squareRoot())).rounded())
        }
        let lowest = levels.min() ?? 0
        relative = levels.map { min($0 - lowest, Self.mostRelative) }
    }

    /// The coefficients in steps of 2^((scale factor − 100) / 4) to the power of ¾ (4.6.1.3); nil where they do not fit.
    func quantised(step: Int, _ offsets: [Int]) -> AACPacketWriter.Channel? {
        let factors = relative.map { min($0 + step, 255) }
        var quantised = [Int](repeating: 0, count: coefficients.count)
        for (band, factor) in factors.enumerated() {
            let scale = ExactMath.exp2(Double(100 - factor) / 4)
            for index in offsets[band]..<offsets[band + 1] {
                let root = (coefficients[index].magnitude * scale).squareRoot()
                let level = (root * root.squareRoot() + 0.4054).rounded(.down)
                guard level <= Double(AACPacketWriter.largest) else { return nil }
                quantised[index] = coefficients[index] < 0 ? -Int(level) : Int(level)
            }
        }
        return AACPacketWriter.Channel(window: window, scaleFactors: factors, coefficients: quantised)
    }
}

extension RenderError {
    /// A task of sound whose packets cannot be made as it says.
    static func invalidPackets(_ what: String) -> RenderError {
        RenderError("invalid_sound_task", "The sound task is invalid: \(what); plan it again.", isPermanent: true)
    }
}
