/// A run of decoded sound.
package struct SoundBlock: Sendable, Hashable {
    /// Its first sample, 0 being the first audible one of the stream.
    package var start: Int64
    /// One array a channel, all of ``count`` samples, full scale ±1.
    package var channels: [[Float]]

    package init(start: Int64, channels: [[Float]]) {
        self.start = start
        self.channels = channels
    }

    /// The number of samples of each channel.
    package var count: Int { channels.first?.count ?? 0 }

    /// Without its first `count` samples.
    func dropping(first count: Int) -> SoundBlock {
        SoundBlock(start: start + Int64(count), channels: channels.map { Array($0.dropFirst(count)) })
    }

    /// Its first `count` samples.
    func keeping(first count: Int) -> SoundBlock {
        SoundBlock(start: start, channels: channels.map { Array($0.prefix(count)) })
    }
}
