import Bitstream
package import CompositionModel
package import Foundation
package import Timing

/// Hands over the coded pictures of consecutive frames of one H.264 stream, as NAL units with start codes, without what
/// belongs to the file that they come from.
///
/// Where the first is no IDR picture, it is rewritten as one, and those that are shown before it are left out
/// (``RewrittenEntry``).
///
/// Parameter sets are left out, because the movie's sample entry has them (``CopiedParameterSets``); delimiters, filler
/// and ends of sequence, because they are no part of samples (ISO/IEC 14496-15, 5.3.2); messages of buffering periods,
/// because the parameter sets have no HRD any more; and the settings of the encoder.
package final class PacketCopier {
    private let cursor: PacketCursor
    private let frames: FrameRange
    /// The shown frame that each packet holds; nil for others.
    private let frameOfPacket: [Int: Int64]
    private let prefix: LengthPrefix?
    private let sets: CopiedParameterSets
    /// How pictures are rewritten, of a span that does not begin with an IDR picture, up to the first of those.
    private var entry: RewrittenEntry?
    private var count: Int64 = 0

    /// - Parameters:
    ///   - frames: shown frames of the stream; the first is an entry, the last one before an end (``CopyStretch``).
    ///   - configuration: the parameter sets that are in force there: an AVCDecoderConfigurationRecord.
    /// - Throws: ``MediaError`` when the source cannot be opened or does not fit its index.
    package init(
        source: any ByteSource,
        index: FrameIndex,
        frames: FrameRange,
        configuration: Data
    ) throws(MediaError) {
        let positions = index.shownPositions()
        guard positions.count == index.shown.count, frames.start >= 0, frames.end <= positions.count, !frames.isEmpty
        else { throw .invalidIndex("A span to copy is not in the frame index; probe the asset again.") }
        self.frames = frames
        var frameOfPacket: [Int: Int64] = [:]
        for frame in frames.start..<frames.end { frameOfPacket[positions[Int(frame)]] = frame }
        self.frameOfPacket = frameOfPacket
        sets = try CopiedParameterSets(configuration)
        cursor = try PacketCursor(source, index: index)
        prefix = try cursor.lengthPrefix()
        try cursor.move(to: positions[Int(frames.start)])
    }

    /// The parameter sets of copied pictures, as NAL units with start codes.
    /// - Parameter configuration: an AVCDecoderConfigurationRecord.
    /// - Throws: ``MediaError/invalidIndex(_:)`` when it cannot be read.
    package static func parameterSets(_ configuration: Data) throws(MediaError) -> Data {
        try CopiedParameterSets(configuration).annexB
    }

    /// The next picture in decode order. Its pts counts frames from the first of the span, its dts packets.
    /// - Returns: nil after the last.
    /// - Throws: ``MediaError`` when a packet is not what the probe found.
    package func next() throws(MediaError) -> EncodedPacket? {
        while count < frames.count {
            guard let (number, packet) = try cursor.next() else { break }
            let frame = frameOfPacket[number]
            let bytes = Array(packet.bytes)
            let picture: Picture?
            do {
                let units = try prefix?.units(of: bytes[...]) ?? AnnexB.units(of: bytes[...])
                picture = try self.picture(of: units)
            } catch {
                throw .invalidIndex(
                    "The picture of packet \(number) cannot be copied (\(error)); probe the asset again."
                )
            }
            guard let picture else { continue }
            guard let frame else { break }
            defer { count += 1 }
            return EncodedPacket(
                pts: frame - frames.start,
                dts: count,
                duration: 1,
                isKey: picture.isKey,
                data: Data(AnnexB.stream(of: picture.units.map { $0[...] }))
            )
        }
        guard count == frames.count else {
            throw .invalidIndex("A span to copy does not end where its frames do; probe the asset again.")
        }
        return nil
    }

    private struct Picture {
        var units: [[UInt8]]
        var isKey: Bool
    }

    /// The next picture as it is copied; nil for one that is left out, because it is shown before the rewritten picture
    /// that the span begins with.
    private func picture(of units: [ArraySlice<UInt8>]) throws(BitstreamError) -> Picture? {
        if units.contains(where: { H264UnitType(of: $0) == .idrSlice }) {
            entry = nil
            return Picture(units: try sets.kept(units), isKey: true)
        }
        if count == 0 {
            let begun = try RewrittenEntry(units, sets.original)
            entry = begun
            return Picture(units: try sets.kept(begun.rewritten(units), isEntry: true), isKey: true)
        }
        guard var rewriting = entry else { return Picture(units: try sets.kept(units), isKey: false) }
        let isKept = try rewriting.begin(units)
        entry = rewriting
        return isKept ? Picture(units: try sets.kept(rewriting.rewritten(units)), isKey: false) : nil
    }
}

