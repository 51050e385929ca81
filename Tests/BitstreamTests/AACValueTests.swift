import Foundation
import Testing

@testable import Bitstream

/// Values of AAC packets that FFmpeg's encoder never writes, each within its range and beyond it. The packets are written
/// field by field, by the syntax of ISO/IEC 14496-3, 4.4.2.
@Suite struct AACValueTests {
    private typealias Field = (value: Int, bits: Int)

    /// A packet of one channel, or of a pair with common windows, at 48 kHz.
    private func check(_ fields: [Field], channels: Int = 1) throws {
        var writer = BitWriter()
        writer.write(channels - 1, bits: 3)
        writer.write(0, bits: 4)
        for field in fields { writer.write(field.value, bits: field.bits) }
        writer.write(7, bits: 3)
        writer.align(with: 0)
        let configuration = try #require(AACChannelConfiguration(channels: channels))
        let bands = try #require(AACBands(sampleRate: 48_000))
        try writer.bytes.withUnsafeBytes { try AACPacketReader.check($0, configuration, bands) }
    }

    private func isRefused(_ fields: [Field], channels: Int = 1) -> Bool {
        do {
            try check(fields, channels: channels)
            return false
        } catch { return true }
    }

    /// ics_info() of a long window.
    private func info(bands: Int) -> [Field] { [(0, 1), (0, 2), (0, 1), (bands, 6), (0, 1)] }

    /// A codeword for the step of a scale factor.
    private func step(_ step: Int) throws -> Field {
        let code = AACCodebook.scaleFactors
        let word = try #require(code[step])
        return (word.word, word.length)
    }

    private let noTools: [Field] = [(0, 1), (0, 1), (0, 1)]

    /// A channel of one band of silence.
    private func silence(_ tools: [Field]) -> [Field] { [(100, 8)] + info(bands: 1) + [(0, 4), (1, 5)] + tools }

    @Test func plainPacketsPass() throws {
        try check(silence(noTools))
        try check([(100, 8)] + info(bands: 0) + noTools)
        #expect(isRefused([(100, 8)] + info(bands: 50) + noTools), "48 kHz has 49 bands")
    }

    @Test func sections() {
        func sections(_ list: [Field]) -> [Field] { [(100, 8)] + info(bands: 2) + list + noTools }
        #expect(!isRefused(sections([(0, 4), (2, 5)])))
        #expect(!isRefused(sections([(0, 4), (1, 5), (0, 4), (1, 5)])))
        #expect(isRefused(sections([(0, 4), (3, 5)])), "more bands than there are")
        #expect(isRefused(sections([(0, 4), (0, 5), (0, 4), (2, 5)])), "a section of none")
        #expect(isRefused(sections([(12, 4), (2, 5)])), "the reserved codebook")
        #expect(isRefused(sections([(14, 4), (2, 5)])), "intensity without a channel to take it from")
    }

    /// The first energy is in 9 bits, 256 too large, and counts from global_gain − 90.
    @Test(arguments: [(-100, true), (-101, false), (60, true), (156, false)])
    func noise(level: Int, isAllowed: Bool) throws {
        let gain = 100
        let coded = level - (gain - 90) + 256
        try #require(0..<512 ~= coded)
        let fields = [(gain, 8)] + info(bands: 1) + [(13, 4), (1, 5), (coded, 9)] + noTools
        #expect(isRefused(fields) == !isAllowed)
    }

    /// A pair whose right channel takes its band from the left one, moved by steps of 60 at most.
    private func intensity(gain: Int, codebook: Int = 15, steps: [Int], leftCodebook: Int = 13) throws -> [Field] {
        let noise: [Field] = leftCodebook == 13 ? [(256 + 90, 9)] : []
        let bands = steps.count
        var left: [Field] = [(gain, 8), (leftCodebook, 4), (bands, 5)] + noise
        if leftCodebook == 13 { left += try Array(repeating: step(0), count: bands - 1) }
        let right: [Field] = try [(100, 8), (codebook, 4), (bands, 5)] + steps.map(step)
        return [(1, 1)] + info(bands: bands) + [(0, 2)] + left + noTools + right + noTools
    }

