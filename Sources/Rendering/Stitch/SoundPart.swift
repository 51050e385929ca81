import Media
import Shared

/// The sound's packet file, read in step with the picture.
final class SoundPart {
    let content: PacketFileHeader.AudioContent
    let track: MovieWriter.AudioTrack
    private let reader: PacketFileReader
    private var waiting: CodedPacket?
    private var expectedStart: Int64

    /// - Throws: ``RenderError`` `parts_differ`, `samples_missing`, and those of ``PacketFileReader``.
    init(path: String, task: StitchTask) throws(RenderError) {
        reader = try PacketFileReader(path: path)
        guard case .audio(let content) = reader.header.content, content.sampleRate == task.sampleRate else {
            throw RenderError("parts_differ", "The sound part is no sound of \(task.sampleRate) Hz.", isPermanent: true)
        }
        let sampleCount = reader.summary.unitCount - Int64(content.priming)
        guard sampleCount == task.sampleCount else {
            throw RenderError("samples_missing", "The sound holds \(sampleCount) of \(task.sampleCount) samples.")
        }
        self.content = content
        expectedStart = -Int64(content.priming)
        track = MovieWriter.AudioTrack(
            codec: content.codec,
            sampleRate: content.sampleRate,
            channels: content.channels,
            extradata: content.codec == .flac
                ? FLACStreamInfo.counted(reader.header.extradata, sampleCount: task.sampleCount)
                : reader.header.extradata,
            priming: content.priming,
            frameSize: content.frameSize,
            bitRate: nil
        )
        waiting = try reader.next()
    }

    /// The next packet when it begins before sample `end`; nil when it does not, or when there is none.
    /// - Throws: ``RenderError`` `samples_missing` for a hole, and those of ``PacketFileReader``.
    func next(before end: Int64) throws(RenderError) -> EncodedPacket? {
        guard let packet = waiting, packet.displayIndex < end else { return nil }
        guard packet.displayIndex == expectedStart else {
            throw RenderError(
                "samples_missing",
                "A sound packet begins at \(packet.displayIndex), not \(expectedStart)."
            )
        }
        expectedStart += packet.duration
        waiting = try reader.next()
        return EncodedPacket(
            pts: packet.displayIndex,
            dts: packet.displayIndex,
            duration: packet.duration,
            isKey: packet.isKey,
            data: packet.data
        )
    }
}