/// The parameter sets of copied pictures without the buffer model of the file that they come from.
struct CopiedParameterSets {
    let original: H264ParameterSets
    private let copied: H264ParameterSets
    /// All of them, as NAL units with start codes.
    let annexB: Data

    /// - Parameter configuration: an AVCDecoderConfigurationRecord.
    /// - Throws: ``MediaError/invalidIndex(_:)`` when it cannot be read.
    init(_ configuration: Data) throws(MediaError) {
        do {
            original = try H264ParameterSets(AVCConfiguration([UInt8](configuration)[...]))
            var copied = original
            for var sps in original.sps.values {
                sps.vui?.removeHRD()
                copied.add(sps)
            }
            self.copied = copied
            let record = try AVCConfiguration(copied)
            annexB = Data(AnnexB.stream(of: (record.sps + record.pps).map { $0[...] }))
        } catch {
            throw .invalidIndex(
                "The parameter sets of a copied stream cannot be read (\(error)); probe the asset again."
            )
        }
    }

    /// The NAL units of a picture that are copied.
    /// - Parameter isEntry: whether it was rewritten as an IDR picture, which says by itself that decoding may begin.
    func kept(_ units: [ArraySlice<UInt8>], isEntry: Bool = false) throws(BitstreamError) -> [[UInt8]] {
        var kept: [[UInt8]] = []
        for nal in units {
            switch H264UnitType(of: nal) {
            case .some(.slice), .some(.idrSlice): kept.append(Array(EmulationPrevention.trimmed(nal)))
            case .some(.sei): if let message = try message(nal, of: units, isEntry: isEntry) { kept.append(message) }
            default: break
            }
        }
        return kept
    }

    /// A unit of messages without those that the copy does not have.
    private func message(
        _ nal: ArraySlice<UInt8>,
        of units: [ArraySlice<UInt8>],
        isEntry: Bool
    ) throws(BitstreamError) -> [UInt8]? {
        var unit = try SEIUnit(nal, headerLength: 1)
        var messages: [SEIMessage] = []
        for message in unit.messages {
            switch message.kind {
            case .bufferingPeriod, .encoderSettings, .filler: break
            case .recoveryPoint: if !isEntry { messages.append(message) }
            case .pictureTiming: if let timing = try timing(message, of: units) { messages.append(timing) }
            default: messages.append(message)
            }
        }
        unit.messages = messages
        return unit.nal()
    }

    /// A message of picture timing without the delays of an HRD: its fields and timecode stay.
    private func timing(_ message: SEIMessage, of units: [ArraySlice<UInt8>]) throws(BitstreamError) -> SEIMessage? {
        guard let slice = units.first(where: { H264UnitType(of: $0)?.isSlice == true }) else { return nil }
        let id = try H264Slice(slice, original).header.ppsID
        let (before, after) = (try original.active(pps: id).sps, try copied.active(pps: id).sps)
        return try H264PictureTiming(message.payload, .init(before)).message(.init(after))
    }
}
