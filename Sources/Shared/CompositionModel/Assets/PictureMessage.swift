/// A kind of supplemental enhancement information that coded pictures carry beside their samples.
package enum PictureMessage: String, Sendable, Hashable, Codable, CaseIterable {
    /// Closed captions and the active format (ATSC A/53), a few bytes with each picture.
    case captions
    /// HDR10+ and other metadata of single pictures.
    case dynamicRange
    /// Data of cameras and other programs.
    case userData
    /// What holds for a whole sequence: mastering display, content light, alternative transfer, ambient light, orientation.
    case display
    /// Two views in one frame.
    case framePacking
    /// The time of day or of the tape, in picture timing.
    case timecode
    /// Grain that the player adds.
    case filmGrain

    /// The kind's name, worded to end a sentence such as "The frames lose their …".
    package var words: String {
        switch self {
        case .captions: "captions"
        case .dynamicRange: "dynamic HDR metadata"
        case .userData: "user data"
        case .display: "HDR metadata"
        case .framePacking: "frame packing"
        case .timecode: "timecode"
        case .filmGrain: "film grain messages"
        }
    }

    /// Whether a message belongs to its picture alone; the others hold for what follows too.
    package var isOfOnePicture: Bool {
        switch self {
        case .captions, .dynamicRange, .userData, .timecode: true
        case .display, .framePacking, .filmGrain: false
        }
    }
}

/// The pictures of a stream that carry messages of one kind.
package struct MessageFacts: Sendable, Hashable, Codable {
    package var kind: PictureMessage
    /// The shown frames of the stream whose packets carry them.
    package var frames: FrameSet

    package init(kind: PictureMessage, frames: FrameSet) {
        self.kind = kind
        self.frames = frames
    }
}
