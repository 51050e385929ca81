import CLibAV
import CompositionModel

/// What only the first decoded picture of a stream tells.
enum FirstPicture {
    /// How a picture file says that it is to be turned: EXIF, which only the decoder reads.
    /// - Returns: upright when it says nothing, or cannot be decoded; that is found when it is rendered.
    static func orientation(_ source: any ByteSource, streamIndex: Int) throws(MediaError) -> Orientation {
        let demuxer = try Demuxer(source)
        guard let stream = demuxer.stream(streamIndex) else { return .upright }
        let decoder = try PictureDecoder(stream, threads: 1)
        demuxer.select([streamIndex])
        let packet = try Packet()
        while try demuxer.next(into: packet) {
            guard packet.streamIndex == streamIndex else { continue }
            let frames = try decoder.decode(packet, number: 0) + decoder.drain()
            return frames.first.flatMap { $0.frame.orientation } ?? .upright
        }
        return .upright
    }
}

extension Frame {
    /// The orientation that its display matrix says; nil without one.
    fileprivate var orientation: Orientation? {
        guard let side = av_frame_get_side_data(raw, AV_FRAME_DATA_DISPLAYMATRIX), side.pointee.size >= 36,
            let data = side.pointee.data
        else { return nil }
        let numbers = UnsafeRawPointer(data)
        return Orientation(matrix: (0..<9).map { Int64(numbers.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)) })
    }
}
