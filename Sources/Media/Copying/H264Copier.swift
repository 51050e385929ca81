import Bitstream
import Foundation
import Timing

/// Hands over the coded pictures of consecutive frames of one H.264 stream, as NAL units with start codes, without what
/// belongs to the file that they come from.
///
/// Where the first is no IDR picture, it is rewritten as one, and those that are shown before it are left out
/// (``RewrittenEntry``).
///
/// Parameter sets are left out, because the movie's sample entry has them (``CopiedParameterSets``); delimiters, filler
/// and ends of sequence, because they are no part of samples (ISO/IEC 14496-15, 5.3.2); messages of buffering periods,
/// because the parameter sets have no HRD any more; and the settings of the encoder.
struct H264Copier: PictureCopier {
    private var packets: CopiedPackets
    private let sets: CopiedParameterSets
    /// How pictures are rewritten, of a span that does not begin with an IDR picture, up to the first of those.
    private var entry: RewrittenEntry?
    /// Pictures handed over.
    private var count: Int64 = 0

    init(_ packets: CopiedPackets, sets: CopiedParameterSets) {
        self.packets = packets
        self.sets = sets
    }

    mutating func next() throws(MediaError) -> EncodedPacket? {
        while let packet = try packets.next() {
            let picture: Picture?
            do {
                picture = try self.picture(of: packets.units(of: packet.bytes))
            } catch {
                throw .invalidIndex(
                    "The picture of packet \(packet.number) cannot be copied (\(error)); probe the asset again."
                )
            }
            // What is left out is shown before the span.
            guard let picture, let frame = packet.frame else {
                guard picture == nil, packet.frame == nil else { throw CopiedPackets.unfitting }
                continue
            }
            defer { count += 1 }
            return EncodedPacket(
                pts: frame - packets.frames.start,
                dts: count,
                duration: 1,
                isKey: picture.isKey,
                data: Data(AnnexB.stream(of: picture.units.map { $0[...] }))
            )
        }
        return nil
    }

    private struct Picture {
        var units: [[UInt8]]
        var isKey: Bool
    }

    /// The next picture as it is copied; nil for one that is left out, because it is shown before the rewritten picture
    /// that the span begins with.
    private mutating func picture(of units: [ArraySlice<UInt8>]) throws(BitstreamError) -> Picture? {
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
