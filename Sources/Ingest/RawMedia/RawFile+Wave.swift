import CompositionModel
import Foundation

extension RawFile {
    /// The number of samples per channel that are copied at a time.
    private static let copiedSamples = 1 << 16

    /// Writes a wave file: a header and the unchanged samples, padded to an even length.
    /// - Throws: `CocoaError` as ``write(to:)``.
    func write(_ sound: RawSound, from input: FileHandle, to output: FileHandle) throws {
        try output.write(contentsOf: waveHeader(sound))
        var rest = byteCount
        while rest > 0 {
            let count = Int(min(rest, Int64(RawFile.copiedSamples * sound.byteCount)))
            try output.write(contentsOf: try read(count, from: input))
            rest -= Int64(count)
        }
        if byteCount % 2 == 1 { try output.write(contentsOf: Data([0])) }
    }

    /// Everything before the first sample. EBU Tech 3306: lengths that do not fit into 32 bits are in a chunk `ds64`.
    private func waveHeader(_ sound: RawSound) -> Data {
        let isLarge = byteCount + 100 > Int64(UInt32.max)
        var header = Data((isLarge ? "RF64" : "RIFF").utf8)
        header += bytes(isLarge ? UInt32.max : UInt32(byteCount + 36 + byteCount % 2)) + Data("WAVE".utf8)
        if isLarge { header += longLengths(sound) }
        header += formatChunk(sound)
        return header + Data("data".utf8) + bytes(isLarge ? UInt32.max : UInt32(byteCount))
    }

    private func longLengths(_ sound: RawSound) -> Data {
        let sampleCount = UInt64(byteCount) / UInt64(sound.byteCount)
        return Data("ds64".utf8) + bytes(UInt32(28)) + bytes(UInt64(byteCount + 72)) + bytes(UInt64(byteCount))
            + bytes(sampleCount) + bytes(UInt32(0))
    }

    private func formatChunk(_ sound: RawSound) -> Data {
        var chunk = Data("fmt ".utf8) + bytes(UInt32(16)) + bytes(UInt16(sound.sampleFormat.isFloat ? 3 : 1))
        chunk += bytes(UInt16(sound.channels)) + bytes(UInt32(sound.sampleRate))
        chunk += bytes(UInt32(sound.sampleRate * sound.byteCount)) + bytes(UInt16(sound.byteCount))
        return chunk + bytes(UInt16(8 * sound.sampleFormat.byteCount))
    }

    private func bytes<Number: FixedWidthInteger>(_ value: Number) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }
}
