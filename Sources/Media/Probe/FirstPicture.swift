import CLibAV
import CompositionModel

/// What only the first decoded picture of a stream tells.
struct FirstPicture {
    /// How a picture file says that it is to be turned: EXIF, which only the decoder reads; upright when it says nothing.
    let orientation: Orientation
    /// The field that comes first; nil for a progressive picture. Containers and headers say it of few codecs.
    let firstField: FieldOrder?

    /// Decodes the first picture of a stream.
    /// - Returns: nil when it cannot be decoded; that is found when it is rendered.
    /// - Throws: ``MediaError`` when the file cannot be read, or there is no memory, which says nothing of the file.
    static func read(_ source: any ByteSource, streamIndex: Int) throws(MediaError) -> FirstPicture? {
        let demuxer = try Demuxer(source)
        guard let stream = demuxer.stream(streamIndex),
            let decoder = try unlessDamaged({ () throws(MediaError) in try PictureDecoder(stream, threads: 1) })
        else { return nil }
        demuxer.select([streamIndex])
        let packet = try Packet()
        // The first packets of a stream may hold no picture, and a decoder keeps some before it shows one.
        for number in 0..<mostPackets {
            guard try demuxer.next(into: packet) else { break }
            guard packet.streamIndex == streamIndex else { continue }
            guard
                let frames = try unlessDamaged({ () throws(MediaError) in try decoder.decode(packet, number: number) })
            else { return nil }
            if let frame = frames.first?.frame { return FirstPicture(frame) }
        }
        let rest = try unlessDamaged { () throws(MediaError) in try decoder.drain() }
        return rest?.first.map { FirstPicture($0.frame) }
    }

    /// Runs `body`.
    /// - Returns: nil when it fails over the file.
    /// - Throws: ``MediaError/outOfMemory(_:)``.
    private static func unlessDamaged<Value>(_ body: () throws(MediaError) -> Value) throws(MediaError) -> Value? {
        do throws(MediaError) {
            return try body()
        } catch {
            if case .outOfMemory = error { throw error }
            return nil
        }
    }

    /// The packets after which no picture is waited for.
    private static let mostPackets = 64

    private init(_ frame: Frame) {
        orientation = frame.orientation ?? .upright
        firstField = frame.firstField
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
