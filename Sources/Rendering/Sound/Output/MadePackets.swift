import Bitstream
import Foundation

/// What the packets of a piece that are not copied are made of.
struct MadePackets {
    let encoders: [EncodedRun]
    let samples: KeptSamples

    /// The encoder's packet `number`; nil where none made it.
    func packet(_ number: Int64) -> Data? { encoders.lazy.compactMap { $0[number] }.first }

    /// The window of the encoder's packet `number`; nil where none made it, or where its channels have windows of their
    /// own.
    func window(of number: Int64) -> AACWindow? { encoders.lazy.compactMap { $0.window(of: number) }.first }
}
