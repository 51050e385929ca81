import Bitstream
import CompositionModel
import Foundation
import Media
import Planning

/// Packets of a source, with the windows that their neighbours have to fit to.
final class CopiedRun {
    /// The window of the packet before the first; nil where nothing is joined there.
    let before: AACWindow?
    /// The window of the first packet; nil where its channels have windows of their own.
    let first: AACWindow?
    /// The window of the packet that was handed over last.
    private(set) var last: AACWindow?
    private let copier: SoundPacketCopier
    private var waiting: Data?

    /// - Parameter isJoined: whether the packet before the first one is made.
    /// - Throws: ``RenderError`` of a source, which it names, or of a task that is not consistent.
    init(_ copy: CopiedSound, of task: SoundTask, sources: [RenderSource], isJoined: Bool) throws {
        let place = SoundStream(asset: copy.asset, index: copy.stream)
        let facts = try sources.facts(of: place)
        do {
            copier = try SoundPacketCopier(
                source: sources[copy.asset].bytes,
                stream: facts,
                first: copy.packet - (isJoined ? 1 : 0)
            )
            before = isJoined ? try Self.window(of: copier.next()) : nil
            let packet = try copier.next()
            (first, waiting) = (try Self.window(of: packet), packet)
        } catch let error as MediaError {
            throw RenderError(error, of: task.assets[copy.asset])
        }
    }

    /// The next packet.
    func next() throws -> Data {
        let packet = try waiting ?? copier.next()
        waiting = nil
        last = try Self.window(of: packet)
        return packet
    }

    private static func window(of packet: Data) throws -> AACWindow? {
        try packet.withUnsafeBytes { try AACPacketHead($0).window }
    }
}
