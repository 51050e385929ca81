package import CompositionModel
import Foundation
import Media
import Pixels
package import Planning

/// Writes the mix of a sound task as WAV: 24-bit PCM, untouched by any encoder.
package enum WaveWriter {
    /// All samples of `task`, in order, to the file or pipe `path`.
    /// - Parameters:
    ///   - sources: in the order of `task.assets`.
    ///   - scratchFolder: where decoded sound is kept while this works; nothing is left behind.
    ///   - progress: 0 … 1000, never less than before.
    /// - Returns: samples of a channel.
    /// - Throws: ``RenderError``, ``MediaError``.
    package static func write(
        _ task: SoundTask,
        sources: [RenderSource],
        to path: String,
        scratchFolder: String,
        progress: (Int) -> Void,
        warn: (Failure) -> Void = { _ in }
    ) throws -> Int64 {
        let output = try RawOutput(path: path)
        try output.write(WaveHeader(task).bytes)
        try SoundRenderer.mix(
            task,
            sources: sources,
            scratchFolder: scratchFolder,
            progress: progress,
            warn: warn
        ) { samples in
            try output.write(packed(samples))
        }
        // A chunk of an odd length is followed by a byte that its length does not count.
        if task.sampleCount * Int64(task.channels) * 3 % 2 == 1 { try output.write([0]) }
        try output.flush()
        return task.sampleCount
    }

    /// Frame by frame, three bytes a sample, the lowest first.
    private static func packed(_ samples: [UnsafeMutableBufferPointer<Double>]) -> [UInt8] {
        let total = samples.reduce(0) { $0 + $1.count }
        let integers = [Int32](unsafeUninitializedCapacity: total) { output, count in
            for (index, channel) in samples.enumerated() {
                SampleKernels.integers(
                    channel,
                    bits: 24,
                    channel: index,
                    stride: samples.count,
                    into: output
                )
            }
            count = total
        }
        return [UInt8](unsafeUninitializedCapacity: total * 3) { output, count in
            for (index, sample) in integers.enumerated() {
                let bits = UInt32(bitPattern: sample)
                output[3 * index] = UInt8(truncatingIfNeeded: bits)
                output[3 * index + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                output[3 * index + 2] = UInt8(truncatingIfNeeded: bits >> 16)
            }
            count = total * 3
        }
    }
}

/// The head of a WAV file whose length is known, byte for byte that of the preset `wav`; RF64 (EBU Tech 3306) where 32
/// bits do not hold it. The chunk with the lengths has its place in every file, filled (`ds64`) or empty (`JUNK`).
struct WaveHeader {
    let bytes: [UInt8]

    /// The head of a file of all samples of `task`.
    init(_ task: SoundTask) {
        let frameBytes = task.channels * 3
        let dataBytes = UInt64(task.sampleCount) * UInt64(frameBytes)
        let isLong = dataBytes > UInt64(UInt32.max) - 256
        var format = LittleEndianBytes()
        // Of more than 16 bits a sample too (Microsoft, "Multiple channel audio data and WAVE files").
        format.append(UInt16(0xFFFE))
        format.append(UInt16(task.channels))
        format.append(UInt32(task.sampleRate))
        format.append(UInt32(task.sampleRate * frameBytes))
        format.append(UInt16(frameBytes))
        format.append(UInt16(24))
        let speakers = task.speakers ?? ChannelLayout(edit: task.channels)?.speakers
        format.appendExtension(speakers ?? [])
        // "WAVE", the lengths, the format with its head, the head of the data.
        let size = 4 + 36 + 8 + UInt64(format.bytes.count) + 8 + dataBytes + dataBytes % 2
        var head = LittleEndianBytes()
        head.append(isLong ? "RF64" : "RIFF")
        head.append(isLong ? UInt32.max : UInt32(size))
        head.append("WAVE")
        head.appendLengths(isLong ? (riff: size, data: dataBytes, samples: UInt64(task.sampleCount)) : nil)
        head.append("fmt ")
        head.append(UInt32(format.bytes.count))
        head.bytes += format.bytes
        head.append("data")
        head.append(isLong ? UInt32.max : UInt32(dataBytes))
        bytes = head.bytes
    }
}

private struct LittleEndianBytes {
    var bytes: [UInt8] = []

    /// The loudspeakers of a channel mask, from its lowest bit on (WAVEFORMATEXTENSIBLE).
    private static let speakers = ["FL", "FR", "FC", "LFE", "BL", "BR", "FLC", "FRC", "BC", "SL", "SR"]

    mutating func append(_ text: String) { bytes += text.utf8 }

    mutating func append<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    /// WAVE_FORMAT_EXTENSIBLE: 24 valid bits, a bit for each loudspeaker in the order of ``speakers``, PCM's GUID. No
    /// bit where the channels lie in another order, or are for others.
    mutating func appendExtension(_ own: [String]) {
        let places = own.compactMap(LittleEndianBytes.speakers.firstIndex)
        let isTold = places.count == own.count && zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
        let mask = isTold ? places.reduce(UInt32(0)) { $0 | 1 << UInt32($1) } : 0
        append(UInt16(22))
        append(UInt16(24))
        append(mask)
        append(UInt32(1))
        bytes += [0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }

    /// The chunk `ds64`, or the one that keeps its place.
    mutating func appendLengths(_ lengths: (riff: UInt64, data: UInt64, samples: UInt64)?) {
        append(lengths == nil ? "JUNK" : "ds64")
        append(UInt32(28))
        append(lengths?.riff ?? 0)
        append(lengths?.data ?? 0)
        append(lengths?.samples ?? 0)
        append(UInt32(0))
    }
}
