import Bitstream
import Foundation

/// The parameter sets of copied pictures of HEVC without the buffer model of the file that they come from.
struct HEVCCopiedSets {
    private let original: HEVCParameterSets
    private let copied: HEVCParameterSets
    /// All of them, as NAL units with start codes.
    let annexB: Data

    /// - Parameter configuration: an HEVCDecoderConfigurationRecord.
    /// - Throws: ``MediaError/invalidIndex(_:)`` when it cannot be read.
    init(_ configuration: Data) throws(MediaError) {
        do {
            original = try HEVCParameterSets(HEVCConfiguration([UInt8](configuration)[...]))
            var copied = original
            for var sps in original.sps.values {
                sps.removeHRD()
                copied.add(sps)
            }
            for var vps in original.vps.values {
                vps.hrds = []
                copied.add(vps)
            }
            self.copied = copied
            let record = try HEVCConfiguration(copied)
            let units = record.units(.vps) + record.units(.sps) + record.units(.pps)
            annexB = Data(AnnexB.stream(of: units.map { $0[...] }))
        } catch {
            throw .invalidIndex(
                "The parameter sets of a copied stream cannot be read (\(error)); probe the asset again."
            )
        }
    }

    /// The NAL units of a picture that are copied: its slices, and messages.
    /// - Parameter beginsSequence: whether nothing before the picture belongs to the copy.
    func kept(_ units: [ArraySlice<UInt8>], beginsSequence: Bool) throws(BitstreamError) -> [[UInt8]] {
        var kept: [[UInt8]] = []
        for nal in units {
            let header = try HEVCUnitHeader(of: nal)
            guard header.layer == 0 else { continue }
            if header.type.isSlice {
                kept.append(try slice(nal, header.type, beginsSequence))
            } else if header.type == .prefixSEI || header.type == .suffixSEI {
                if let message = try messages(nal, of: units) { kept.append(message) }
            }
        }
        return kept
    }

    private func slice(
        _ nal: ArraySlice<UInt8>,
        _ type: HEVCUnitType,
        _ beginsSequence: Bool
    ) throws(BitstreamError) -> [UInt8] {
        guard type.isIRAP else { return Array(EmulationPrevention.trimmed(nal)) }
        var slice = try HEVCSlice(nal, original)
        let before = slice.header
        slice.header.discardsPrior = false
        // No skipped leading picture is copied with it; others may be.
        if beginsSequence, !type.isIDR {
            slice.header.unit.type = .blaWithRADL
            // What skipped leading pictures refer to is not there.
            if !before.isDependent { slice.header.references = .own(HEVCReferenceSet()) }
        }
        return slice.header == before ? Array(EmulationPrevention.trimmed(nal)) : try slice.nal(original)
    }

    /// A unit of messages without those that the copy does not have.
    private func messages(_ nal: ArraySlice<UInt8>, of units: [ArraySlice<UInt8>]) throws(BitstreamError) -> [UInt8]? {
        var unit = try SEIUnit(nal, headerLength: 2)
        var messages: [SEIMessage] = []
        for message in unit.messages {
            switch message.kind {
            case .bufferingPeriod, .encoderSettings, .filler, .activeParameterSets, .decodingUnit: break
            case .pictureTiming: if let timing = try timing(message, of: units) { messages.append(timing) }
            // Scalable nesting holds messages of the buffer model.
            default: if message.type != 133 { messages.append(message) }
            }
        }
        unit.messages = messages
        return unit.nal()
    }

    /// A message of picture timing without the delays of an HRD: its fields stay.
    private func timing(_ message: SEIMessage, of units: [ArraySlice<UInt8>]) throws(BitstreamError) -> SEIMessage? {
        for nal in units where try HEVCUnitHeader(of: nal).type.isSlice {
            let id = try HEVCSlice(nal, original).header.ppsID
            let (before, after) = (try original.active(pps: id).sps, try copied.active(pps: id).sps)
            return try HEVCPictureTiming(message.payload, .init(before)).message(.init(after))
        }
        return nil
    }
}
