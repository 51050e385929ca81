import CLibAV

/// Mends what libavformat says of Vorbis in an Ogg's first page of sound.
///
/// It counts that page's packets back from its granule position one by one, each as if a short block stood before it
/// (libavformat 59.27, `vorbis_packet`): a short block behind a long one is called too short, and too late, by a quarter
/// of the difference of the two block sizes (Vorbis I, 4.3.8). The next packet is right again. No packets that are lost
/// leave a hole of that length, because each is as long as a whole block or longer.
/// ```
/// packets     |     long     |   long, then short   | short |
/// libavformat |     long     |              | short | short |
/// ```
struct VorbisTimes {
    private let excess: Int64
    /// Where the packet before ends; nil where none was read.
    private var end: Int64?

    /// - Returns: nil for streams that need no mending.
    init?(_ stream: UnsafeMutablePointer<AVStream>, container: String) {
        guard container == "ogg", let parameters = stream.pointee.codecpar,
            parameters.pointee.codec_id == AV_CODEC_ID_VORBIS
        else { return nil }
        let data = UnsafeRawBufferPointer(
            start: parameters.pointee.extradata,
            count: Int(parameters.pointee.extradata_size)
        )
        guard let sizes = VorbisTimes.blockSizes(data), sizes.short < sizes.long else { return nil }
        excess = (sizes.long - sizes.short) / 4
    }

    /// Three headers behind the lengths of the first two, in Xiph's lacing: byte 28 of the first holds the exponents of
    /// the block sizes (Vorbis I, 4.2.2).
    private static func blockSizes(_ data: UnsafeRawBufferPointer) -> (short: Int64, long: Int64)? {
        guard data.count > 2, data[0] == 2, data[1] == 30 else { return nil }
        guard let second = data[2...].firstIndex(where: { $0 < 255 }), second + 30 <= data.count else { return nil }
        let exponents = data[second + 1 + 28]
        return (1 << Int64(exponents & 15), 1 << Int64(exponents >> 4))
    }

    /// Forgets the packet before.
    mutating func jump() { end = nil }

    mutating func mend(_ packet: Packet) {
        guard let pts = packet.pts else {
            end = nil
            return
        }
        if let end, pts - end == excess {
            packet.raw.pointee.pts = end
            packet.raw.pointee.dts = end
            packet.raw.pointee.duration += excess
        }
        end = (packet.pts ?? pts) + packet.duration
    }
}
