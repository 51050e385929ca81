import Bitstream
import Foundation
import Timing

/// The parameter sets of all parts of a movie in one sample entry: each under an id of its own, and what players size
/// their buffers by raised to the largest (docs/copying.md).
struct SharedParameterSets {
    /// All parameter sets, as NAL units with start codes. The first SPS is the encoder's.
    let extradata: Data
    /// Whether some pictures were encoded for the movie.
    let hasEncodedPictures: Bool
    private let sets: H264ParameterSets
    private let headers: [Data: Header]
    /// The encoder's header in a movie that has copied pictures too; else nil.
    private let encoderBesideCopies: Data?

    /// The parameter sets of one header, and the id in the movie of each of its PPS.
    private struct Header {
        var sets: H264ParameterSets
        var ids: [Int: Int] = [:]
    }

    /// - Parameters:
    ///   - headers: the distinct global headers of the parts, NAL units with start codes; the first is the encoder's,
    ///     which keeps its ids.
    ///   - hasEncodedPictures: whether there is an encoder; without one all pictures are copied.
    /// - Throws: ``RenderError`` `parts_differ` when a header cannot be read, or all do not fit into one sample entry.
    init(
        headers: [Data],
        _ signalled: TrackSignalling,
        hasEncodedPictures: Bool = true
    ) throws(RenderError) {
        self.hasEncodedPictures = hasEncodedPictures
        encoderBesideCopies = hasEncodedPictures && headers.count > 1 ? headers.first : nil
        do {
            var numbering = Numbering()
            var known: [Data: Header] = [:]
            for header in headers {
                let sets = try H264ParameterSets(annexB: header)
                known[header] = Header(sets: sets, ids: try numbering.add(sets))
            }
            self.headers = known
            sets = try numbering.harmonised(signalled)
            extradata = try Self.annexB(sets, first: numbering.firstSPS)
        } catch {
            throw RenderError(
                "parts_differ",
                "The parameter sets of the parts do not fit into one track (\(error)); export without copying.",
                isPermanent: true
            )
        }
    }

    /// A picture's packet as it stands in the movie. No IDR picture discards those before it that were not shown yet.
    /// - Parameters:
    ///   - isKey: whether the part calls it a key picture.
    ///   - header: the global header with which it was coded.
    ///   - idrID: the idr_pic_id that an IDR picture just before it in decode order has; this one gets another
    ///     (ITU-T H.264, 7.4.3).
    /// - Returns: the packet, and its idr_pic_id; nil for a picture that is no IDR picture.
    /// - Throws: ``RenderError`` `join_damaged` for a key picture that is no IDR picture.
    func packet(
        _ data: Data,
        isKey: Bool,
        header: Data,
        after idrID: Int?
    ) throws(RenderError) -> (data: Data, idrID: Int?) {
        let isEncodedBesideCopies = header == encoderBesideCopies
        guard let header = headers[header] else {
            throw RenderError("parts_differ", "A part has a header that was not announced.", isPermanent: true)
        }
        let isSame = header.ids.allSatisfy { $0.key == $0.value }
        if isSame, !isKey { return (data, nil) }
        let packet: (data: Data, idrID: Int?)
        do {
            packet = try rewritten(data, header, after: idrID, ownIDs: isEncodedBesideCopies)
        } catch {
            throw .damagedPacketFile("a picture cannot be read (\(error))")
        }
        guard !isKey || packet.idrID != nil else {
            throw .damagedJoin("calls a picture a key picture that is no IDR picture")
        }
        return packet
    }

    /// - Parameter ownIDs: whether its idr_pic_id is one that sources hardly have, so that copied pictures keep theirs:
    ///   decoders seed film grain with it.
    private func rewritten(
        _ data: Data,
        _ header: Header,
        after idrID: Int?,
        ownIDs: Bool
    ) throws(BitstreamError) -> (data: Data, idrID: Int?) {
        var units: [ArraySlice<UInt8>] = []
        var ownID: Int?
        for nal in AnnexB.units(of: [UInt8](data)[...]) {
            guard let type = H264UnitType(of: nal), type.isSlice else {
                units.append(nal)
                continue
            }
            var slice = try H264Slice(nal, header.sets)
            let before = slice.header
            guard let id = header.ids[before.ppsID] else {
                throw BitstreamError(.missing(id: before.ppsID), element: "pic_parameter_set_id", bit: 0)
            }
            slice.header.ppsID = id
            if type == .idrSlice {
                if ownIDs {
                    slice.header.idrID = idrID == 65_535 ? 65_534 : 65_535
                } else if before.idrID == idrID {
                    slice.header.idrID = before.idrID == 0 ? 1 : 0
                }
                if case .idr(_, let isLongTerm) = before.marking {
                    slice.header.marking = .idr(discardsPrior: false, isLongTerm: isLongTerm)
                }
                ownID = slice.header.idrID
            }
            units.append(slice.header == before ? nal : try slice.nal(sets)[...])
        }
        return (Data(AnnexB.stream(of: units)), ownID)
    }