    @Test func intensityStereo() throws {
        try check(intensity(gain: 50, steps: [0]), channels: 2)
        try check(intensity(gain: 50, steps: [60, 40]), channels: 2)
        #expect(try isRefused(intensity(gain: 50, steps: [60, 41]), channels: 2))
        #expect(try !isRefused(intensity(gain: 0, steps: [-60, -60, -35], leftCodebook: 0), channels: 2))
        #expect(try isRefused(intensity(gain: 0, steps: [-60, -60, -36], leftCodebook: 0), channels: 2))
        // The left channel is within the limit, and the right one is 2^15 times it.
        #expect(try isRefused(intensity(gain: 60, steps: [-60]), channels: 2))
    }

    /// One pulse in the first of 49 bands, which hold nothing or coefficients that are 0.
    @Test func pulses() {
        func pulse(gain: Int, codebook: Int, band: Int, offset: Int, amplitude: Int) -> [Field] {
            var fields: [Field] = [(gain, 8)] + info(bands: 1) + [(codebook, 4), (1, 5)]
            // A step of 0, and one codeword of four zeros: each has one bit.
            let spectrum: [Field] = codebook == 0 ? [] : [(0, 1)]
            if codebook != 0 { fields.append((0, 1)) }
            fields += [(1, 1), (0, 2), (band, 6), (offset, 5), (amplitude, 4), (0, 1), (0, 1)]
            return fields + spectrum
        }
        #expect(!isRefused(pulse(gain: 150, codebook: 1, band: 0, offset: 0, amplitude: 15)))
        #expect(isRefused(pulse(gain: 255, codebook: 1, band: 0, offset: 0, amplitude: 15)), "too loud")
        #expect(!isRefused(pulse(gain: 255, codebook: 1, band: 0, offset: 4, amplitude: 15)), "beside what is coded")
        #expect(!isRefused(pulse(gain: 100, codebook: 0, band: 48, offset: 31, amplitude: 1)))
        #expect(isRefused(pulse(gain: 100, codebook: 0, band: 49, offset: 0, amplitude: 1)), "there are 49 bands")
    }

    /// A filter whose coefficients have 4 bits.
    @Test func noiseShaping() {
        func shaped(level: Int, order: Int, coefficient: Int) -> [Field] {
            let noise: [Field] = [(13, 4), (1, 5), (level - 10 + 256, 9)]
            let filter: [Field] = [(1, 2), (1, 1), (48, 6), (order, 5), (0, 1), (0, 1)]
            let coefficients = Array(repeating: (value: coefficient & 15, bits: 4), count: order)
            return [(100, 8)] + info(bands: 1) + noise + [(0, 1), (1, 1)] + filter + coefficients + [(0, 1)]
        }
        #expect(!isRefused(shaped(level: 60, order: 12, coefficient: 0)))
        #expect(isRefused(shaped(level: 60, order: 13, coefficient: 0)), "AAC LC has 12")
        #expect(!isRefused(shaped(level: 60, order: 2, coefficient: 7)))
        #expect(isRefused(shaped(level: 60, order: 12, coefficient: 7)), "it rings at 235 dB")
        #expect(isRefused(shaped(level: 60, order: 12, coefficient: -8)))
    }

    /// 1 / (1 − k²) of every coefficient, with k by 4.6.9.3.
    @Test func gainsOfReflectionCoefficients() {
        for (isFine, half) in [(false, 4), (true, 8)] {
            for value in -half..<half {
                let steps = Double(half) + (value < 0 ? 0.5 : -0.5)
                let k = sin(Double(value) * .pi / 2 / steps)
                let gain = AACLoudness.gain(reflection: value, isFine: isFine)
                #expect(abs(gain * (1 - k * k) - 1) < 1e-5, "\(value)")
            }
        }
    }

    @Test func otherTools() {
        #expect(isRefused(silence([(0, 1), (0, 1), (1, 1)])), "gain control")
        #expect(isRefused([(100, 8), (0, 1), (0, 2), (0, 1), (0, 6), (1, 1)] + noTools), "prediction")
        func pair(mask: Int) -> [Field] {
            let channel: [Field] = [(100, 8)] + noTools
            return [(1, 1)] + info(bands: 0) + [(mask, 2)] + channel + channel
        }
        #expect(!isRefused(pair(mask: 2), channels: 2))
        #expect(isRefused(pair(mask: 3), channels: 2), "a reserved value")
    }
}
