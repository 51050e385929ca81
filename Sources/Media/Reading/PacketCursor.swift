import Bitstream
import CLibAV
import CompositionModel

/// Reads one picture stream's packets and always knows which packet of the index it is at.
///
/// Demuxers seek by pts, by dts or to anywhere; so every landing is recognised by matching what comes
/// against the index, and one behind the wanted packet is answered by seeking further back, at last by starting over.
final class PacketCursor {
    private let source: any ByteSource
    private let index: FrameIndex
    private let packet: Packet
    private var demuxer: Demuxer
    /// Numbers of the keyframes, and of those by byte position where it is known and nobody else's.
    private let keys: [Int]
    private var keyOfPosition: [Int64: Int] = [:]
    private static let shared = -1
    /// Number of the packet that ``next()`` reads.
    private(set) var nextNumber = 0
    /// Packets looked at for a match before a landing is given up.
    private static let patience = 4096

    /// Positioned at the first packet.
    init(_ source: any ByteSource, index: FrameIndex) throws(MediaError) {
        self.source = source
        self.index = index
        keys = index.packets.indices.filter { index.packets[$0].isKey }
        packet = try Packet()
        demuxer = try Demuxer(source)
        demuxer.select([index.streamIndex])
        for number in keys where index.packets[number].position >= 0 {
            let position = index.packets[number].position
            keyOfPosition[position] = keyOfPosition[position] == nil ? number : Self.shared
        }
    }

    var stream: UnsafeMutablePointer<AVStream>? { demuxer.stream(index.streamIndex) }

    /// How the stream's packets hold NAL units of H.264; nil for start codes.
    /// - Throws: ``MediaError/invalidIndex(_:)`` for a global header that cannot be read.
    func lengthPrefix() throws(MediaError) -> LengthPrefix? {
        guard let parameters = stream?.pointee.codecpar?.pointee, parameters.codec_id == AV_CODEC_ID_H264 else {
            return nil
        }
        let header = UnsafeRawBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size))
        guard header.first == 1 else { return nil }
        do {
            return try AVCConfiguration(Array(header)[...]).lengthPrefix
        } catch {
            throw .invalidIndex("The stream's header cannot be read (\(error)); probe the asset again.")
        }
    }

    /// The packet with number ``nextNumber``; nil at the end. It is the cursor's own and valid until the next call.
    func next() throws(MediaError) -> (number: Int, packet: Packet)? {
        guard nextNumber < index.packets.count, try read() else { return nil }
        let number = nextNumber
        let (expected, found) = (index.packets[number].position, packet.raw.pointee.pos)
        guard expected < 0 || found < 0 || expected == found else {
            throw .invalidIndex("Packet \(number) is at byte \(found), not \(expected); probe the asset again.")
        }
        nextNumber += 1
        return (number, packet)
    }

    /// Makes packet `number` the next one.
    func move(to number: Int) throws(MediaError) {
        if number == nextNumber { return }
        for attempt in attempts(number) {
            guard try demuxer.seek(stream: index.streamIndex, timestamp: attempt.timestamp, flags: attempt.flags),
                try land(before: number)
            else { continue }
            return
        }
        try restart()
        while nextNumber < number {
            guard try next() != nil else {
                throw .invalidIndex("The file ends before packet \(number); probe the asset again.")
            }
        }
    }

    private func restart() throws(MediaError) {
        demuxer = try Demuxer(source)
        demuxer.select([index.streamIndex])
        nextNumber = 0
    }

    /// The places to seek to for packet `number`, the best first.
    private func attempts(_ number: Int) -> [(timestamp: Int64, flags: Int32)] {
        let entry = index.packets[number]
        var attempts: [(Int64, Int32)] = []
        if entry.position >= 0, ["mpegts", "mpeg"].contains(demuxer.container) {
            attempts.append((entry.position, AVSEEK_FLAG_BYTE))
        }
        attempts += [(entry.pts, AVSEEK_FLAG_BACKWARD), (entry.dts, AVSEEK_FLAG_BACKWARD)]
        var distance = 1
        while distance < number {
            attempts.append((index.packets[number - distance].dts, AVSEEK_FLAG_BACKWARD))
            distance *= 4
        }
        return attempts
    }

    /// Reads on after a seek until a packet is recognised, and from there to `number`.
    /// - Returns: whether packet `number` is the next one.
    private func land(before number: Int) throws(MediaError) -> Bool {
        for _ in 0..<Self.patience {
            guard try read() else { return false }
            guard let found = recognise() else { continue }
            guard found <= number else { return false }
            if found == number {
                isHeld = true
                nextNumber = number
                return true
            }
            nextNumber = found + 1
            while nextNumber < number { guard try next() != nil else { return false } }
            return true
        }
        return false
    }

    /// The number of the packet just read, if it is a keyframe of the index: by its position, and where several share
    /// one, or none is known, by both its times.
    ///
    /// Keyframes only: a parser that starts in the middle of a picture hands over its tail as a packet.
    private func recognise() -> Int? {
        guard packet.isKey else { return nil }
        let position = packet.raw.pointee.pos
        let found = position >= 0 ? keyOfPosition[position] : nil
        if let found, found != Self.shared { return found }
        let matching = keys.filter { number in
            let entry = index.packets[number]
            let isSamePlace = found == nil ? entry.position < 0 || position < 0 : entry.position == position
            return isSamePlace && packet.pts == entry.pts && packet.dts == entry.dts
        }
        return matching.count == 1 ? matching[0] : nil
    }

    /// The packet is read already and waits for ``next()``.
    private var isHeld = false

    private func read() throws(MediaError) -> Bool {
        if isHeld {
            isHeld = false
            return true
        }
        while try demuxer.next(into: packet) {
            if packet.streamIndex == index.streamIndex { return true }
        }
        return false
    }
}
