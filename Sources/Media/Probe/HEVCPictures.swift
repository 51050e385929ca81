import Bitstream
import CLibAV
import CompositionModel

/// Reads the bitstream of the packets of an HEVC stream, in decode order, for what copying them needs to know.
struct HEVCPictures: CopyProbe {
    /// One packet.
    struct Unit {
        var entry = HEVCAccessUnit.Entry.none
        var leading: HEVCAccessUnit.Leading?
        /// Whether decoding begins anew behind the picture.
        var endsSequence = false
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
    private(set) var sets: [HEVCParameterSets] = []
    private var numbers: [HEVCParameterSets: Int] = [:]
    private var reader: HEVCAccessUnitReader
    /// How the packets hold NAL units; nil for start codes.
    private let prefix: LengthPrefix?
    private let hasDolbyVision: Bool

    /// - Parameters:
    ///   - extradata: the stream's global header: an `hvcC` record, or NAL units with start codes.
    ///   - hasDolbyVision: whether the container says that the pictures are coded for Dolby Vision.
    init(extradata: UnsafeRawBufferPointer, hasDolbyVision: Bool) {
        self.hasDolbyVision = hasDolbyVision
        let bytes = Array(extradata)
        reader = HEVCAccessUnitReader(sets: HEVCParameterSets(header: bytes))
        guard bytes.first == 1 else {
            prefix = nil
            return
        }
        // A record that cannot be read leaves packets that cannot be read either.
        prefix = (try? HEVCConfiguration(bytes[...]))?.lengthPrefix ?? .four
    }

    mutating func add(_ packet: Packet) {
        // A new sample entry replaces the parameter sets of the one before it.
        if let header = packet.sideData(AV_PKT_DATA_NEW_EXTRADATA) {
            reader = HEVCAccessUnitReader(sets: HEVCParameterSets(header: header))
        }
        do throws(BitstreamError) {
            var unit = try unit(of: Array(packet.bytes)[...])
            if packet.isCorrupt { unit.refusal = .damaged }
            units.append(unit)
        } catch {
            units.append(Unit(refusal: .unreadable))
            reader = HEVCAccessUnitReader(sets: reader.sets)
        }
    }

    private mutating func unit(of packet: ArraySlice<UInt8>) throws(BitstreamError) -> Unit {
        let nals = try prefix?.units(of: packet) ?? AnnexB.units(of: packet)
        let found = try reader.accessUnits(of: nals)
        let features = found.reduce(into: Set<HEVCFeature>()) { $0.formUnion($1.features) }
        let pictures = found.filter { !$0.slices.isEmpty }
        guard let picture = pictures.first else {
            return Unit(refusal: CopyRefusal(any: features) ?? .unreadable)
        }
        var unit = Unit(entry: picture.entry, leading: picture.leading)
        unit.endsSequence = found.contains(where: \.endsSequence)
        unit.setsNumber = number(of: picture.sets)
        unit.messages = Set(found.flatMap(\.messages).compactMap { PictureMessage($0) })
        quantisers.add(picture)
        unit.refusal = try refusal(picture, features) ?? (pictures.count > 1 ? .order : nil)
        return unit
    }

    private func refusal(
        _ picture: HEVCAccessUnit,
        _ features: Set<HEVCFeature>
    ) throws(BitstreamError) -> CopyRefusal? {
        if let reason = CopyRefusal(any: features) { return reason }
        if hasDolbyVision { return .dolbyVision }
        if picture.slices.contains(where: { !$0.isDependent && !$0.isOutput }) { return .hidden }
        guard let slice = picture.slices.first else { return .unreadable }
        let context = HEVCPictureTiming.Context(try picture.sets.active(pps: slice.ppsID).sps)
        for message in picture.messages where message.kind == .pictureTiming && context.hasFields {
            let timing = try HEVCPictureTiming(message.payload, context)
            if let reason = timing.refusal { return reason }
        }
        return nil
    }

    private mutating func number(of known: HEVCParameterSets) -> Int {
        if let last = sets.indices.last, sets[last] == known { return last }
        if let number = numbers[known] { return number }
        sets.append(known)
        numbers[known] = sets.count - 1
        return sets.count - 1
    }

    func facts(index: FrameIndex, refusal: CopyRefusal?) -> CopyFacts {
        refusal.map(CopyFacts.none) ?? HEVCCopyFacts.facts(of: self, index: index)
    }
}

extension HEVCParameterSets {
    /// The sets of a global header: an `hvcC` record, or NAL units with start codes. Those that cannot be read are missing.
    init(header: [UInt8]) {
        self.init()
        guard header.first == 1 else {
            for nal in AnnexB.units(of: header[...]) { try? add(nal) }
            return
        }
        guard let record = try? HEVCConfiguration(header[...]) else { return }
        for type in [HEVCUnitType.vps, .sps, .pps] { for nal in record.units(type) { try? add(nal[...]) } }
    }
}

extension HEVCPictureTiming {
    /// The reason not to copy a picture that is a field or whose fields are of two times (ITU-T H.265, table D.2).
    fileprivate var refusal: CopyRefusal? {
        switch structure {
        case 1, 2, 9...12: .fieldPictures
        case 3...6: .interlaced
        default: scanType == 0 ? .interlaced : nil
        }
    }
}

extension CopyRefusal {
    /// The reason not to copy a picture with these features; nil for what was tried.
    fileprivate init?(any features: Set<HEVCFeature>) {
        let reason = HEVCFeature.allCases.first { features.contains($0) && CopyRefusal($0) != nil }
        guard let refusal = reason.flatMap({ CopyRefusal($0) }) else { return nil }
        self = refusal
    }

    private init?(_ feature: HEVCFeature) {
        switch feature {
        case .layers: self = .layers
        case .dolbyVisionMetadata, .dolbyVisionEnhancement: self = .dolbyVision
        case .longTermReferences: self = .longTermReferences
        case .fieldPictures: self = .fieldPictures
        case .separatePlanes: self = .separatePlanes
        case .screenContent: self = .screenContent
        // All sub-layers are copied.
        case .temporalLayers: return nil
        }
    }
}
