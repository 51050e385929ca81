import Bitstream
import CompositionModel
import Foundation
import Media
import Planning

/// Packets of a source, with the slopes that their neighbours have to fit to.
final class CopiedRun {
    /// The left slopes of the first packet's channels; nil where nothing is joined there.
    let left: [BridgePacket.Slope]?
    private let copier: SoundPacketCopier
    private let format: AACFormat
    private var waiting: Data?
    /// The packet that was handed over last.
    private var last: Data?

    /// - Parameter isJoined: whether the packet before the first one is made.
    /// - Throws: ``RenderError`` of a source, which it names, or of a task that is not consistent.
    init(_ copy: CopiedSound, of task: SoundTask, sources: [RenderSource], isJoined: Bool) throws {
        let place = SoundStream(asset: copy.asset, index: copy.stream)
        let facts = try sources.facts(of: place)
        let format = try AACFormat(task)
        self.format = format
        do {
            copier = try SoundPacketCopier(
                source: sources[copy.asset].bytes,
                stream: facts,
                first: copy.packet - (isJoined ? 1 : 0)
            )
            let before = isJoined ? try format.windows(of: copier.next()) : nil
            let packet = try copier.next()
            waiting = packet
            let windows = isJoined ? try format.windows(of: packet) : []
            left = before.map { zip($0, windows).map { BridgePacket.Slope($0, $1) } }
        } catch let error as MediaError {
            throw RenderError(error, of: task.assets[copy.asset])
        }
    }

    /// The next packet.
    func next() throws -> Data {
        let packet = try waiting ?? copier.next()
        (waiting, last) = (nil, packet)
        return packet
    }

    /// The right slopes of the packet that was handed over last.
    /// - Throws: ``RenderError`` when there is none.
    func right() throws -> [BridgePacket.Slope] {
        guard let last else { throw RenderError.invalidPackets("nothing is copied") }
        return try format.windows(of: last).map(BridgePacket.Slope.init(after:))
    }
}
