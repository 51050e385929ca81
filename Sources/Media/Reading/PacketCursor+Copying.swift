import Bitstream
import CLibAV

extension PacketCursor {
    /// How the stream's packets hold NAL units; nil for start codes, and of codecs without them.
    /// - Throws: ``MediaError/invalidIndex(_:)`` for a global header that cannot be read.
    func copiedPrefix() throws(MediaError) -> LengthPrefix? {
        guard let parameters = stream?.pointee.codecpar?.pointee, parameters.codec_id == AV_CODEC_ID_HEVC else {
            return try lengthPrefix()
        }
        let header = UnsafeRawBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size))
        guard header.first == 1 else { return nil }
        do {
            return try HEVCConfiguration(Array(header)[...]).lengthPrefix
        } catch {
            throw .invalidIndex("The stream's header cannot be read (\(error)); probe the asset again.")
        }
    }
}
