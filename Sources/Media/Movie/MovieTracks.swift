public import CompositionModel
public import Foundation
public import Timing

extension MovieWriter {
    /// The track a packet belongs to.
    public enum Track: Sendable, Hashable {
        case video, audio
    }

    /// Packets' times are frame numbers.
    public struct VideoTrack: Sendable, Hashable {
        public var codec: VideoEncoding.Codec
        public var size: PictureSize
        public var color: ColorDescription
        public var frameRate: FrameRate
        /// The codec's global header, see ``VideoEncoder/extradata``.
        public var extradata: Data

        public init(
            codec: VideoEncoding.Codec,
            size: PictureSize,
            color: ColorDescription,
            frameRate: FrameRate,
            extradata: Data
        ) {
            self.codec = codec
            self.size = size
            self.color = color
            self.frameRate = frameRate
            self.extradata = extradata
        }
    }

    /// Packets' times are sample numbers; the first packet's is −`priming`.
    public struct AudioTrack: Sendable, Hashable {
        public var codec: AudioEncoding.Codec
        public var sampleRate: Int
        public var channels: Int
        /// The codec's global header, see ``AudioEncoder/extradata``.
        public var extradata: Data
        /// Samples at the start that an edit list hides.
        public var priming: Int
        /// Samples of a full packet; 0 for PCM.
        public var frameSize: Int
        /// Bits a second that the encoder was asked for; nil where it was not.
        public var bitRate: Int?

        public init(
            codec: AudioEncoding.Codec,
            sampleRate: Int,
            channels: Int,
            extradata: Data,
            priming: Int,
            frameSize: Int,
            bitRate: Int?
        ) {
            self.codec = codec
            self.sampleRate = sampleRate
            self.channels = channels
            self.extradata = extradata
            self.priming = priming
            self.frameSize = frameSize
            self.bitRate = bitRate
        }
    }
}
