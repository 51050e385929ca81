import CompositionModel
import Foundation
import Media
import Rendering

/// A sound part of noise, as the sound task writes it.
enum TestSound {
    /// 24-bit little-endian stereo.
    static func pcm(samples: Int64) -> Data {
        var data = Data(capacity: Int(samples) * 6)
        for index in 0..<samples * 2 {
            let value = UInt32(truncatingIfNeeded: index &* 2_654_435_761 >> 7)
            data.append(contentsOf: [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8), 0])
        }
        return data
    }

    /// - Returns: `path`.
    static func write(_ codec: AudioEncoding.Codec, samples: Int64, to path: String) throws -> String {
        switch codec {
        case .aac: try writeAAC(samples: samples, to: path)
        default: try writePCM(samples: samples, to: path)
        }
        return path
    }

    private static func writePCM(samples: Int64, to path: String) throws {
        let content = PacketFileHeader.AudioContent(
            codec: .pcm24,
            sampleRate: 48000,
            channels: 2,
            priming: 0,
            frameSize: 0
        )
        let writer = try PacketFileWriter(
            path: path,
            header: PacketFileHeader(content: .audio(content), extradata: Data())
        )
        let data = pcm(samples: samples)
        for (place, start) in stride(from: 0, to: samples, by: 4096).enumerated() {
            let count = min(4096, samples - start)
            try writer.write(
                CodedPacket(
                    decodeIndex: Int64(place),
                    displayIndex: start,
                    duration: count,
                    isKey: true,
                    data: data.subdata(in: Int(start) * 6..<Int(start + count) * 6)
                )
            )
        }
        try writer.finish()
    }

    private static func writeAAC(samples: Int64, to path: String) throws {
        let encoding = AudioEncoding(codec: .aac, bitRate: 128_000)
        let encoder = try AudioEncoder(encoding: encoding, sampleRate: 48000, channels: 2)
        let content = PacketFileHeader.AudioContent(
            codec: .aac,
            sampleRate: 48000,
            channels: 2,
            priming: encoder.priming,
            frameSize: encoder.frameSize
        )
        let header = PacketFileHeader(content: .audio(content), extradata: encoder.extradata)
        let writer = try PacketFileWriter(path: path, header: header)
        let wave: [Float] = (0..<Int(samples)).map { Float($0 * 37 % 1000) / 2500 - 0.2 }
        let sent = try encoder.send(interleaved: wave.flatMap { [$0, $0] })
        let packets = try sent + encoder.finish()
        for (place, packet) in packets.enumerated() {
            try writer.write(
                CodedPacket(
                    decodeIndex: Int64(place),
                    displayIndex: packet.pts,
                    duration: packet.duration,
                    isKey: true,
                    data: packet.data
                )
            )
        }
        try writer.finish()
    }
}
