import Bitstream
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Packets that are written one by one, decoded by ffmpeg.
@Suite struct BridgePacketTests {
    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
    ]
    private static let slopes = [AACWindow.Shape.sine, .kaiserBessel].flatMap { shape in
        [false, true].map { BridgePacket.Slope(isShort: $0, shape: shape) }
    }

    /// The slopes between packet `number` and the one before it: those of the channels are not the same.
    private static func slopes(
        _ number: Int,
        _ order: [[BridgePacket.Slope]],
        _ bridge: BridgePacket
    ) -> [BridgePacket.Slope] {
        bridge.inner.indices.map { bridge.inner[$0].shape == .sine ? bridge.inner[$0] : order[$0 % 2][number] }
    }

    private static func adts(_ packet: [UInt8], rate: Int, channels: Int) -> [UInt8] {
        var writer = BitWriter()
        let fields = [
            (0xFFF, 12), (0, 3), (1, 1), (1, 2), (AACConfiguration.sampleRates.firstIndex(of: rate)!, 4), (0, 1),
            (channels, 3), (0, 4), (packet.count + 7, 13), (0x7FF, 11), (0, 2),
        ]
        for (value, bits) in fields { writer.write(value, bits: bits) }
        return writer.bytes + packet
    }

    /// Loud sounds over the whole spectrum, at every sample rate, with every slope beside every other.
    @Test(arguments: rates, [1, 2, 5, 6])
    func packetsDecodeToWhatTheyAreMadeOf(rate: Int, channels: Int) async throws {
        let folder = try TemporaryFolder()
        let bridge = try BridgePacket(channels: channels, sampleRate: rate)
        var random = SplitMix(seed: UInt64(rate))
        let count = 40
        let samples = (0..<channels).map { channel in
            (0..<(count + 1) * 1024).map { place -> Double in
                // The channel of low frequencies, the fourth of six, has room for these alone.
                let isLow = channels == 6 && channel == 3
                let step = isLow ? 0.001 : 0.05 * Double(channel + 1)
                let noise = isLow ? 0 : Double.random(in: -0.1...0.1, using: &random)
                return 0.3 * sin(Double(place) * step) + noise
            }
        }
        // No two short slopes of one packet.
        let order = (0..<2).map { first in
            var order = (0...count).map { Self.slopes[($0 * 7 + $0 / 4 + first) % 4] }
            for place in order.indices.dropFirst() where order[place].isShort && order[place - 1].isShort {
                order[place].isShort = false
            }
            return order
        }
        var bytes: [UInt8] = []
        for number in 0..<count {
            let window = samples.map { Array($0[number * 1024..<(number + 2) * 1024]) }
            let packet = try bridge.packet(
                window,
                left: Self.slopes(number, order, bridge),
                right: Self.slopes(number + 1, order, bridge)
            )
            #expect(packet.count * 8 <= 6144 * min(channels, 5))
            bytes += Self.adts(packet, rate: rate, channels: channels)
        }
        let path = folder.path("a.aac")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let arguments = ["-nostdin", "-v", "warning", "-i", path, "-f", "f32le", folder.path("out")]
        let outcome = try await Shell.run("ffmpeg", arguments)
        #expect(outcome.errors.split(separator: "\n").filter { !$0.contains("Estimating duration") } == [])
        let decoded = try Data(contentsOf: URL(fileURLWithPath: folder.path("out"))).withUnsafeBytes {
            Array($0.bindMemory(to: Float.self))
        }
        #expect(decoded.count == count * 1024 * channels)
        // What the first packet decodes to lacks the one before.
        for channel in 0..<channels {
            var (noise, power) = (0.0, 0.0)
            for place in 1024..<count * 1024 {
                let truth = samples[channel][place]
                noise += pow(Double(decoded[place * channels + channel]) - truth, 2)
                power += truth * truth
            }
            #expect(10 * log10(power / noise) > 25, "channel \(channel): \(10 * log10(power / noise)) dB")
        }
    }
}
