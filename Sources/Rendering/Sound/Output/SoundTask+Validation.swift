import CompositionModel
import Planning
import Timing

extension SoundTask {
    /// Checks that every number is one the mixer can count with.
    /// - Throws: ``RenderError`` `unsupported_channels`, `invalid_sound_task`.
    func validate() throws(RenderError) {
        guard Limits.channels ~= channels else {
            throw RenderError(
                "unsupported_channels",
                "Sound of \(channels) channels cannot be rendered; set the edit's “channels” to 1 to 8.",
                isPermanent: true
            )
        }
        try require(speakers.map { $0.count == channels } ?? true, "its speakers are not those of its channels")
        let before = firstSample - min(extent.preRoll, Int64.max / 2)
        let lengths = [sampleCount, firstSample, extent.preRoll, extent.postRoll, before]
        try require(lengths.allSatisfy(\.isLength), "its length or start is negative or endless")
        try require(extent.programme == nil || loudness != nil, "it is a piece whose loudness nobody measured")
        for track in tracks {
            try require(track.volume.areInOrder, "the volume keys of track “\(track.id)” are out of order")
            for (place, segment) in track.segments.enumerated() {
                try require(segment.isCountable, "clip \(place) of track “\(track.id)” is out of bounds")
                let isWhole = segment.channels.map { $0.count == channels } ?? true
                try require(isWhole, "clip \(place) of track “\(track.id)” is not of \(channels) channels")
            }
        }
    }

    private func require(_ holds: Bool, _ what: String) throws(RenderError) {
        guard !holds else { return }
        throw RenderError("invalid_sound_task", "The sound task is invalid: \(what); plan it again.", isPermanent: true)
    }
}

extension AudioTrackSegment {
    fileprivate var isCountable: Bool {
        let fades = [fadeIn, fadeOut].compactMap(\.self)
        let fraction = sourceFraction ?? .zero
        guard !fraction.isNegative, fraction < RationalTime(whole: 1) else { return false }
        return count.isLength && start.isPlace && sourceStart.isPlace && volume.areInOrder
            && fades.allSatisfy { 0...count ~= $0.count } && (speed != .zero || keepsPitch == true)
            && Limits.allows(speed: speed ?? RationalTime(whole: 1))
            && (curve.map(goes(along:)) ?? true)
    }

    /// A curve counts millionths of samples.
    private func goes(along curve: SoundCurve) -> Bool {
        curve.isSound && speed == nil && loop == nil && count <= 1 << 42
    }
}

extension [VolumeKey] {
    fileprivate var areInOrder: Bool {
        allSatisfy(\.at.isPlace) && zip(self, dropFirst()).allSatisfy { $0.at <= $1.at }
    }
}

extension Int64 {
    /// Samples that a Double still counts exactly; six thousand years of 48 kHz.
    private static let limit: Int64 = 1 << 50

    fileprivate var isLength: Bool { 0...Int64.limit ~= self }
    fileprivate var isPlace: Bool { -Int64.limit...Int64.limit ~= self }
}
