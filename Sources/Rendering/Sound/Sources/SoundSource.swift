import CompositionModel
import Foundation
import Media
import Pixels

/// One stream's decoded sound: only the ranges that are needed, as Float on disk, read back as the edit's channels.
/// Memory is one block, however long the stream.
final class SoundSource: SampleSource {
    private let kept: SampleRanges
    private let matrix: ChannelMatrix
    private let channelCount: Int
    private let scratch: ScratchFile
    /// The place of the first kept sample in the scratch file, in bytes.
    private let offset: Int64
    /// One block of interleaved samples on the way to or from the scratch file.
    private var frames: [Float] = []

    /// - Parameters:
    ///   - needed: what will be read; reading more gives silence there.
    ///   - channels: the number of the edit's channels.
    ///   - map: the clip's own map, see ``ChannelMatrix/init(of:channels:map:)``.
    /// - Throws: ``RenderError`` `unknown_channel_layout`, `file_failed`, `no_space`.
    init(
        _ facts: AudioStreamFacts,
        needed: SampleRanges,
        channels: Int,
        map: [[Int64]]? = nil,
        scratch: ScratchFile
    ) throws(RenderError) {
        matrix = try ChannelMatrix(of: facts, channels: channels, map: map)
        kept = SampleRanges(needed.ranges.map { $0.clamped(to: 0..<max(facts.sampleCount, 0)) })
        channelCount = facts.channels
        self.scratch = scratch
        offset = try scratch.allocate(kept.sampleCount * Int64(channelCount * MemoryLayout<Float>.size))
    }

    /// - Throws: ``RenderError`` `channels_change`.
    static func check(_ channels: [[Float]], channelCount: Int) throws(RenderError) {
        guard channels.count == channelCount else {
            throw RenderError(
                "channels_change",
                "A sound stream changes from \(channelCount) to \(channels.count) channels; convert it first.",
                isPermanent: true
            )
        }
    }

    /// What has to be decoded, ascending.
    var ranges: [Range<Int64>] { kept.ranges }

    /// Keeps what is needed of the samples from `start` on.
    /// - Parameter channels: the source's, of equal length.
    func keep(_ channels: [[Float]], from start: Int64) throws {
        try Self.check(channels, channelCount: channelCount)
        let parts = kept.intersections(with: start..<start + Int64(channels[0].count))
        for (part, rank) in parts {
            let range = Int(part.lowerBound - start)..<Int(part.upperBound - start)
            try write(channels.map { $0[range] }, rank: rank)
        }
    }

    func read(_ range: Range<Int64>, into channels: [UnsafeMutableBufferPointer<Double>]) throws {
        for channel in channels { SampleKernels.fill(channel, with: 0) }
        for (part, rank) in kept.intersections(with: range) {
            let slice = Int(part.lowerBound - range.lowerBound)..<Int(part.upperBound - range.lowerBound)
            try load(slice.count, rank: rank)
            for (row, channel) in zip(matrix.rows, channels) {
                mix(row, into: UnsafeMutableBufferPointer(rebasing: channel[slice]))
            }
        }
    }

    private func write(_ channels: [ArraySlice<Float>], rank: Int64) throws {
        reserve(channels[0].count)
        for (index, samples) in channels.enumerated() {
            samples.withUnsafeBufferPointer { samples in
                frames.withUnsafeMutableBufferPointer {
                    SampleKernels.interleave(samples, channel: index, stride: channelCount, into: $0)
                }
            }
        }
        let byteCount = channels[0].count * channelCount * MemoryLayout<Float>.size
        try frames.withUnsafeBytes { try scratch.write(.init(rebasing: $0[..<byteCount]), at: place(rank)) }
    }

    private func load(_ count: Int, rank: Int64) throws {
        reserve(count)
        let byteCount = count * channelCount * MemoryLayout<Float>.size
        let place = place(rank)
        try frames.withUnsafeMutableBytes { try scratch.read(into: .init(rebasing: $0[..<byteCount]), at: place) }
    }

    private func mix(_ row: [Double], into sums: UnsafeMutableBufferPointer<Double>) {
        frames.withUnsafeBufferPointer { frames in
            for (channel, factor) in row.enumerated() where factor != 0 {
                SampleKernels.add(frames, channel: channel, stride: channelCount, factor: factor, to: sums)
            }
        }
    }

    private func reserve(_ count: Int) {
        let missing = count * channelCount - frames.count
        if missing > 0 { frames += [Float](repeating: 0, count: missing) }
    }

    private func place(_ rank: Int64) -> Int64 { offset + rank * Int64(channelCount * MemoryLayout<Float>.size) }
}
