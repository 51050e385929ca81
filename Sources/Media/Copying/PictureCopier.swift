package import CompositionModel
package import Foundation
package import Timing

/// Hands over the coded pictures of consecutive frames of a stream, without what belongs to the file that they come from.
package protocol PictureCopier {
    /// The next picture in decode order. Its pts counts frames from the first of the span, its dts packets.
    /// - Returns: nil after the last.
    /// - Throws: ``MediaError`` when a packet is not what the probe found.
    mutating func next() throws(MediaError) -> EncodedPacket?
}

/// How pictures of each codec are copied.
package enum PictureCopying {
    /// The global header of copied pictures: parameter sets as NAL units with start codes, of intra codecs the
    /// configuration itself.
    /// - Parameter configuration: as ``CodedForm/configuration``.
    /// - Throws: ``MediaError/invalidIndex(_:)`` when it cannot be read.
    package static func header(_ configuration: Data, codec: VideoEncoding.Codec) throws(MediaError) -> Data {
        switch codec {
        case .h264, .ffv1: try CopiedParameterSets(configuration).annexB
        case .hevc: try HEVCCopiedSets(configuration).annexB
        case .prores, .dnxhd, .mjpeg: configuration
        }
    }

    /// A copier of `frames`.
    /// - Parameters:
    ///   - stream: no other copier may read from it until this one has handed over its last picture.
    ///   - frames: shown frames of the stream; the first is an entry, the last one before an end (``CopyStretch``).
    ///   - configuration: the ``CodedForm/configuration`` that is in force there.
    /// - Throws: ``MediaError`` when the file does not fit its index.
    package static func copier(
        of codec: VideoEncoding.Codec,
        from stream: CopiedStream,
        frames: FrameRange,
        configuration: Data
    ) throws(MediaError) -> any PictureCopier {
        let packets = try CopiedPackets(stream, frames: frames)
        switch codec {
        case .h264, .ffv1: return H264Copier(packets, sets: try CopiedParameterSets(configuration))
        case .hevc: return HEVCCopier(packets, sets: try HEVCCopiedSets(configuration))
        case .prores, .dnxhd, .mjpeg: return IntraCopier(packets)
        }
    }
}
