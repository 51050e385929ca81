import CompositionModel
import Testing

@testable import Media

@Suite struct AudioEncoderTests {
    /// Wherever the last frame ends: also where what a codec puts before the first sample pushes the last ones out of it.
    @Test(arguments: AudioEncoding.Codec.allCases)
    func packetsHoldPrimingAndEverySample(codec: AudioEncoding.Codec) throws {
        let encoding = AudioEncoding(codec: codec, bitRate: codec.isLossless ? nil : 192_000)
        let frame = try AudioEncoder(encoding: encoding, sampleRate: 48_000, channels: 2).frameSize
        for count in [1, 3 * frame + 1, 4 * frame - 300, 4 * frame - 256, 4 * frame - 255, 4 * frame - 1, 4 * frame]
        where count > 0 {
            let encoder = try AudioEncoder(encoding: encoding, sampleRate: 48_000, channels: 2)
            var packets: [EncodedPacket] = []
            if codec.bits == nil {
                let samples = (0..<2 * count).map { Float($0 % 97) / 200 - 0.25 }
                packets += try encoder.send(interleaved: samples)
            } else {
                packets += try encoder.send(interleaved: (0..<2 * count).map { Int32($0 % 97) - 48 })
            }
            packets += try encoder.finish()
            let total = packets.map(\.duration).reduce(0, +)
            #expect(total == Int64(encoder.priming + count), "\(count) samples")
            #expect(packets.first?.pts == -Int64(encoder.priming))
        }
    }
}
