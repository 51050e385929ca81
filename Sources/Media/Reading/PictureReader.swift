import CLibAV
package import CompositionModel
package import Timing

/// Shows the frames of one picture stream by time or number, exactly, in any order.
///
/// Reading forwards decodes every packet once. Reading backwards decodes every group of pictures once and keeps what is
/// asked for next, as long as it fits into ``backwardBytes``; of a larger group it keeps the end, then decodes it again
/// up to there. A jump starts at the last entry point at or before the wanted frame in decode order, only what is shown at
/// or after that entry is trusted, and pictures on the way that no other refers to are left out. Orientation and pixel aspect are not applied.
package final class PictureReader {
    /// The direction in which the next pictures will be asked for. Changes nothing but time and memory.
    package enum Direction: Sendable { case forwards, backwards }

    /// Bytes of pictures that reading backwards keeps, by default.
    package static let backwardBytes = 256 << 20

    /// Pictures kept after they were delivered.
    private static let memory = 4
    /// Entry points this many packets ahead are reached by decoding on.
    private static let nearby = 8

    private let index: FrameIndex
    private let stream: VideoStreamFacts
    private let pixelFormat: PixelFormat
    private let cursor: PacketCursor
    private let decoder: PictureDecoder
    /// Packet number of each shown frame, and the other way round.
    private let packetOfFrame: [Int]
    private let frameOfPacket: [Int?]
    private var recent: [(frame: Int, picture: Picture)] = []
    /// The frame last taken from the decoder since it was last positioned; nil when it is not.
    private var lastFrame: Int?
    private var isDrained = false
    /// Pictures up to the wanted one that are kept when reading backwards.
    private let backwardMemory: Int
    /// Packets that went through the decoder so far.
    package private(set) var decodedCount = 0
    /// Pictures that came out of the decoder so far; on the way to a wanted one some are left out.
    package private(set) var pictureCount = 0
    /// Shown frames of which the decoder said that it guessed a part.
    private var concealed: Set<Int> = []
    private let onConcealed: (RationalTime) -> Void
    /// Frames below this are leading pictures of the entry where decoding started: they may be wrong.
    private var firstTrusted = 0

    /// - Parameters:
    ///   - index: the index of this stream, from probing the same bytes.
    ///   - threads: threads of the decoder; their number changes nothing but time.
    ///   - backwardBytes: bytes of pictures that are kept when reading backwards; a few are kept in any case.
    ///   - onConcealed: told the source time of each picture that is given out although its data are damaged: the
    ///     decoder guessed what is missing. Not every decoder says so.
    /// - Throws: ``MediaError`` when the source cannot be opened or does not fit its index.
    package init(
        source: any ByteSource,
        stream: VideoStreamFacts,
        index: FrameIndex,
        threads: Int,
        backwardBytes: Int = PictureReader.backwardBytes,
        onConcealed: @escaping (RationalTime) -> Void = { _ in }
    ) throws(MediaError) {
        guard let format = PixelFormat(name: stream.pixelFormat) else {
            throw .unsupported("The pixel format \(stream.pixelFormat) is not known here.")
        }
        self.index = index
        self.stream = stream
        self.onConcealed = onConcealed
        pixelFormat = format
        let pictureBytes = format.byteCount(width: stream.width, height: stream.height)
        backwardMemory = max(Self.memory, backwardBytes / max(1, pictureBytes))
        cursor = try PacketCursor(source, index: index)
        guard let raw = cursor.stream else {
            throw .invalidIndex("The file has no stream \(index.streamIndex); probe the asset again.")
        }
        decoder = try PictureDecoder(raw, threads: threads)
        packetOfFrame = index.shownPositions()
        guard packetOfFrame.count == index.shown.count else {
            throw .invalidIndex("A frame index shows what it does not hold; probe the asset again.")
        }
        var frames = [Int?](repeating: nil, count: index.packets.count)
        for (frame, packet) in packetOfFrame.enumerated() { frames[packet] = frame }
        frameOfPacket = frames
    }

    /// The picture on screen at source time `time`.
    /// - Parameter direction: the direction of what will be asked for next.
    /// - Throws: ``MediaError/outOfRange(_:)`` before the first and after the last frame, ``MediaError/decoding(_:)``
    ///   when the picture does not come out of the decoder, or what the source throws.
    package func picture(
        at time: RationalTime,
        direction: Direction = .forwards
    ) throws(MediaError) -> Picture {
        guard let frame = (try? index.shownFrame(at: time)) ?? nil else {
            throw .outOfRange("Nothing is shown at \(time) s: the picture lasts from 0 to \(stream.duration) s.")
        }
        return try picture(frame: frame, direction: direction)
    }

    /// Shown frame `frame`, from 0 in presentation order.
    /// - Throws: ``MediaError`` as ``picture(at:direction:)`` does.
    package func picture(frame: Int, direction: Direction = .forwards) throws(MediaError) -> Picture {
        guard packetOfFrame.indices.contains(frame) else {
            throw .outOfRange("There is no frame \(frame): the stream shows \(packetOfFrame.count).")
        }
        switch direction {
        case .forwards: forget(before: frame)
        case .backwards: recent.removeAll { $0.frame > frame }
        }
        let picture: Picture
        if let known = recent.last(where: { $0.frame == frame }) {
            picture = known.picture
        } else {
            if !canContinue(to: frame) { try start(for: frame) }
            picture = try decode(to: frame, keeping: direction == .forwards ? Self.memory : backwardMemory)
        }
        if concealed.contains(frame), let time = try? index.time(ofShownFrame: frame) { onConcealed(time) }
        return picture
    }

    /// Whether decoding on reaches `frame` at no more cost than starting at its entry.
    private func canContinue(to frame: Int) -> Bool {
        guard let lastFrame, !isDrained, frame > lastFrame else { return false }
        return entry(for: frame) <= cursor.nextNumber + Self.nearby
    }

    private func start(for frame: Int) throws(MediaError) {
        let entry = entry(for: frame)
        lastFrame = nil
        try cursor.move(to: entry)
        decoder.reset()
        isDrained = false
        recent.removeAll { $0.frame > frame }
        let isFirst = entry == index.packets.firstIndex { $0.isEntryPoint }
        let pts = index.packets[entry].pts
        firstTrusted = isFirst ? 0 : index.shown.firstIndex { $0 >= pts } ?? 0
        lastFrame = -1
    }

    /// The last entry point at or before the frame in decode order that is not shown after it.
    private func entry(for frame: Int) -> Int {
        let packet = packetOfFrame[frame]
        let pts = index.packets[packet].pts
        let entries = index.packets[...packet]
        return entries.lastIndex { $0.isEntryPoint && $0.pts <= pts } ?? entries.firstIndex { $0.isEntryPoint } ?? 0
    }

    /// - Parameter count: the number of pictures up to `frame` that are kept.
    private func decode(to frame: Int, keeping count: Int) throws(MediaError) -> Picture {
        var isWanted = true
        while !isDrained {
            let frames: [(number: Int, frame: Frame)]
            if let (number, packet) = try cursor.next() {
                decodedCount += 1
                // A packet that shows nothing may hold the second field of the one before it.
                if let shown = frameOfPacket[number] { isWanted = shown > frame - count }
                frames = try decoder.decode(packet, number: number, isWanted: isWanted)
            } else {
                isDrained = true
                frames = try decoder.drain()
            }
            if let found = try take(frames, wanted: frame, keeping: count) { return found }
            if let lastFrame, lastFrame > frame { break }
        }
        let time = (try? index.time(ofShownFrame: frame)).map { ", at \(TimeWords.seconds($0))," } ?? ""
        throw .decoding(
            "Frame \(frame) of stream \(index.streamIndex)\(time) does not come out of the decoder: the file is damaged "
                + "there; cut around it or repair the file."
        )
    }

    /// Keeps what the decoder gave; the wanted picture if it is among it.
    private func take(
        _ frames: [(number: Int, frame: Frame)],
        wanted: Int,
        keeping count: Int
    ) throws(MediaError) -> Picture? {
        var found: Picture?
        pictureCount += frames.count
        for (number, frame) in frames {
            guard frameOfPacket.indices.contains(number), let shown = frameOfPacket[number], shown >= firstTrusted
            else { continue }
            lastFrame = max(lastFrame ?? shown, shown)
            // On the way from an entry point to a frame far behind it hundreds of pictures are passed.
            guard shown > wanted - count else { continue }
            if frame.isConcealed { concealed.insert(shown) }
            let picture = try makePicture(frame)
            recent.append((shown, picture))
            if shown == wanted { found = picture }
        }
        return found
    }

    /// Drops pictures that were delivered long ago. What the decoder gave ahead of `frame` stays: it comes next.
    private func forget(before frame: Int) {
        let old = recent.count { $0.frame < frame }
        var surplus = max(0, old - Self.memory)
        recent.removeAll { known in
            guard known.frame < frame, surplus > 0 else { return false }
            surplus -= 1
            return true
        }
    }

    private func makePicture(_ frame: Frame) throws(MediaError) -> Picture {
        let raw = AVPixelFormat(frame.raw.pointee.format)
        guard let format = raw == pixelFormat.raw ? pixelFormat : PixelFormat(raw: raw) else {
            throw .decoding("A picture of an unknown pixel format came out.")
        }
        let chroma = ChromaLocation(frame.raw.pointee.chroma_location) ?? (stream.isStill ? .center : .left)
        return Picture(frame: frame, pixelFormat: format, color: stream.color, chroma: chroma, pts: 0)
    }
}
