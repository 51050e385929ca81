import CompositionModel
import Media
import Pixels

/// A stream that is decoded while it is read: nothing is kept but what lies about the last place. For a stream that one
/// clip plays from one place to another, whatever its length; reading further back begins anew.
final class StreamedSource: SampleSource {
    /// Samples before the last place that are still there: more than any resampler reads twice.
    private static let kept = 1 << 16

    let facts: AudioStreamFacts
    private let matrix: ChannelMatrix
    private let reader: SoundReader
    /// What is there of each channel, and the sample at which it begins.
    private var held: [[Float]]
    private var start: Int64 = 0
    private var isEnded = false
    /// All that was read.
    private(set) var heard = SampleRanges([])
    /// The damage of what was decoded so far.
    var damage: SoundDamage { reader.damage }
    private let failing: (MediaError) -> RenderError

    /// - Parameters:
    ///   - channels: the number of the edit's channels.
    ///   - map: the clip's own map, see ``ChannelMatrix/init(of:channels:map:)``.
    ///   - failing: what is said of a stream that cannot be decoded.
    /// - Throws: ``RenderError`` `unknown_channel_layout`, and what `failing` gives.
    init(
        _ facts: AudioStreamFacts,
        of bytes: any ByteSource,
        channels: Int,
        map: [[Int64]]? = nil,
        failing: @escaping (MediaError) -> RenderError
    ) throws(RenderError) {
        self.facts = facts
        self.failing = failing
        matrix = try ChannelMatrix(of: facts, channels: channels, map: map)
        held = Array(repeating: [], count: facts.channels)
        do { reader = try SoundReader(source: bytes, stream: facts) } catch { throw failing(error) }
    }

    func read(_ range: Range<Int64>, into channels: [UnsafeMutableBufferPointer<Double>]) throws {
        for channel in channels { SampleKernels.fill(channel, with: 0) }
        let part = range.clamped(to: 0..<max(facts.sampleCount, 0))
        guard !part.isEmpty else { return }
        heard = SampleRanges(heard.ranges + [part])
        do { try decode(part) } catch let error as MediaError { throw failing(error) }
        let there = part.clamped(to: start..<start + Int64(held[0].count))
        guard !there.isEmpty else { return }
        let target = Int(there.lowerBound - range.lowerBound)..<Int(there.upperBound - range.lowerBound)
        let own = Int(there.lowerBound - start)..<Int(there.upperBound - start)
        for (row, channel) in zip(matrix.rows, channels) {
            for (index, factor) in row.enumerated() where factor != 0 {
                held[index].withUnsafeBufferPointer {
                    let sums = UnsafeMutableBufferPointer(rebasing: channel[target])
                    SampleKernels.add(.init(rebasing: $0[own]), channel: 0, stride: 1, factor: factor, to: sums)
                }
            }
        }
    }

    /// Decodes until `part` is there, or the stream has ended.
    private func decode(_ part: Range<Int64>) throws {
        if held[0].isEmpty || part.lowerBound < start {
            try reader.move(to: part.lowerBound)
            held = held.map { _ in [] }
            isEnded = false
        }
        while !isEnded, held[0].isEmpty || start + Int64(held[0].count) < part.upperBound {
            guard let block = try reader.next() else {
                isEnded = true
                return
            }
            try SoundSource.check(block.channels, channelCount: facts.channels)
            if held[0].isEmpty { start = block.start }
            for index in held.indices { held[index].append(contentsOf: block.channels[index]) }
            let old = min(Int(part.lowerBound - start) - Self.kept, held[0].count)
            // Now and then, not at every block.
            if old > Self.kept {
                for index in held.indices { held[index].removeFirst(old) }
                start += Int64(old)
            }
        }
    }
}
