package import CompositionModel
package import Foundation
package import Timing

/// What the packets of a packet file are: all that a decoder or a muxer must know before the first one
/// (docs/packet-file.md).
package struct PacketFileHeader: Sendable, Hashable, Codable {
    /// What the packets are: coded pictures or coded sound.
    package enum Content: Sendable, Hashable, Codable {
        case video(VideoContent)
        case audio(AudioContent)
    }

    /// Coded pictures, numbered by their frames.
    package struct VideoContent: Sendable, Hashable, Codable {
        package var codec: VideoEncoding.Codec
        package var size: PictureSize
        /// Indexes and durations of the packets count frames of this rate.
        package var frameRate: FrameRate
        package var color: ColorDescription

        package init(codec: VideoEncoding.Codec, size: PictureSize, frameRate: FrameRate, color: ColorDescription) {
            self.codec = codec
            self.size = size
            self.frameRate = frameRate
            self.color = color
        }
    }

    /// Coded sound, numbered by its samples.
    package struct AudioContent: Sendable, Hashable, Codable {
        package var codec: AudioEncoding.Codec
        /// Display indexes and durations of the packets count samples of this rate.
        package var sampleRate: Int
        package var channels: Int
        /// Samples that the decoder gives before the first one that is meant to be heard; that one has display
        /// index 0, so the first packet has −`priming`.
        package var priming: Int
        /// Samples of a full packet; 0 where packets have no size of their own (PCM).
        package var frameSize: Int

        package init(codec: AudioEncoding.Codec, sampleRate: Int, channels: Int, priming: Int, frameSize: Int) {
            self.frameSize = frameSize
            self.codec = codec
            self.sampleRate = sampleRate
            self.channels = channels
            self.priming = priming
        }
    }

    /// What the packets are.
    package var content: Content
    /// The codec's global header, such as SPS and PPS or an AudioSpecificConfig; empty when it has none.
    package var extradata: Data
    /// The global headers of the streams of which packets are copied, in order of first use; nil when none are.
    package var copied: [Data]?

    package init(content: Content, extradata: Data, copied: [Data]? = nil) {
        self.copied = copied
        self.content = content
        self.extradata = extradata
    }

    /// The same header gives the same bytes.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
