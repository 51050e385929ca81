import Bitstream
package import CompositionModel
package import Foundation
package import Timing

/// Hands over the coded pictures of consecutive frames of one H.264 stream, as NAL units with start codes, without what
/// belongs to the file that they come from.
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
        guard count < frames.count else { return nil }
        guard let (number, packet) = try cursor.next(), let frame = frameOfPacket[number] else {
            throw .invalidIndex("A span to copy does not end where its frames do; probe the asset again.")
        }
        let bytes = Array(packet.bytes)
        let (data, isKey): (Data, Bool)
        do {
            let units = try prefix?.units(of: bytes[...]) ?? AnnexB.units(of: bytes[...])
            isKey = units.contains { H264UnitType(of: $0) == .idrSlice }
            data = Data(AnnexB.stream(of: try sets.kept(units).map { $0[...] }))
        } catch {
            throw .invalidIndex("The picture of frame \(frame) cannot be copied (\(error)); probe the asset again.")
        }
        guard count > 0 || isKey else {
            throw .invalidIndex("A span to copy does not begin with an IDR picture; probe the asset again.")
        }
        defer { count += 1 }
        return EncodedPacket(pts: frame - frames.start, dts: count, duration: 1, isKey: isKey, data: data)
    }
}

/// The parameter sets of copied pictures without the buffer model of the file that they come from.
struct CopiedParameterSets {
    private let original: H264ParameterSets
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
    func kept(_ units: [ArraySlice<UInt8>]) throws(BitstreamError) -> [[UInt8]] {
        var kept: [[UInt8]] = []
        for nal in units {
            switch H264UnitType(of: nal) {
            case .some(.slice), .some(.idrSlice): kept.append(Array(EmulationPrevention.trimmed(nal)))
            case .some(.sei): if let message = try message(nal, of: units) { kept.append(message) }
            default: break
            }
        }
        return kept
    }

    /// A unit of messages without those that the copy does not have.
    private func message(_ nal: ArraySlice<UInt8>, of units: [ArraySlice<UInt8>]) throws(BitstreamError) -> [UInt8]? {
        var unit = try SEIUnit(nal, headerLength: 1)
        var messages: [SEIMessage] = []
        for message in unit.messages {
            switch message.kind {
            case .bufferingPeriod, .encoderSettings, .filler: break
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
