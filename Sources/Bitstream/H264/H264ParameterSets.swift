/// The parameter sets that are in force, by id: later ones replace earlier ones (ITU-T H.264, 7.4.1.2.1).
package struct H264ParameterSets: Hashable, Sendable {
    package private(set) var sps: [Int: H264SPS] = [:]
    package private(set) var pps: [Int: H264PPS] = [:]

    package init() {}

    /// Takes all parameter sets of a configuration record.
    /// - Throws: for the first parameter set that cannot be read.
    package init(_ configuration: AVCConfiguration) throws(BitstreamError) {
        for nal in configuration.sps + configuration.pps { try add(nal[...]) }
    }

    /// Takes NAL units of types 7 and 8; others change nothing.
    /// - Throws: when one cannot be read; what was there stays.
    package mutating func add(_ nal: ArraySlice<UInt8>) throws(BitstreamError) {
        switch H264UnitType(of: nal) {
        case .sps: add(try H264SPS(nal))
        case .pps: add(try H264PPS(nal) { sps[$0]?.chromaFormat })
        default: break
        }
    }

    package mutating func add(_ set: H264SPS) { sps[set.id] = set }
    package mutating func add(_ set: H264PPS) { pps[set.id] = set }

    /// A PPS and the SPS that it names.
    /// - Throws: when one of them is not there.
    package func active(pps id: Int) throws(BitstreamError) -> (pps: H264PPS, sps: H264SPS) {
        guard let picture = pps[id] else {
            throw BitstreamError(.missing(id: id), element: "pic_parameter_set_id", bit: 0)
        }
        guard let sequence = sps[picture.spsID] else {
            throw BitstreamError(.missing(id: picture.spsID), element: "seq_parameter_set_id", bit: 0)
        }
        return (picture, sequence)
    }
}
