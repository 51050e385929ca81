import Bitstream
import CompositionModel
import Foundation
import Media

/// Fits the pictures of all parts into one track: one sample entry, and packets as they belong to it.
protocol SharedTrack {
    /// Says in `track` what its sample entry holds.
    func describe(_ track: inout MovieWriter.VideoTrack)

    /// A picture's packet as it stands in the movie.
    /// - Parameters:
    ///   - isKey: whether the part calls it a key picture.
    ///   - header: the global header with which it was coded.
    ///   - idrID: the idr_pic_id that an IDR picture of H.264 just before it in decode order has.
    /// - Returns: the packet, and its idr_pic_id; nil for any other picture.
    /// - Throws: ``RenderError`` when the header was not announced, the picture cannot be read, or a key picture is none
    ///   at which decoding may begin.
    func packet(
        _ data: Data,
        isKey: Bool,
        header: Data,
        after idrID: Int?
    ) throws(RenderError) -> (data: Data, idrID: Int?)
}

extension SharedParameterSets: SharedTrack {
    func describe(_ track: inout MovieWriter.VideoTrack) {
        track.extradata = extradata
        // The pixel format stays that of 8 bits, which nobody reads: with its own libavformat would call 10 bits of
        // 4:2:2 in QuickTime AVC-Intra, whatever they are.
        track.hasLeftChroma = hasEncodedPictures
    }
}
