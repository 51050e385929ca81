import CompositionModel
import Media
import Planning
import Timing

/// Opens a finished movie again and reads it from front to back as a stranger would: what its own tables say must be
/// what was asked, to the frame and to the sample.
enum OutputVerifier {
    /// What proves that pictures on both sides of a join decode to what they are in their parts.
    enum JoinProof {
        /// The pictures beside each join were decoded while the movie was written (``JoinVerifier``).
        case decoding
        /// The movie's bitstream is one that could be copied as a whole: each group of pictures begins with a picture at
        /// which decoding may begin, and names parameter sets that are there; of H.264 it refers to nothing outside it and
        /// comes out in the order of its frames, of HEVC the kinds of its pictures allow that.
        case reading
    }

    /// - Parameter proof: nil for a movie without pictures, which has no joins.
    /// - Throws: ``RenderError`` `output_wrong` that names the first difference; ``MediaError`` when it cannot be read.
    static func verify(_ path: String, task: StitchTask, proof: JoinProof?) throws {
        let (facts, indexes) = try AssetProbe.probe(FileByteSource(path: path))
        try require(facts.video.count, task.hasPicture ? 1 : 0, "picture streams")
        if let video = facts.video.first {
            try verify(video, task: task)
            guard let index = indexes.first else { throw wrong("has no frame that can be found") }
            try verify(index, task: task)
            if proof == .reading { try verify(video.copy, task: task) }
        }
        try verify(facts.audio, task: task)
    }

    private static func verify(_ video: VideoStreamFacts, task: StitchTask) throws {
        try require(video.frameCount, task.frameCount, "frames")
        try require(
            video.duration,
            RationalTime(task.frameCount, of: task.frameRate.frameDuration),
            "seconds of picture"
        )
        try require(PictureSize(width: video.width, height: video.height), task.size, "as size")
        let degrees = task.raster?.degrees ?? 0
        try require(video.orientation, Orientation(degrees: degrees, isMirrored: false), "as rotation")
        try require(video.pixelAspect, task.raster?.pixelAspect ?? RationalTime(whole: 1), "as pixel aspect")
        try require(video.color, task.color, "as colour")
        try require(video.keyframes.first, 0, "as first keyframe")
        guard task.frameCount > 1 else { return }
        try require(video.isVariableRate, false, "as variable rate")
        try require(video.frameRate, task.frameRate, "frames a second")
    }

    /// - Throws: ``RenderError`` `join_damaged`, which the same parts would give again.
    private static func verify(_ copy: CopyFacts?, task: StitchTask) throws(RenderError) {
        if let obstacle = copy?.obstacles.first {
            throw .damagedJoin("makes a movie that falls apart at frame \(obstacle.frame): \(obstacle.reason.words)")
        }
        guard copy?.stretches.map(\.frames) == [FrameRange(start: 0, count: task.frameCount)] else {
            let ends = copy?.stretches.map(\.frames.end) ?? []
            throw .damagedJoin("makes a movie whose groups of pictures end before frame \(ends.min() ?? 0)")
        }
    }

    /// Every packet is shown, the first one at 0, and decode times rise (Matroska stores none).
    private static func verify(_ index: FrameIndex, task: StitchTask) throws {
        try require(Int64(index.packets.count), task.frameCount, "packets")
        try require(index.packets.filter(\.isDiscarded).count, 0, "hidden packets")
        try require(index.packets.first?.isKey, true, "as key flag of the first packet")
        try require(index.shown.first, 0, "as first time")
        guard task.container.isISOMedia else { return }
        let isRising = zip(index.packets, index.packets.dropFirst()).allSatisfy { $0.dts < $1.dts }
        try require(isRising, true, "as order of decode times")
    }

    private static func verify(_ audio: [AudioStreamFacts], task: StitchTask) throws {
        try require(audio.count, task.hasSound ? 1 : 0, "sound streams")
        guard let sound = audio.first else { return }
        try require(sound.sampleRate, task.sampleRate, "samples a second")
        try require(sound.sampleCount, task.sampleCount, "samples")
        try require(sound.start, .zero, "as start of the sound")
    }

    private static func require<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws(RenderError) {
        guard found != wanted else { return }
        throw wrong("has \(found) \(what), not \(wanted)")
    }

    private static func wrong(_ what: String) -> RenderError {
        RenderError("output_wrong", "The finished movie \(what); stitch it again.")
    }
}
