import CompositionModel
import Media
import Planning

/// The sound's packet files, read in step with the picture, one behind the other.
final class SoundParts {
    let content: PacketFileHeader.AudioContent
    let track: MovieWriter.AudioTrack
    private let paths: [String]
    private let header: PacketFileHeader
    /// Samples of each.
    private let counts: [Int64]
    private var number = 0
    private var reader: PacketFileReader
    /// Sample of the output at which the part at hand begins.
    private var start: Int64 = 0
    private var waiting: CodedPacket?
    private var expectedStart: Int64

    /// - Parameter paths: at least one.
    /// - Throws: ``RenderError`` `parts_missing`, `parts_differ`, `samples_missing`, and those of ``PacketFileReader``.
    init(paths: [String], task: StitchTask) throws(RenderError) {
        counts = task.soundPartCounts ?? [task.sampleCount]
        guard let first = paths.first, paths.count == counts.count else {
            throw RenderError("parts_missing", "\(paths.count) of \(counts.count) sound parts are there.")
        }
        guard counts.reduce(0, +) == task.sampleCount else {
            throw RenderError("samples_missing", "The sound parts are not \(task.sampleCount) samples long.")
        }
        self.paths = paths
        reader = try RenderError.blaming(partAt: first) { () throws(RenderError) in try PacketFileReader(path: first) }
        header = reader.header
        guard case .audio(let content) = header.content, content.sampleRate == task.sampleRate else {
            throw RenderError("parts_differ", "The sound part is no sound of \(task.sampleRate) Hz.", isPermanent: true)
        }
        self.content = content
        expectedStart = -Int64(content.priming)
        track = MovieWriter.AudioTrack(
            codec: content.codec,
            sampleRate: content.sampleRate,
            channels: content.channels,
            extradata: content.codec == .flac
                ? FLACStreamInfo.counted(header.extradata, sampleCount: task.sampleCount) : header.extradata,
            priming: content.priming,
            frameSize: content.frameSize,
            bitRate: nil
        )
        try requireCount()
        waiting = try read()
    }

    /// The next packet when it begins before sample `end`; nil when it does not, or when there is none.
    /// - Throws: ``RenderError`` `samples_missing` for a hole, and those of ``PacketFileReader``.
    func next(before end: Int64) throws(RenderError) -> EncodedPacket? {
        guard let packet = waiting, packet.displayIndex + start < end else { return nil }
        let place = packet.displayIndex + start
        guard place == expectedStart else {
            throw RenderError("samples_missing", "A sound packet begins at \(place), not \(expectedStart).")
        }
        expectedStart += packet.duration
        waiting = try read()
        return EncodedPacket(
            pts: place,
            dts: place,
            duration: packet.duration,
            isKey: packet.isKey,
            data: packet.data
        )
    }

    /// The next packet, of the next part where one ends.
    private func read() throws(RenderError) -> CodedPacket? {
        try RenderError.blaming(partAt: paths[number], readNext)
    }

    private func readNext() throws(RenderError) -> CodedPacket? {
        while true {
            if let packet = try reader.next() { return packet }
            guard number + 1 < paths.count else { return nil }
            start += counts[number]
            number += 1
            reader = try RenderError.blaming(partAt: paths[number]) { () throws(RenderError) in
                try PacketFileReader(path: paths[number])
            }
            guard reader.header == header else {
                throw RenderError(
                    "parts_differ",
                    "Sound part \(number) has other coding parameters than part 0; render it again with the same version.",
                    isPermanent: true
                )
            }
            try requireCount()
        }
    }

    /// What the encoder puts before the first sample makes the last part longer.
    private func requireCount() throws(RenderError) {
        let isLast = number == paths.count - 1
        let found = reader.summary.unitCount - (isLast ? Int64(content.priming) : 0)
        guard found != counts[number] else { return }
        let whose = paths.count > 1 ? "Sound part \(number)" : "The sound"
        throw RenderError("samples_missing", "\(whose) holds \(found) of \(counts[number]) samples.")
    }
}
