import Timing

/// Mixed samples of the timeline that are kept until packets are made of them.
struct KeptSamples {
    private let ranges: [Range<Int64>]
    private var samples: [[[Float]]]

    /// - Parameter ranges: samples of the timeline, disjoint and in order.
    init(_ ranges: [Range<Int64>], channels: Int) {
        self.ranges = ranges
        samples = ranges.map { range in
            Array(repeating: [Float](repeating: 0, count: range.count), count: channels)
        }
    }

    /// Keeps what is wanted of a block that begins with sample `start`. What is louder than full scale is clipped.
    mutating func keep(_ block: [UnsafeMutableBufferPointer<Double>], from start: Int64) {
        let end = start + Int64(block[0].count)
        var index = ranges.partitionPoint { $0.upperBound > start }
        while index < ranges.count, ranges[index].lowerBound < end {
            for sample in ranges[index].clamped(to: start..<end) {
                for channel in block.indices {
                    let value = Float(min(max(block[channel][Int(sample - start)], -1), 1))
                    samples[index][channel][Int(sample - ranges[index].lowerBound)] = value
                }
            }
            index += 1
        }
    }

    /// The samples of `range` of each channel; 0 where none were kept.
    func samples(_ range: Range<Int64>) -> [[Double]] {
        let channels = samples.first?.count ?? 0
        var found = Array(repeating: [Double](repeating: 0, count: range.count), count: channels)
        for (own, kept) in zip(ranges, samples) where own.overlaps(range) {
            let part = own.clamped(to: range)
            for channel in 0..<channels {
                for sample in part {
                    found[channel][Int(sample - range.lowerBound)] = Double(kept[channel][Int(sample - own.lowerBound)])
                }
            }
        }
        return found
    }
}
