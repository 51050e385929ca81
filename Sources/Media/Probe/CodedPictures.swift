import Bitstream
import CLibAV
import CompositionModel
import Foundation
import Timing

/// Reads the bitstream of a stream's packets, in decode order, for what copying them needs to know.
struct CodedPictures {
    /// One packet.
    struct Unit {
        var isIDR = false
        /// An intra picture that can be rewritten as an IDR picture.
        var isOpenEntry = false
        /// PicOrderCnt( ), counted from the last IDR picture; nil when it is not known.
        var order: Int?
        /// Why the picture cannot be copied; nil when it can.
        var refusal: CopyRefusal?
        /// The position in ``sets``; nil when nothing could be read.
        var setsNumber: Int?
        /// The kinds of messages that the packet carries.
        var messages: Set<PictureMessage> = []
    }

    private(set) var units: [Unit] = []
    private var quantisers = MeanQuantiser()
    /// See ``CopyFacts/quantiserThousandths``.
    var quantiserThousandths: Int? { quantisers.thousandths }
    /// The distinct parameter sets that were in force, in order of first use.
    private(set) var sets: [H264ParameterSets] = []
    private var numbers: [H264ParameterSets: Int] = [:]
    private var reader: H264AccessUnitReader
    private var entries = H264EntryFinder()
    /// Whether the packet before was marked as damaged.
    private var followsDamage = false
    /// How the packets hold NAL units; nil for start codes.
    private let prefix: LengthPrefix?

    /// - Parameter extradata: the stream's global header: an `avcC` record, or NAL units with start codes.
    /// - Returns: nil for a codec that is not read.
    init?(codec: AVCodecID, extradata: UnsafeRawBufferPointer) {
        guard codec == AV_CODEC_ID_H264 else { return nil }
        var known = H264ParameterSets()
        guard extradata.first == 1 else {
            for nal in AnnexB.units(of: Array(extradata)[...]) { try? known.add(nal) }
            (reader, prefix) = (H264AccessUnitReader(sets: known), nil)
            return
        }
        let configuration = try? AVCConfiguration(Array(extradata)[...])
        for nal in (configuration?.sps ?? []) + (configuration?.pps ?? []) { try? known.add(nal[...]) }
        // A record that cannot be read leaves packets that cannot be read either.
        (reader, prefix) = (H264AccessUnitReader(sets: known), configuration?.lengthPrefix ?? .four)
    }

    /// Takes the next packet. A global header in its side data counts from this packet on.
    mutating func add(_ packet: Packet) {
        if let configuration = packet.sideData(AV_PKT_DATA_NEW_EXTRADATA) { begin(configuration) }
        do {
            // A transport stream's loss is seen while the packet before it is put together, and marks that one.
            let isDamaged = packet.isCorrupt || followsDamage
            followsDamage = packet.isCorrupt
            units.append(try unit(of: Array(packet.bytes)[...], isDamaged: isDamaged))
        } catch {
            _ = entries.add([], nil, isPlain: false)
            units.append(Unit(refusal: .unreadable))
            reader = H264AccessUnitReader(sets: reader.sets)
        }
    }

    /// To be called behind the last packet.
    mutating func finish() {
        entries.finish()
        // The grain depends on the picture order counts, which are rewritten behind an open entry.
        guard !units.contains(where: { $0.messages.contains(.filmGrain) }) else { return }
        for position in entries.entries { units[position].isOpenEntry = true }
    }

    /// A new sample entry replaces the parameter sets of the one before it.
    private mutating func begin(_ configuration: [UInt8]) {
        var known = H264ParameterSets()
        let record = configuration.first == 1 ? try? AVCConfiguration(configuration[...]) : nil
        for nal in (record?.sps ?? []) + (record?.pps ?? []) { try? known.add(nal[...]) }
        reader = H264AccessUnitReader(sets: known)
    }

