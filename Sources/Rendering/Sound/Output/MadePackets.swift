import Bitstream
import Foundation

/// What the packets of a piece that are not copied are made of.
struct MadePackets {
    let encoders: [EncodedRun]
    let samples: KeptSamples
    let format: AACFormat

    /// The encoder's packet `number`; nil where none made it.
    func packet(_ number: Int64) -> Data? { encoders.lazy.compactMap { $0[number] }.first }

    /// The slopes between the encoder's packet `number` and the one before it; nil where none made that.
    func slopes(before number: Int64) -> [BridgePacket.Slope]? {
        packet(number - 1).flatMap { try? format.windows(of: $0) }.map { $0.map(BridgePacket.Slope.init(after:)) }
    }
}
