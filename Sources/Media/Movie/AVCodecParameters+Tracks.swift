import CLibAV
import CompositionModel
import Foundation

extension AVCodecParameters {
    mutating func describe(_ track: MovieWriter.VideoTrack, in container: Container) throws(MediaError) {
        codec_type = AVMEDIA_TYPE_VIDEO
        codec_id = track.codec.identifier
        codec_tag = track.sampleEntry(in: container)
        format = av_get_pix_fmt(track.pixelFormat).rawValue
        if let number = track.profile { profile = number }
        if track.codec.isIntra, track.codec != .ffv1 { field_order = AV_FIELD_PROGRESSIVE }
        width = Int32(track.size.width)
        height = Int32(track.size.height)
        sample_aspect_ratio = track.raster.sampleAspectRatio
        color_space = track.color.rawMatrix
        color_range = track.color.rawRange
        color_primaries = track.color.rawPrimaries
        color_trc = track.color.rawTransfer
        chroma_location = track.hasLeftChroma ? AVCHROMA_LOC_LEFT : AVCHROMA_LOC_UNSPECIFIED
        try setExtradata(track.extradata)
    }

    mutating func describe(_ track: MovieWriter.AudioTrack) throws(MediaError) {
        codec_type = AVMEDIA_TYPE_AUDIO
        codec_id = track.codec.identifier
        format = track.codec.sampleFormat.rawValue
        sample_rate = Int32(track.sampleRate)
        ch_layout.set(edit: track.channels)
        initial_padding = Int32(track.priming)
        frame_size = Int32(track.frameSize)
        bit_rate = Int64(track.bitRate ?? 0)
        if let bits = track.codec.bits { bits_per_raw_sample = Int32(bits) }
        if track.codec.isPCM {
            let bits = track.codec.bits ?? 32
            bits_per_coded_sample = Int32(bits)
            block_align = Int32(bits / 8 * track.channels)
        }
        try setExtradata(track.extradata)
    }

    /// Copies `data` with the padding that readers of bits need; libavformat frees it.
    private mutating func setExtradata(_ data: Data) throws(MediaError) {
        guard !data.isEmpty else { return }
        let size = data.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard let memory = av_mallocz(size)?.assumingMemoryBound(to: UInt8.self) else {
            throw .writing("No memory for a track's extradata.")
        }
        data.copyBytes(to: memory, count: data.count)
        extradata = memory
        extradata_size = Int32(data.count)
    }
}

extension MovieWriter.VideoTrack {
    /// The four characters of the sample entry, the first in the lowest byte; 0 leaves them to the container's writer.
    fileprivate func sampleEntry(in container: Container) -> UInt32 {
        // All parameter sets are in the sample entry and none among the samples (ISO/IEC 14496-15, 8.4.1.1).
        let name = codec == .hevc && container.isISOMedia ? "hvc1" : tag ?? ""
        return name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
