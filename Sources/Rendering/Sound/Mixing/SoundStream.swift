import CompositionModel

/// A sound stream of one of the task's assets, or the sound of one of its nested edits.
struct SoundStream: Hashable, Comparable {
    /// Position in the task's assets, or in its nested edits.
    var asset: Int
    /// libavformat's index.
    var index: Int
    var isNested = false
    /// What the clip says its channels make of it; nil is as their loudspeakers say.
    var map: [[Int64]]?

    static func < (left: SoundStream, right: SoundStream) -> Bool {
        guard left.isNested == right.isNested else { return right.isNested }
        guard (left.asset, left.index) == (right.asset, right.index) else {
            return (left.asset, left.index) < (right.asset, right.index)
        }
        return (left.map ?? []).joined().lexicographicallyPrecedes((right.map ?? []).joined())
    }
}

extension SoundStream {
    init(_ segment: AudioTrackSegment) {
        self.init(asset: segment.asset, index: segment.stream, isNested: segment.isNested ?? false)
        map = segment.channels
    }
}
