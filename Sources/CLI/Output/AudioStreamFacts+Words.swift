import CompositionModel

extension AudioStreamFacts {
    /// `stereo`, or how many where nobody knows for which loudspeakers: libavutil says `1 channels`.
    var layoutWords: String {
        channelLayout == "\(channels) channels" ? Count.of(channels, "channel") : channelLayout
    }
}
