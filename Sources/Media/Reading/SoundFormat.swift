import Timing

/// What a stream sounds like from its start to its end. A frame of another kind comes of a damaged header, unless more
/// of them follow.
struct SoundFormat {
    let channels: Int
    let sampleRate: Int
    /// Microseconds of another kind, one behind the other.
    private var foreign: Int64 = 0
    private static let patience: Int64 = 1_000_000
    /// Source time of sample 0.
    private let start: RationalTime

    init(channels: Int, sampleRate: Int, start: RationalTime = .zero) {
        (self.channels, self.sampleRate, self.start) = (channels, sampleRate, start)
    }

    /// - Parameter sample: where it is heard.
    /// - Returns: false for a frame that cannot be heard.
    /// - Throws: ``MediaError/decoding(_:)`` when the stream stays another one.
    mutating func admits(_ frame: SoundDecoder.Decoded, at sample: Int64) throws(MediaError) -> Bool {
        if frame.channels.count == channels, frame.sampleRate == sampleRate {
            foreign = 0
            return true
        }
        foreign += Int64(frame.count) * 1_000_000 / Int64(max(frame.sampleRate, 1))
        guard foreign > SoundFormat.patience else { return false }
        throw .decoding(
            "its sound changes from \(words(channels, sampleRate)) to \(words(frame.channels.count, frame.sampleRate)) at "
                + "\(TimeWords.seconds(sample: sample, at: sampleRate, after: start)); convert it to one format first, with ffmpeg -i IN "
                + "-ac \(channels) -ar \(sampleRate) -c:a flac OUT.flac."
        )
    }

    private func words(_ channels: Int, _ sampleRate: Int) -> String {
        "\(channels == 1 ? "1 channel" : "\(channels) channels") at \(sampleRate) Hz"
    }
}