    private static func annexB(_ sets: H264ParameterSets, first: Int) throws(BitstreamError) -> Data {
        let record = try AVCConfiguration(sets)
        var units: [[UInt8]] = []
        if let head = sets.sps[first] { units.append(try head.nal()) }
        for (id, sps) in sets.sps.sorted(by: { $0.key < $1.key }) where id != first { units.append(try sps.nal()) }
        return Data(AnnexB.stream(of: (units + record.pps).map { $0[...] }))
    }
}

/// Gives parameter sets of one content one id.
private struct Numbering {
    private var sps: [H264SPS: Int] = [:]
    private var pps: [H264PPS: Int] = [:]
    private(set) var firstSPS = 0

    /// - Returns: the new id of each PPS.
    mutating func add(_ sets: H264ParameterSets) throws(BitstreamError) -> [Int: Int] {
        var ids: [Int: Int] = [:]
        for (id, picture) in sets.pps.sorted(by: { $0.key < $1.key }) {
            let sequence = try sets.active(pps: id).sps
            var content = picture
            content.id = 0
            content.spsID = try number(of: sequence)
            if pps[content] == nil {
                pps[content] = try free(preferred: id, among: Set(pps.values), below: 256, "pic_parameter_set_id")
            }
            ids[id] = pps[content]
        }
        return ids
    }

    private mutating func number(of sequence: H264SPS) throws(BitstreamError) -> Int {
        var content = sequence
        content.id = 0
        if let known = sps[content] { return known }
        let id = try free(preferred: sequence.id, among: Set(sps.values), below: 32, "seq_parameter_set_id")
        if sps.isEmpty { firstSPS = id }
        sps[content] = id
        return id
    }

    private func free(
        preferred: Int,
        among taken: Set<Int>,
        below end: Int,
        _ element: String
    ) throws(BitstreamError) -> Int {
        if !taken.contains(preferred) { return preferred }
        guard let id = (0..<end).first(where: { !taken.contains($0) }) else {
            throw BitstreamError(.unsupported("more parameter sets than \(end)"), element: element, bit: 0)
        }
        return id
    }

    /// All parameter sets under their ids, with what players size their buffers by raised to the largest.
    func harmonised(_ signalled: TrackSignalling) throws(BitstreamError) -> H264ParameterSets {
        let held = sps.keys.map { max($0.frameBuffering ?? 1, $0.maxReferenceFrames) }
        let buffering = max(held.max() ?? 1, signalled.reorderDelay, 1)
        // Every profile that is copied is a part of the highest (A.2), under which the sample entry has all of them. What
        // a constraint promises has to hold for all.
        let profile = sps.keys.map(\.profile).max() ?? 0
        let constraints = sps.keys.reduce(0xFF) { $0 & $1.constraints }
        var sets = H264ParameterSets()
        for (content, id) in sps {
            let demand = H264Level.Demand(
                width: content.widthInMacroblocks,
                height: content.heightInMacroblocks,
                framesPerSecond: signalled.framesPerSecond,
                frameBuffering: min(buffering, 16),
                bitRate: signalled.bitRate
            )
            let highest = H264Level.all.last?.idc ?? 0
            let least = H264Level.smallest(holding: demand, profile: content.profile)?.idc ?? highest
            var sequence = content
            sequence.id = id
            (sequence.profile, sequence.constraints) = (profile, constraints)
            // Level 1b is written as 11 with a constraint in the lower profiles, which a raised level ends.
            sequence.level = max(sps.keys.map(\.level).max() ?? 0, least)
            if [66, 77, 88].contains(sequence.profile) { sequence.constraints &= ~0x10 }
            sequence.signal(signalled, buffering: min(buffering, 16))
            sets.add(sequence)
        }
        for (content, id) in pps {
            var picture = content
            picture.id = id
            sets.add(picture)
        }
        return sets
    }
}

extension H264ParameterSets {
    /// - Parameter annexB: NAL units with start codes.
    fileprivate init(annexB: Data) throws(BitstreamError) {
        self.init()
        for nal in AnnexB.units(of: [UInt8](annexB)[...]) { try add(nal) }
    }
}

extension H264SPS {
    fileprivate mutating func signal(_ signalled: TrackSignalling, buffering: Int) {
        restrict(reorderFrames: signalled.reorderDelay, frameBuffering: buffering)
        guard var usability = vui else { return }
        usability.removeHRD()
        usability.aspectRatio = signalled.aspectRatio
        let rate = signalled.frameRate
        if let units = Int(exactly: rate.denominator), let scale = Int(exactly: rate.numerator * 2), scale < 1 << 32 {
            usability.timing = H264VUI.Timing(unitsInTick: units, timeScale: scale, isFixedRate: true)
        }
        usability.signal = signalled.videoSignal
        vui = usability
    }
}
