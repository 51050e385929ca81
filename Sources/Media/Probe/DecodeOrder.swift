import CLibAV
import Timing

/// Times for streams whose container stores none (AVI with B-frames, raw H.264, fields as packets): every packet is
/// decoded once, and what comes out first is shown first.
struct DecodeOrder {
    let source: any ByteSource
    let streamIndex: Int
    let packetCount: Int

    /// - Returns: for each packet in decode order its place in presentation order; nil for one that shows nothing.
    func places() throws(MediaError) -> [Int?] {
        let demuxer = try Demuxer(source)
        guard let stream = demuxer.stream(streamIndex) else { throw .unsupported("The stream is gone.") }
        let decoder = try PictureDecoder(stream, threads: 2)
        demuxer.select([streamIndex])
        let packet = try Packet()
        var places = [Int?](repeating: nil, count: packetCount)
        var shown = 0
        func take(_ frames: [(number: Int, frame: Frame)]) {
            for (number, _) in frames where places.indices.contains(number) {
                places[number] = shown
                shown += 1
            }
        }
        var number = 0
        while try demuxer.next(into: packet) {
            guard packet.streamIndex == streamIndex else { continue }
            take(try decoder.decode(packet, number: number))
            number += 1
        }
        take(try decoder.drain())
        return places
    }

    /// Times at `rate` from 0 on, in ticks of `timeBase`.
    func times(rate: FrameRate, timeBase: RationalTime) throws(MediaError) -> [Int64?] {
        let places = try places()
        do {
            return try places.map { place in
                try place.map { try rate.time(ofFrame: Int64($0)).count(of: timeBase).value }
            }
        } catch {
            throw .unsupported("Stream \(streamIndex) has impossible times; remux the file with ffmpeg -c copy.")
        }
    }
}
