import CLibAV
import CompositionModel

/// Reads one sound stream's packets, from the file's start or from where a cell begins (``SoundCells``).
///
/// Demuxers seek to anywhere; so a landing counts only where the very packet is met, and if no seek leads to it the
/// file is read from its start up to it, without decoding.
final class SoundPackets {
    /// A packet by what the probe knew of it.
    struct Entry {
        /// Pts in ticks.
        var time: Int64
        /// Bytes; −1 is unknown.
        var position: Int64
        /// Its pts means nothing after a seek.
        var isByPosition: Bool
    }

    private let source: any ByteSource
    private let streamIndex: Int
    /// The last packets read, oldest first: cells overlap by a few.
    private var recent: [Packet] = []
    private let recentLimit: Int
    /// The place of the packet in `recent` that comes next; its count when none of them does.
    private var place = 0
    private var hasRead = false
    private(set) var demuxer: Demuxer
    /// Packets read on in search of one before a seek is given up.
    private static let patience = 4096

    /// - Parameter preRoll: the number of packets that are decoded before a cell begins.
    /// - Throws: ``MediaError/unsupported(_:)`` when there is no such stream.
    init(_ source: any ByteSource, streamIndex: Int, preRoll: Int = 0) throws(MediaError) {
        self.source = source
        self.streamIndex = streamIndex
        recentLimit = preRoll + 8
        demuxer = try Demuxer(source)
        guard demuxer.stream(streamIndex) != nil else {
            throw .unsupported("The file has no stream \(streamIndex); probe it again.")
        }
        demuxer.select([streamIndex])
    }

    /// The stream, which is there.
    var stream: UnsafeMutablePointer<AVStream>? { demuxer.stream(streamIndex) }

    /// What is missing in its times is missing in the file: pages of Ogg (RFC 3533, 6) and frames of FLAC are numbered,
    /// and streams and recordings are cut into packets without holes, but for Opus, which may leave silence out. In MP4
    /// an edit list may want a hole.
    func isWithoutHoles(_ codec: String) -> Bool {
        switch demuxer.container {
        case "ogg", "flac", "mpegts", "mpeg", "flv": true
        case "matroska,webm", "matroska": codec != "opus"
        default: false
        }
    }

    /// Nil at the end.
    func next() throws(MediaError) -> Packet? {
        if place == recent.count, try !read() { return nil }
        place += 1
        return recent[place - 1]
    }

    /// Makes the file's first packet the next one.
    func restart() throws(MediaError) {
        guard hasRead else { return }
        demuxer = try Demuxer(source)
        demuxer.select([streamIndex])
        forget()
    }

    /// Makes `entry` the next one.
    /// - Parameter isNear: it has just been read, or comes soon.
    func move(to entry: Entry, isNear: Bool) throws(MediaError) {
        if let found = recent.firstIndex(where: { entry.matches($0) }) {
            place = found
            return
        }
        if isNear, try find(entry, within: recentLimit) { return }
        for seek in seeks(entry) {
            hasRead = true
            guard try demuxer.seek(stream: streamIndex, timestamp: seek.timestamp, flags: seek.flags) else { continue }
            forget()
            if isPacketized, try !read() { continue }
            if try find(entry, within: Self.patience) { return }
        }
        hasRead = true
        try restart()
        guard try find(entry, within: .max) else {
            throw .invalidIndex("Sound stream \(streamIndex) is not as it was probed; probe the asset again.")
        }
    }

    /// The places to seek to for it, the best first.
    private func seeks(_ entry: Entry) -> [(timestamp: Int64, flags: Int32)] {
        let byPosition = entry.position >= 0 ? [(entry.position, AVSEEK_FLAG_BYTE)] : []
        if entry.isByPosition { return byPosition }
        let base = stream?.pointee.time_base ?? AVRational(num: 1, den: 1)
        let second = max(1, Int64(base.den) / Int64(max(1, base.num)))
        let byTime = [0, 2, 20].map { (entry.time - $0 * second, AVSEEK_FLAG_BACKWARD) }
        guard isPacketized else { return byTime }
        // What comes first is passed over, so there has to be something before it.
        let before = [Int64(1) << 17, 1 << 21].filter { $0 < entry.position }
        return before.map { (entry.position - $0, AVSEEK_FLAG_BYTE) } + byTime
    }

    /// Frames go across the borders of packets there: after a seek, what is left of one comes first, with the time and
    /// the place of the next.
    private var isPacketized: Bool { ["mpegts", "mpeg"].contains(demuxer.container) }

    /// Reads up to `entry`, which comes next then.
    /// - Returns: false when it is not met, or must have been passed.
    private func find(_ entry: Entry, within limit: Int) throws(MediaError) -> Bool {
        var count = 0
        while count < limit, try read() {
            count += 1
            guard let last = recent.last else { return false }
            if entry.matches(last) {
                place = recent.count - 1
                return true
            }
            place = recent.count
            if limit < .max, !entry.isByPosition, let pts = last.pts, pts > entry.time { return false }
        }
        return false
    }

    /// The next packet of the file, behind all in `recent`.
    private func read() throws(MediaError) -> Bool {
        let packet = try Packet()
        hasRead = true
        while try demuxer.next(into: packet) {
            guard packet.streamIndex == streamIndex else { continue }
            if recent.count >= recentLimit {
                recent.removeFirst()
                place = max(0, place - 1)
            }
            recent.append(packet)
            return true
        }
        return false
    }

    private func forget() {
        recent.removeAll()
        place = 0
    }
}

extension SoundPackets.Entry {
    init(_ cells: SoundCells, cell: Int) {
        time = cells.entryTimes[cell - 1]
        position = cells.entryPositions[cell - 1]
        isByPosition = cells.isByPosition == true
    }

    fileprivate func matches(_ packet: Packet) -> Bool {
        let found = packet.raw.pointee.pos
        if isByPosition { return found == position }
        return packet.pts == time && (found < 0 || position < 0 || found == position)
    }
}
