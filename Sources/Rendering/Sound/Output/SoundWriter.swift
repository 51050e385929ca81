import CompositionModel
import Media
import Pixels
import Planning
import Samples

/// Encodes mixed sound, in order, into a packet file: a piece without the packets of its pre-roll and post-roll.
/// ```
/// samples   │pre-roll│  sampleCount  │post-roll│
/// packets   └╌╌╌╌╌╌┴─┴───┴───┴───┴─┴─┘╌╌╌╌╌╌╌╌      each begins `priming` before its samples
/// ```
final class SoundWriter {
    private let channels: Int
    private let codec: AudioEncoding.Codec
    private let encoder: AudioEncoder
    private let file: PacketFileWriter
    private var packetCount: Int64 = 0
    private let preRoll: Int64
    /// Display indexes of the packets that are wanted.
    private let wanted: Range<Int64>
    /// The dither of each channel; none where nothing is dithered.
    private let dithers: [TriangularDither]
    /// The number on the timeline of the sample that comes next.
    private var place: Int64

    /// Begins the packet file of `task`.
    /// - Throws: ``RenderError`` when the file cannot be written; ``MediaError`` when the codec is not there.
    init(_ task: SoundTask, path: String) throws {
        channels = task.channels
        preRoll = task.extent.preRoll
        place = task.firstSample - preRoll
        dithers = Self.dithers(task)
        codec = task.encoding.codec
        encoder = try AudioEncoder(encoding: task.encoding, sampleRate: task.sampleRate, channels: task.channels)
        let content = PacketFileHeader.AudioContent(
            codec: codec,
            sampleRate: task.sampleRate,
            channels: task.channels,
            priming: encoder.priming,
            frameSize: encoder.frameSize
        )
        let priming = Int64(encoder.priming)
        wanted = -priming..<(task.extent.postRoll == 0 ? Int64.max : task.sampleCount - priming)
        file = try PacketFileWriter(path: path, header: .init(content: .audio(content), extradata: encoder.extradata))
    }

    /// The next samples, one buffer a channel, which are overwritten; they are clipped here and nowhere before.
    func write(_ samples: [UnsafeMutableBufferPointer<Double>]) throws {
        for (dither, channel) in zip(dithers, samples) { dither.add(to: channel, from: place) }
        place += Int64(samples[0].count)
        if let bits = codec.bits {
            try append(encoder.send(interleaved: integers(samples, bits: bits)))
        } else {
            try append(encoder.send(interleaved: Self.floats(samples, isOpen: codec == .pcmFloat)))
        }
    }

    /// Writes the packets that are still inside the encoder, and ends the file.
    /// - Throws: ``RenderError`` when the file cannot be written; ``MediaError`` of the encoder.
    func finish() throws {
        try append(encoder.finish())
        try file.finish()
    }

    private static func dithers(_ task: SoundTask) -> [TriangularDither] {
        guard let bits = task.encoding.codec.bits, task.encoding.dither == .triangular else { return [] }
        return (0..<task.channels).map { TriangularDither(bits: bits, channel: $0) }
    }

    private func append(_ packets: [EncodedPacket]) throws {
        for packet in packets where wanted.contains(packet.pts - preRoll) {
            try file.write(
                CodedPacket(
                    decodeIndex: packetCount,
                    displayIndex: packet.pts - preRoll,
                    duration: packet.duration,
                    isKey: packet.isKey,
                    data: packet.data
                )
            )
            packetCount += 1
        }
    }

    /// The samples, the channels beside each other.
    /// - Parameter isOpen: whether what is louder than full scale is kept, as 32-bit floats of a file do; encoders get
    ///   what can be heard.
    static func floats(_ samples: [UnsafeMutableBufferPointer<Double>], isOpen: Bool = false) -> [Float] {
        let (count, channels) = (samples[0].count, samples.count)
        var channel = [Float](repeating: 0, count: count)
        return [Float](unsafeUninitializedCapacity: count * channels) { output, filled in
            for (index, own) in samples.enumerated() {
                channel.withUnsafeMutableBufferPointer {
                    if isOpen {
                        SampleKernels.openFloats(own, into: $0)
                    } else {
                        SampleKernels.floats(own, into: $0)
                    }
                }
                channel.withUnsafeBufferPointer {
                    SampleKernels.interleave($0, channel: index, stride: channels, into: output)
                }
            }
            filled = count * channels
        }
    }

    private func integers(_ samples: [UnsafeMutableBufferPointer<Double>], bits: Int) -> [Int32] {
        let total = samples.reduce(0) { $0 + $1.count }
        return [Int32](unsafeUninitializedCapacity: total) { output, count in
            for (index, channel) in samples.enumerated() {
                SampleKernels.integers(channel, bits: bits, channel: index, stride: channels, into: output)
            }
            count = total
        }
    }
}
