/// The parameter sets of the base layer that are in force, by id: later ones replace earlier ones (ITU-T H.265,
/// 7.4.2.4.2).
package struct HEVCParameterSets: Hashable, Sendable {
    package private(set) var vps: [Int: HEVCVPS] = [:]
    package private(set) var sps: [Int: HEVCSPS] = [:]
    package private(set) var pps: [Int: HEVCPPS] = [:]

    package init() {}

    /// Takes all parameter sets of a configuration record.
    /// - Throws: for the first parameter set that cannot be read.
    package init(_ configuration: HEVCConfiguration) throws(BitstreamError) {
        for type in [HEVCUnitType.vps, .sps, .pps] {
            for nal in configuration.units(type) { try add(nal[...]) }
        }
    }

    /// Takes NAL units of types 32 … 34 of the base layer; others change nothing.
    /// - Throws: when one cannot be read; what was there stays.
    package mutating func add(_ nal: ArraySlice<UInt8>) throws(BitstreamError) {
        let header = try HEVCUnitHeader(of: nal)
        guard header.layer == 0 else { return }
        switch header.type {
        case .vps: add(try HEVCVPS(nal))
        case .sps: add(try HEVCSPS(nal))
        case .pps: add(try HEVCPPS(nal))
        default: break
        }
    }

    package mutating func add(_ set: HEVCVPS) { vps[set.id] = set }
    package mutating func add(_ set: HEVCSPS) { sps[set.id] = set }
    package mutating func add(_ set: HEVCPPS) { pps[set.id] = set }

    /// A PPS and the SPS that it names.
    /// - Throws: when one of them is not there.
    package func active(pps id: Int) throws(BitstreamError) -> (pps: HEVCPPS, sps: HEVCSPS) {
        guard let picture = pps[id] else {
            throw BitstreamError(.missing(id: id), element: "slice_pic_parameter_set_id", bit: 0)
        }
        guard let sequence = sps[picture.spsID] else {
            throw BitstreamError(.missing(id: picture.spsID), element: "pps_seq_parameter_set_id", bit: 0)
        }
        return (picture, sequence)
    }
}
