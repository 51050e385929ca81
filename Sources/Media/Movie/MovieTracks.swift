package import CompositionModel
package import Foundation
package import Timing

extension MovieWriter {
    /// The track a packet belongs to.
    package enum Track: Sendable, Hashable {
        case video, audio
    }

    /// Packets' times are frame numbers.
    package struct VideoTrack: Sendable, Hashable {
        package var codec: VideoEncoding.Codec
        package var size: PictureSize
        /// How the coded picture lies; nil where it is coded as it is shown.
        package var raster: CodedRaster?
        package var color: ColorDescription
        package var frameRate: FrameRate
        /// The codec's global header, see ``VideoEncoder/extradata``.
        package var extradata: Data
        /// libavutil's name of the pixel format.
        package var pixelFormat = PixelFormat.yuv420p.name
        /// The four characters of the sample entry; nil where they follow from codec and profile.
        package var tag: String?
        /// Whether chroma lies at the left, as in pictures that are encoded here; false where all are copied, which say it
        /// themselves.
        package var hasLeftChroma = true
        /// libavcodec's number of the profile; nil where the global header says it.
        package var profile: Int32?

        package init(
            codec: VideoEncoding.Codec,
            size: PictureSize,
            raster: CodedRaster? = nil,
            color: ColorDescription,
            frameRate: FrameRate,
            extradata: Data
        ) {
            self.codec = codec
            self.size = size
            self.raster = raster
            self.color = color
            self.frameRate = frameRate
            self.extradata = extradata
        }
    }

    /// Packets' times are sample numbers; the first packet's is −`priming`.
    package struct AudioTrack: Sendable, Hashable {
        package var codec: AudioEncoding.Codec
        package var sampleRate: Int
        package var channels: Int
        /// The codec's global header, see ``AudioEncoder/extradata``.
        package var extradata: Data
        /// Samples at the start that an edit list hides.
        package var priming: Int
        /// Samples of a full packet; 0 for PCM.
        package var frameSize: Int
        /// Bits a second that the encoder was asked for; nil where it was not.
        package var bitRate: Int?

        package init(
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
