/// Names of tracks: as written, else `v1`, `v2`, …, `a1`, `a2`, … and `t1`, `t2`, …, leaving out what is taken.
struct TrackNames {
    private let written: Set<String>
    private var counts: [EditTrack.Kind: Int] = [:]

    init(_ tracks: [EditTrack]) { written = Set(tracks.compactMap(\.id?.value)) }

    mutating func name(of track: EditTrack) -> String {
        if let id = track.id { return id.value }
        while true {
            let number = counts[track.kind, default: 0] + 1
            counts[track.kind] = number
            let name = "\(track.kind.rawValue.prefix(1))\(number)"
            if !written.contains(name) { return name }
        }
    }
}
