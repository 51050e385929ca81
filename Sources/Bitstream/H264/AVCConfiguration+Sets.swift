extension AVCConfiguration {
    /// One record for all these parameter sets, in the order of their ids: the highest profile and level among them, and
    /// the constraints that all of them keep.
    /// - Throws: without an SPS, for more sets than a record holds, and for sequences of different formats, which one
    ///   sample entry cannot describe.
    package init(_ sets: H264ParameterSets) throws(BitstreamError) {
        let sequences = sets.sps.sorted { $0.key < $1.key }.map(\.value)
        let pictures = sets.pps.sorted { $0.key < $1.key }.map(\.value)
        guard let first = sequences.first else {
            throw BitstreamError(.missing(id: 0), element: "sequenceParameterSetNALUnit", bit: 0)
        }
        for other in sequences where Format(other) != Format(first) {
            throw BitstreamError(.outOfRange(other.chromaFormat), element: "chroma_format", bit: 0)
        }
        let highest = sequences.map(\.profile).max(by: Self.isBelow) ?? first.profile
        self.init(
            profile: highest,
            constraints: sequences.reduce(0xFF) { $0 & $1.constraints },
            level: sequences.map(\.level).max() ?? first.level,
            sps: [],
            pps: [],
            format: Self.hasFormat(profile: highest) ? Format(first) : nil
        )
        for sequence in sequences { sps.append(try sequence.nal()) }
        for picture in pictures { pps.append(try picture.nal(chromaFormat: first.chromaFormat)) }
        _ = try record()
    }

    /// Profiles by what their decoders can do; the others stand above all by their number.
    private static func isBelow(_ first: Int, _ second: Int) -> Bool {
        let order = [66, 88, 77, 100, 110, 122, 244]
        let (left, right) = (order.firstIndex(of: first), order.firstIndex(of: second))
        return (left ?? first, first) < (right ?? second, second)
    }
}

extension AVCConfiguration.Format {
    fileprivate init(_ sps: H264SPS) {
        self.init(chromaFormat: sps.chromaFormat, lumaBits: sps.lumaBits, chromaBits: sps.chromaBits)
    }
}
