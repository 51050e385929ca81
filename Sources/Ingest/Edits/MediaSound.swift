/// The sound of a media file as it is heard when the file is used without an edit.
package enum MediaSound: Sendable {
    /// The default track, as an edit takes it: mono stays mono, everything else becomes stereo.
    case usual
    /// The default track with this number of channels, each of them unchanged.
    case each(Int)
    /// The track of this number, counted from 0, with each of its channels unchanged. A sample rate of nil stands for
    /// 48,000 Hz.
    case track(Int, channels: Int, sampleRate: Int?)
    /// Silence: the file's pictures alone.
    case none

    /// The channels that the edit writes down; nil follows the file.
    var channels: Int? {
        switch self {
        case .each(let channels), .track(_, let channels, _): channels
        case .usual, .none: nil
        }
    }
}
