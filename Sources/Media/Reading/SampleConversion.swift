import CLibAV

/// Brings every sample format of libavutil to planar Float. Integers are divided by their full scale: exact up to 24
/// bits. What is not a finite number is silence: filters would remember it for ever.
enum SampleConversion {
    /// - Returns: nil for a format that is none of sound.
    static func planar(_ frame: Frame) -> [[Float]]? {
        let format = AVSampleFormat(frame.raw.pointee.format)
        let isPlanar = av_sample_fmt_is_planar(format) == 1
        let channels = Int(frame.raw.pointee.ch_layout.nb_channels)
        let count = Int(frame.raw.pointee.nb_samples)
        guard let data = frame.raw.pointee.extended_data, let read = reader(of: format) else { return nil }
        return (0..<channels).map { channel in
            guard let base = data[isPlanar ? channel : 0] else { return [Float](repeating: 0, count: count) }
            return read(UnsafeRawPointer(base), isPlanar ? 0 : channel, isPlanar ? 1 : channels, count)
        }
    }

    /// Reads `count` samples from `base`, beginning with `offset`, taking every `step`th.
    private typealias Read = (_ base: UnsafeRawPointer, _ offset: Int, _ step: Int, _ count: Int) -> [Float]

    private static func reader(of format: AVSampleFormat) -> Read? {
        switch format {
        case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP:
            { read($0, $1, $2, $3) { (value: Float) in value.isFinite ? value : 0 } }
        case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
            { read($0, $1, $2, $3) { (value: Double) in Float(value).isFinite ? Float(value) : 0 } }
        case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: { read($0, $1, $2, $3) { (value: Int16) in Float(value) / 0x8000 } }
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P:
            { read($0, $1, $2, $3) { (value: Int32) in Float(value) / 0x8000_0000 } }
        case AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P:
            { read($0, $1, $2, $3) { (value: Int64) in Float(value) / 0x8000_0000_0000_0000 } }
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P:
            { read($0, $1, $2, $3) { (value: UInt8) in (Float(value) - 128) / 128 } }
        default: nil
        }
    }

    @inline(__always)
    private static func read<Sample>(
        _ base: UnsafeRawPointer,
        _ offset: Int,
        _ step: Int,
        _ count: Int,
        _ convert: (Sample) -> Float
    ) -> [Float] {
        let samples = base.assumingMemoryBound(to: Sample.self) + offset
        return [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            // A loop of its own for samples that follow each other: the compiler makes vectors of it.
            if step == 1 {
                for index in 0..<count { buffer[index] = convert(samples[index]) }
            } else {
                for index in 0..<count { buffer[index] = convert(samples[index &* step]) }
            }
            filled = count
        }
    }
}
