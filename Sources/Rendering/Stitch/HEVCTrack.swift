import Bitstream
import Foundation
import Media

/// The parameter sets of HEVC of all parts of a movie in one sample entry: each under an id of its own, and what players
/// size their buffers by raised to the largest (docs/copying.md).
struct HEVCTrack: SharedTrack {
    /// All parameter sets, as NAL units with start codes.
    private let extradata: Data
    private let sets: HEVCParameterSets
    private let headers: [Data: Header]
    private let pixelFormat: String

    /// The parameter sets of one header, and the id in the movie of each of its PPS.
    private struct Header {
        var sets: HEVCParameterSets
        var ids: [Int: Int]
    }

    /// - Parameter headers: the distinct global headers of the parts, NAL units with start codes.
    /// - Throws: ``RenderError`` `parts_differ` when a header cannot be read, or all do not fit into one sample entry.
    init(headers: [Data], _ signalled: TrackSignalling) throws(RenderError) {
        do {
            var numbering = HEVCNumbering()
            var known: [Data: Header] = [:]
            for header in headers {
                let sets = try HEVCParameterSets(annexB: header)
                known[header] = Header(sets: sets, ids: try numbering.add(sets))
            }
            self.headers = known
            sets = try numbering.harmonised(signalled)
            let record = try HEVCConfiguration(sets)
            let units = record.units(.vps) + record.units(.sps) + record.units(.pps)
            extradata = Data(AnnexB.stream(of: units.map { $0[...] }))
            pixelFormat = try record.pixelFormat
        } catch {
            throw RenderError(
                "parts_differ",
                "The parameter sets of the parts do not fit into one track (\(error)); export without copying.",
                isPermanent: true
            )
        }
    }

    func describe(_ track: inout MovieWriter.VideoTrack) {
        track.extradata = extradata
        track.pixelFormat = pixelFormat
        track.hasLeftChroma = false
    }

    func packet(
        _ data: Data,
        isKey: Bool,
        header: Data,
        after idrID: Int?
    ) throws(RenderError) -> (data: Data, idrID: Int?) {
        guard let header = headers[header] else {
            throw RenderError("parts_differ", "A part has a header that was not announced.", isPermanent: true)
        }
        do {
            if isKey, try !Self.isEntry(data) {
                throw RenderError.damagedJoin("calls a picture a key picture at which decoding cannot begin")
            }
            return (try rewritten(data, header), nil)
        } catch let error as RenderError {
            throw error
        } catch {
            throw .damagedPacketFile("a picture cannot be read (\(error))")
        }
    }

    /// Whether decoding may begin at the picture: an IDR, BLA or CRA picture.
    private static func isEntry(_ data: Data) throws(BitstreamError) -> Bool {
        let types = try AnnexB.units(of: [UInt8](data)[...]).map { nal throws(BitstreamError) in
            try HEVCUnitHeader(of: nal).type
        }
        return types.first(where: \.isSlice)?.isIRAP == true
    }

    private func rewritten(_ data: Data, _ header: Header) throws(BitstreamError) -> Data {
        if header.ids.allSatisfy({ $0.key == $0.value }) { return data }
        var units: [ArraySlice<UInt8>] = []
        for nal in AnnexB.units(of: [UInt8](data)[...]) {
            guard try HEVCUnitHeader(of: nal).type.isSlice else {
                units.append(nal)
                continue
            }
            var slice = try HEVCSlice(nal, header.sets)
            guard let id = header.ids[slice.header.ppsID] else {
                throw BitstreamError(.missing(id: slice.header.ppsID), element: "slice_pic_parameter_set_id", bit: 0)
            }
            slice.header.ppsID = id
            units.append(try slice.nal(sets)[...])
        }
        return Data(AnnexB.stream(of: units))
    }
}

extension HEVCParameterSets {
    /// - Parameter annexB: NAL units with start codes.
    fileprivate init(annexB: Data) throws(BitstreamError) {
        self.init()
        for nal in AnnexB.units(of: [UInt8](annexB)[...]) { try add(nal) }
    }
}

extension HEVCConfiguration {
    /// libavutil's name of the pixel format.
    fileprivate var pixelFormat: String {
        get throws(BitstreamError) {
            let names = ["gray", "yuv420p", "yuv422p", "yuv444p"]
            guard lumaBits == chromaBits, names.indices.contains(chromaFormat) else {
                throw BitstreamError(.unsupported("luma and chroma of two depths"), element: "bit_depth", bit: 0)
            }
            return names[chromaFormat] + (lumaBits > 8 ? "\(lumaBits)le" : "")
        }
    }
}
