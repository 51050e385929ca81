import CompositionModel
import EditLanguage
import Ingest
import Timing

/// A media file whose frames and samples are taken without an edit.
///
/// Frame numbers and times are those of the file itself, and messages speak of the file.
struct MediaFileInput: Sendable {
    /// The path as the user gave it.
    let path: String
    let facts: AssetFacts
    /// The number of the audio track that was asked for, counted from 0; nil for the default track.
    let track: Int?

    /// The video stream whose frames are taken; nil for a file of sound alone.
    var stream: VideoStreamFacts? { facts.defaultVideo }
    /// The audio track in use; nil for a file without sound.
    var sound: AudioStreamFacts? { track.map { facts.audio[$0] } ?? facts.defaultAudio }

    /// Probes the file.
    /// - Parameter track: the audio track, such as `audio/1`; nil for the default track.
    /// - Throws: ``CommandFailure`` for a file that cannot be read, or that has neither picture nor sound, or not this
    ///   track; `CancellationError`.
    init(_ path: String, probe: LocalProbe, track: String? = nil) async throws {
        self.path = path
        facts = try await probe.facts(ofFile: path).facts
        guard !facts.video.isEmpty || !facts.audio.isEmpty else {
            throw CommandFailure(.usage, "\(path) has no picture and no sound, so it has no frames and no samples.")
        }
        self.track = try track.map { [facts] track in try AudioTrackChoice(facts, of: path).number(track) }
    }

    /// The frame rate of the timeline on which the whole file is read.
    var readRate: FrameRate { stream.map(\.readRate) ?? FrameRate.common[2] }

    /// The display size of a stream with square pixels, which is kept as it is, also with odd sides; nil for a stream
    /// that has to be resampled.
    func ownSize(_ stream: VideoStreamFacts) -> PictureSize? {
        stream.pixelAspect == RationalTime(whole: 1) ? stream.displaySize : nil
    }
}
