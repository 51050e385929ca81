import Farm
import Planning
import Timing

/// What can be played of a job now: the answer to `GET /v1/jobs/{id}/preview`.
struct PreviewView: Sendable, Encodable {
    /// A part of the output.
    struct Part: Sendable, Encodable {
        let kind: PreviewTrackKind
        /// The position of its task in the job, by which its fragment is asked for.
        let position: Int
        /// Where it begins in the output, in seconds.
        let start: Double
        /// Where it ends in the output, in seconds.
        let end: Double
        /// Whether it is rendered.
        let isThere: Bool
    }

    /// The media type of both tracks; absent while nothing of the picture is rendered, and where browsers do not play it.
    var type: String?
    /// The media type of the track of pictures; absent as ``type``.
    var pictureType: String?
    /// The media type of the track of sound; absent where there is none, none of it is rendered, or it is not played.
    var soundType: String?
    /// Why browsers do not play the picture, as a sentence; absent when they do, or while nothing of it is rendered.
    var reason: String?
    /// Why browsers do not play the sound, as a sentence; absent as ``reason``.
    var soundReason: String?
    /// Frames per second, as a fraction.
    let frameRate: FrameRate
    /// The number of frames of the output.
    let frameCount: Int64
    /// The duration of the output in seconds.
    let duration: Double
    /// The pieces of the picture, and then those of the sound, each in order of time.
    let parts: [Part]

    /// What can be played of an output, whose types are left out.
    /// - Parameter accepted: the positions of the accepted parts.
    init(_ layout: OutputLayout, accepted: Set<Int>) {
        let stitch = layout.stitch
        let rate = Double(stitch.frameRate.numerator) / Double(stitch.frameRate.denominator)
        let sampleRate = Double(stitch.sampleRate)
        frameRate = stitch.frameRate
        frameCount = stitch.frameCount
        duration = stitch.hasPicture ? Double(stitch.frameCount) / rate : Double(stitch.sampleCount) / sampleRate
        parts = [(PreviewTrackKind.picture, rate), (.sound, sampleRate)].flatMap { track, unit in
            layout.pieces(of: track).map { piece in
                Part(
                    kind: track,
                    position: piece.position,
                    start: Double(piece.start) / unit,
                    end: Double(piece.end) / unit,
                    isThere: accepted.contains(piece.position)
                )
            }
        }
    }

    /// Says by the head of the track of pictures whether it is played.
    mutating func setPicture(_ head: PreviewItem.Content) {
        switch head {
        case .track(let codec):
            pictureType = "video/mp4; codecs=\"\(codec)\""
            type = pictureType
        case .notPlayed(let why): reason = why
        case .plain: break
        }
    }

    /// Says by the head of the track of sound whether it is played; the picture is said first.
    mutating func setSound(_ head: PreviewItem.Content) {
        switch head {
        case .track(let codec):
            soundType = "audio/mp4; codecs=\"\(codec)\""
            type = pictureType.map { $0.dropLast() + ", \(codec)\"" }
        case .notPlayed(let why): soundReason = why
        case .plain: break
        }
    }
}
