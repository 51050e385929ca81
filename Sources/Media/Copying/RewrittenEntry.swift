import Bitstream

/// The pictures of a span whose first one is rewritten as an IDR picture, up to the next IDR picture.
///
/// The probe proved that each of them refers to the same pictures as before (``H264EntryFinder``).
struct RewrittenEntry {
    private let sets: H264ParameterSets
    private let sps: H264SPS
    private var numbers: H264IDREntry
    private var order = H264PictureOrder()
    private let entryOrder: Int

    /// - Parameters:
    ///   - units: the first picture's NAL units.
    ///   - sets: the parameter sets that are in force there.
    /// - Throws: when the picture cannot be rewritten.
    init(_ units: [ArraySlice<UInt8>], _ sets: H264ParameterSets) throws(BitstreamError) {
        guard let first = units.first(where: { H264UnitType(of: $0)?.isSlice == true }) else {
            throw BitstreamError(.truncated, element: "slice_header", bit: 0)
        }
        let header = try H264Slice(first, sets).header
        self.sets = sets
        sps = try sets.active(pps: header.ppsID).sps
        numbers = try H264IDREntry(entry: header, sps: sps, id: 0)
        entryOrder = order.next(header, sps).value
    }

    /// Goes on to the next picture in decoding order; the first needs no call.
    /// - Returns: whether it is kept; one that is shown before the first is left out.
    /// - Throws: when it cannot be read or rewritten.
    mutating func begin(_ units: [ArraySlice<UInt8>]) throws(BitstreamError) -> Bool {
        guard let first = units.first(where: { H264UnitType(of: $0)?.isSlice == true }) else { return true }
        let header = try H264Slice(first, sets).header
        let isLeading = order.next(header, sps).value < entryOrder
        try numbers.begin(header, isDropped: isLeading)
        return !isLeading
    }

    /// The NAL units of the picture that was begun last, with the headers of its slices rewritten.
    /// - Throws: when a slice cannot be read or rewritten.
    func rewritten(_ units: [ArraySlice<UInt8>]) throws(BitstreamError) -> [ArraySlice<UInt8>] {
        try units.map { nal throws(BitstreamError) in
            guard H264UnitType(of: nal)?.isSlice == true else { return nal }
            var slice = try H264Slice(nal, sets)
            slice.header = try numbers.rewritten(slice.header)
            return try slice.nal(sets)[...]
        }
    }
}
