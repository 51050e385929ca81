import Media
import Pixels
import Shared

/// Encodes mixed sound, in order, into a packet file.
final class SoundWriter {
    private let channels: Int
    private let codec: AudioEncoding.Codec
    private let encoder: AudioEncoder
    private let file: PacketFileWriter
    private var packetCount: Int64 = 0

    init(_ task: SoundTask, path: String) throws {
        channels = task.channels
        codec = task.encoding.codec
        encoder = try AudioEncoder(encoding: task.encoding, sampleRate: task.sampleRate, channels: task.channels)
        let content = PacketFileHeader.AudioContent(
            codec: codec,
            sampleRate: task.sampleRate,
            channels: task.channels,
            priming: encoder.priming
        )
        file = try PacketFileWriter(path: path, header: .init(content: .audio(content), extradata: encoder.extradata))
    }

    /// The next samples, one buffer a channel; they are clipped here and nowhere before.
    func write(_ samples: [UnsafeMutableBufferPointer<Double>]) throws {
        try append(codec == .aac ? encoder.send(floats(samples)) : encoder.send(interleaved: integers(samples)))
    }

    func finish() throws {
        try append(encoder.finish())
        try file.finish()
    }

    private func append(_ packets: [EncodedPacket]) throws {
        for packet in packets {
            try file.write(
                CodedPacket(
                    decodeIndex: packetCount,
                    displayIndex: packet.pts,
                    duration: packet.duration,
                    isKey: packet.isKey,
                    data: packet.data
                )
            )
            packetCount += 1
        }
    }

    private func floats(_ samples: [UnsafeMutableBufferPointer<Double>]) -> [[Float]] {
        samples.map { channel in
            [Float](unsafeUninitializedCapacity: channel.count) { output, count in
                SampleKernels.floats(channel, into: output)
                count = channel.count
            }
        }
    }

    private func integers(_ samples: [UnsafeMutableBufferPointer<Double>]) -> [Int32] {
        let total = samples.reduce(0) { $0 + $1.count }
        return [Int32](unsafeUninitializedCapacity: total) { output, count in
            for (index, channel) in samples.enumerated() {
                SampleKernels.integers24(channel, channel: index, stride: channels, into: output)
            }
            count = total
        }
    }
}
