import CompositionModel
import Foundation
import Media

/// An encoder that hears a part of the timeline, and the packets that it made, by their numbers in the piece.
final class EncodedRun {
    /// The numbers of its packets that are kept.
    private let wanted: Range<Int64>
    private let encoder: AudioEncoder
    private var next: Int64
    /// Samples of silence before the first that is mixed.
    private var silence: Int64
    private let channels: Int
    private var packets: [Int64: Data] = [:]

    /// - Parameters:
    ///   - firstPacket: the number of the encoder's first packet.
    ///   - silence: samples between where the encoder begins to hear and the first that is given to it.
    ///   - wanted: the numbers of packets that may be asked for.
    init(
        _ encoding: AudioEncoding,
        sampleRate: Int,
        channels: Int,
        firstPacket: Int64,
        silence: Int64,
        wanted: Range<Int64>
    ) throws {
        encoder = try AudioEncoder(encoding: encoding, sampleRate: sampleRate, channels: channels)
        guard encoder.frameSize == SoundCopyFacts.frameSize, encoder.priming == encoder.frameSize else {
            throw RenderError.invalidPackets("the encoder’s packets do not hold 1024 samples")
        }
        (next, self.silence, self.channels, self.wanted) = (firstPacket, max(silence, 0), channels, wanted)
    }

    /// The next samples, the channels beside each other.
    func send(_ samples: [Float]) throws {
        if silence > 0 {
            try keep(encoder.send(interleaved: [Float](repeating: 0, count: Int(silence) * channels)))
            silence = 0
        }
        try keep(encoder.send(interleaved: samples))
    }

    func finish() throws { try keep(encoder.finish()) }

    /// The bytes of packet `number`.
    subscript(number: Int64) -> Data? { packets[number] }

    private func keep(_ made: [EncodedPacket]) {
        for packet in made {
            if wanted.contains(next) { packets[next] = packet.data }
            next += 1
        }
    }
}
