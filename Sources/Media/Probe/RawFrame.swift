/// Frames of files without a container, which say how long they are. What a parser cannot make a frame of it puts into
/// the packet of one, which then counts as one frame however many bytes were lost.
enum RawFrame {
    enum Length: Equatable {
        case bytes(Int)
        /// There is no header of a frame.
        case none
        /// It does not say.
        case unknown
    }

    /// - Parameter container: libavformat's name.
    /// - Returns: nil for a container whose frames are not looked at.
    static func length(of packet: UnsafeRawBufferPointer, container: String) -> Length? {
        switch container {
        case "mp3": mpeg(packet)
        case "aac": adts(packet)
        case "ac3": ac3(packet)
        default: nil
        }
    }

    /// ISO/IEC 13818-7, 6.2: aac_frame_length.
    private static func adts(_ bytes: UnsafeRawBufferPointer) -> Length {
        guard bytes.count >= 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return .none }
        return .bytes(Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5)
    }

    /// ISO/IEC 11172-3, 2.4.2.3, and 13818-3 for half the rates.
    private static func mpeg(_ bytes: UnsafeRawBufferPointer) -> Length {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return .none }
        let (version, layer) = (Int(bytes[1]) >> 3 & 3, 4 - (Int(bytes[1]) >> 1 & 3))
        let (rate, padding) = (Int(bytes[2]) >> 2 & 3, Int(bytes[2]) >> 1 & 1)
        let bitrate = Int(bytes[2]) >> 4
        guard version != 1, layer != 4, rate != 3, bitrate != 15 else { return .none }
        guard layer > 1, bitrate > 0 else { return .unknown }
        let isFull = version == 3
        let rates = isFull ? (layer == 3 ? layer3 : layer2) : halfRates
        let hertz = [44_100, 48_000, 32_000][rate] >> (isFull ? 0 : version == 2 ? 1 : 2)
        let slots = isFull || layer == 2 ? 144_000 : 72_000
        return .bytes(slots * rates[bitrate] / hertz + padding)
    }

    /// Kilobits a second.
    private static let layer3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let layer2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    private static let halfRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

    /// ATSC A/52, 5.4.1 and table 5.18.
    private static func ac3(_ bytes: UnsafeRawBufferPointer) -> Length {
        guard bytes.count >= 6, bytes[0] == 0x0B, bytes[1] == 0x77 else { return .none }
        let (rate, code) = (Int(bytes[4]) >> 6, Int(bytes[4]) & 63)
        guard bytes[5] >> 3 <= 10 else { return .unknown }
        guard rate < 3, code < 38 else { return .none }
        let bitrate = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640][code / 2]
        switch rate {
        case 0: return .bytes(bitrate * 4)
        case 1: return .bytes((bitrate * 1_536_000 / (44_100 * 16) + code % 2) * 2)
        default: return .bytes(bitrate * 6)
        }
    }
}

/// Finds out whether a file without times has lost or won some.
struct RawFrameCounter {
    private let container: String
    private var (frames, frameBytes): (Int64, Int64) = (0, 0)
    /// Bytes of no frame, and packets that hold nothing else; pending are those behind the last frame so far.
    private var stray: (bytes: Int64, packets: Int64) = (0, 0)
    private var pending: (bytes: Int64, packets: Int64) = (0, 0)
    /// The place of the first of them.
    private var first: Int64?
    private var pendingFirst: Int64?
    private var pendingIsTag = false
    /// Frames that a tail of bytes without meaning may be as long as: about a second.
    private static let tailFrames: Int64 = 40

    init(container: String) { self.container = container }

    /// The next packet.
    /// - Parameter start: where its sound begins, as far as known.
    mutating func add(_ packet: UnsafeRawBufferPointer, at start: Int64?) {
        guard let length = RawFrame.length(of: packet, container: container) else { return }
        let size = Int64(packet.count)
        var surplus: Int64 = 0
        switch length {
        case .unknown: return
        case .none: surplus = size
        case .bytes(let count): surplus = max(0, size - Int64(count))
        }
        if surplus < size {
            (frames, frameBytes) = (frames + 1, frameBytes + size - surplus)
            (stray.bytes, stray.packets) = (stray.bytes + pending.bytes, stray.packets + pending.packets)
            first = first ?? pendingFirst
            (pending, pendingFirst) = ((0, 0), nil)
        }
        guard surplus > 0 else { return }
        if pending.bytes == 0 { pendingIsTag = Self.isTag(packet.dropFirst(Int(size - surplus))) }
        pending.bytes += surplus
        if surplus == size { pending.packets += 1 }
        pendingFirst = pendingFirst ?? start.map { max($0, 0) }
    }

    /// ID3v1, ID3v2, APEv2 and Lyrics3.
    private static func isTag(_ bytes: UnsafeRawBufferPointer.SubSequence) -> Bool {
        ["TAG", "ID3", "APETAGEX", "LYRICSBEGIN"].contains { bytes.starts(with: $0.utf8) }
    }

    /// Bytes behind the last frame that are no tag, where there are many: the file's end was never written, or is lost.
    var tail: Int64? {
        guard frames > 0, !pendingIsTag, pending.bytes > Self.tailFrames * frameBytes / frames else { return nil }
        return pending.bytes
    }

    /// Packets behind the last frame that hold none: they are no time.
    var behind: Int64 { frames > 0 ? pending.packets : 0 }

    /// The first place from which on the sound is at another time, by more than a frame.
    var displaced: Int64? {
        guard frames > 0, stray.bytes > 0 else { return nil }
        let lost = Double(stray.bytes) * Double(frames) / Double(frameBytes) - Double(stray.packets)
        return abs(lost) > 1.5 ? first : nil
    }
}
