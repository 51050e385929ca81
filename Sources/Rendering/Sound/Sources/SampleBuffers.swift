/// Memory for blocks of samples, one per channel, kept from block to block.
final class SampleBuffers {
    private var channels: [UnsafeMutableBufferPointer<Double>]

    /// Memory for so many channels; none is taken before the first block.
    init(channels: Int) {
        self.channels = Array(repeating: .init(start: nil, count: 0), count: channels)
    }

    deinit { for channel in channels { channel.deallocate() } }

    /// How many channels.
    var count: Int { channels.count }

    /// The first `count` samples of each channel; what they hold is left over from before.
    /// The pointers are good until the next call, and no longer than this object.
    func take(_ count: Int) -> [UnsafeMutableBufferPointer<Double>] {
        if let first = channels.first, first.count < count {
            for index in channels.indices {
                channels[index].deallocate()
                channels[index] = .allocate(capacity: count)
                channels[index].initialize(repeating: 0)
            }
        }
        return channels.map { UnsafeMutableBufferPointer(rebasing: $0.prefix(count)) }
    }
}
