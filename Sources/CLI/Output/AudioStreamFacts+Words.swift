import CompositionModel

extension AudioStreamFacts {
    /// The layout, such as `stereo`, or the number of channels where their speakers are unknown: libavutil says
    /// `1 channels`.
    var layoutWords: String {
        channelLayout == "\(channels) channels" ? Count.of(channels, "channel") : channelLayout
    }

    /// The name of an audio track as edits and `probe` write it, such as `audio/0`.
    /// - Parameter number: the track's number, counted from 0.
    static func trackName(_ number: Int) -> String { "audio/\(number)" }
}
