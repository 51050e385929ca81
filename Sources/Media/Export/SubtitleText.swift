import CLibAV
import Foundation
import WireProtocol

/// Hands subtitles that are plain text from one container to another: SubRip of Matroska and timed text of MP4 (3GPP TS
/// 26.245, 5.17) hold the same lines, the latter behind their length.
struct SubtitleText {
    private let isTimedText: Bool

    /// - Returns: nil where the subtitles are copied as they are, or cannot be written.
    init?(_ stream: ExportStream, _ format: ExportFormat) {
        switch (stream.parameters.pointee.codec_id, format) {
        case (AV_CODEC_ID_MOV_TEXT, .matroska): isTimedText = false
        case (AV_CODEC_ID_SUBRIP, .mp4), (AV_CODEC_ID_TEXT, .mp4): isTimedText = true
        default: return nil
        }
    }

    /// Makes a stream's parameters those of the other form.
    func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(MediaError) {
        av_free(parameters.pointee.extradata)
        (parameters.pointee.extradata, parameters.pointee.extradata_size) = (nil, 0)
        parameters.pointee.codec_id = isTimedText ? AV_CODEC_ID_MOV_TEXT : AV_CODEC_ID_SUBRIP
        parameters.pointee.codec_tag = isTimedText ? cut_tag("tx3g") : 0
        guard isTimedText else { return }
        guard let memory = av_mallocz(Self.sampleEntry.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw .writing("No memory for a track of subtitles.")
        }
        memory.copyMemory(from: Self.sampleEntry, byteCount: Self.sampleEntry.count)
        parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(Self.sampleEntry.count)
    }

    /// Rewrites a packet.
    /// - Returns: false for one without text, which the other form does not have.
    func convert(_ packet: Packet) throws(MediaError) -> Bool {
        let bytes = [UInt8](packet.bytes)
        let text = isTimedText ? Self.plain(bytes) : Self.counted(bytes)
        guard !text.isEmpty, text.count <= Int(UInt16.max) else { return false }
        let head = isTimedText ? [UInt8(text.count >> 8), UInt8(text.count & 255)] : []
        let (pts, duration) = (packet.raw.pointee.pts, packet.raw.pointee.duration)
        try packet.fill(EncodedPacket(pts: pts, dts: pts, duration: duration, isKey: true, data: Data(head + text)))
        return true
    }

    /// The text of a sample of timed text, which styles may follow.
    private static func counted(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 2 else { return [] }
        return Array(bytes[2...].prefix(Int(bytes[0]) << 8 | Int(bytes[1])))
    }

    /// The text of a SubRip cue without its tags.
    private static func plain(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        let bare = text.replacing(/<\/?[a-zA-Z][^>]*>/, with: "").replacing(/\{\\[^}]*\}/, with: "")
        return Array(bare.utf8.drop { $0 == 10 }.reversed().drop { $0 == 10 || $0 == 0 }.reversed())
    }

    /// TextSampleEntry behind its head: white letters of 16 pixels at the bottom, and a table of one font.
    private static let sampleEntry: [UInt8] =
        [0, 0, 0, 0, 1, 0xFF, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0]
        + [0, 0, 0, 0, 0, 1, 0, 16, 0xFF, 0xFF, 0xFF, 0xFF]
        + [0, 0, 0, 18] + Array("ftab".utf8) + [0, 1, 0, 1, 5] + Array("Arial".utf8)
}
