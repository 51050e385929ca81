import CLibAV
import CompositionModel

/// Lays the grid of a stream's cells while its packets go by, in the order of the file.
struct SoundCellBuilder {
    private(set) var cells: SoundCells
    /// The length of a cell in samples.
    private let length: Int64
    /// Byte position of the packet before; several share one where the container packs them together.
    private var lastPosition: Int64 = -1
    /// The cell that is being opened: packets still to come before its first one.
    private var countdown: Int?
    private var entry: (time: Int64, position: Int64) = (0, 0)
    /// The sample that the last frame began with.
    private var sample: Int64 = 0

    /// - Parameter origin: pts of the first audible sample.
    /// - Returns: nil for codecs that are decoded from their start only: what they remember is not known.
    init?(_ facts: StreamFacts, container: String, sampleRate: Int, origin: Int64) {
        guard let preRoll = SoundCellBuilder.preRoll(facts) else { return nil }
        let raw = ["mp3", "aac", "ac3", "eac3"].contains(container)
        cells = SoundCells(preRoll: preRoll, origin: origin, isByPosition: raw ? true : nil)
        length = Int64(SoundCells.seconds * sampleRate)
    }

    /// The next packet, before the frame that it decodes to.
    mutating func add(_ packet: Packet) {
        let position = packet.raw.pointee.pos
        defer { lastPosition = position }
        if let count = countdown {
            countdown = count > 0 ? count - 1 : nil
            return
        }
        let isOfItsOwn = position < 0 ? cells.isByPosition != true : position != lastPosition
        guard sample >= cells.start(ofCell: cells.starts.count) + length, isOfItsOwn, !packet.isDiscarded,
            !packet.isCorrupt, let time = packet.pts ?? (cells.isByPosition == true ? 0 : nil)
        else { return }
        entry = (time, position)
        countdown = cells.preRoll
    }

    /// A frame of the packet added last begins at `start`.
    mutating func add(frameAt start: Int64) {
        if countdown == 0, start > cells.starts.last ?? 0 {
            cells.starts.append(start)
            cells.entryTimes.append(entry.time)
            cells.entryPositions.append(entry.position)
            countdown = nil
        }
        sample = start
    }

    /// Packets after which a decoder that is opened there gives what one from the start gives, to what can be heard.
    private static func preRoll(_ facts: StreamFacts) -> Int? {
        if facts.codec.hasPrefix("pcm_") { return 0 }
        return ["flac": 0, "alac": 0, "aac": 4, "mp2": 2, "mp3": 12, "ac3": 3, "eac3": 3, "vorbis": 3, "opus": 50][
            facts.codec
        ]
    }
}