    private mutating func unit(of packet: ArraySlice<UInt8>, isDamaged: Bool) throws(BitstreamError) -> Unit {
        let nals = try prefix?.units(of: packet) ?? AnnexB.units(of: packet)
        let pictures = try reader.accessUnits(of: nals).filter { !$0.slices.isEmpty || !$0.features.isEmpty }
        guard let picture = pictures.first, let slice = picture.slices.first else {
            _ = entries.add([], nil, isPlain: false)
            let refusal = pictures.lazy.compactMap { CopyRefusal(any: $0.features) }.first
            return Unit(refusal: isDamaged ? .damaged : refusal ?? .unreadable)
        }
        quantisers.add(picture)
        var unit = Unit(isIDR: slice.isIDR, setsNumber: number(of: picture.sets))
        unit.refusal = isDamaged ? .damaged : refusal(of: pictures)
        let sps = try picture.sets.active(pps: slice.ppsID).sps
        unit.messages = Set(pictures.flatMap(\.messages).compactMap { PictureMessage($0, sps) })
        let found = entries.add(picture.slices, sps, isPlain: unit.refusal == nil)
        unit.order = found.order
        if unit.refusal == nil, found.isLate { unit.refusal = .order }
        if unit.refusal == nil, found.namesMissing { unit.refusal = .missingReference }
        return unit
    }

    private func refusal(of pictures: [H264AccessUnit]) -> CopyRefusal? {
        if let refusal = CopyRefusal(any: pictures.reduce(into: []) { $0.formUnion($1.features) }) { return refusal }
        if pictures.contains(where: { $0.slices.first?.marking?.forgetsAll == true }) { return .numberingRestart }
        if pictures.contains(where: \.isPerhapsInterlaced) { return .interlaced }
        return pictures.count > 1 ? .order : nil
    }

    private mutating func number(of known: H264ParameterSets) -> Int {
        if let last = sets.indices.last, sets[last] == known { return last }
        if let number = numbers[known] { return number }
        sets.append(known)
        numbers[known] = sets.count - 1
        return sets.count - 1
    }
}

extension CopyRefusal {
    /// The reason not to copy a picture with these features; nil for what was tried.
    fileprivate init?(any features: Set<H264Feature>) {
        let reason = H264Feature.allCases.first { features.contains($0) && CopyRefusal($0) != nil }
        guard let refusal = reason.flatMap({ CopyRefusal($0) }) else { return nil }
        self = refusal
    }

    private init?(_ feature: H264Feature) {
        switch feature {
        case .dataPartitioning: self = .dataPartitioning
        case .redundantPictures: self = .redundantPictures
        case .auxiliaryPictures: self = .auxiliaryPictures
        case .scalableLayers: self = .scalableLayers
        case .views: self = .views
        case .sliceGroups: self = .sliceGroups
        case .arbitrarySliceOrder: self = .arbitrarySliceOrder
        case .switchingSlices: self = .switchingSlices
        case .frameNumGap: self = .frameNumGap
        case .longTermReferences: self = .longTermReferences
        case .fieldPictures: self = .fieldPictures
        case .separatePlanes: self = .separatePlanes
        case .unspecifiedUnits: self = .dolbyVision
        // Frame numbers without a gap are as usual. Progressive frames of MBAFF are whole frames; interlaced streams
        // are refused as such.
        case .frameNumGapsAllowed, .adaptiveFrameField: return nil
        }
    }
}

extension H264AccessUnit {
    /// Whether the picture says that it is shown as fields, by any pic_struct but 0, 7 and 8 (ITU-T H.264, table D-1), or
    /// its pairs of macroblocks may be fields and it does not say that it is a progressive frame.
    fileprivate var isPerhapsInterlaced: Bool {
        guard let first = slices.first, let sps = try? sets.active(pps: first.ppsID).sps else { return false }
        guard H264PictureTiming.Context(sps).hasStructure,
            let message = messages.first(where: { $0.kind == .pictureTiming }),
            let timing = try? H264PictureTiming(message.payload, .init(sps))
        else { return structure == .adaptiveFrame }
        return ![0, 7, 8].contains(timing.structure)
    }
}
