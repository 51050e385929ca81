import CompositionModel
import Foundation
import Media
package import Planning
import Timing

/// Joins the parts of an output to a movie by copying packets: nothing is decoded but what verifies the joins.
package enum Stitcher {
    /// Length of the file's chunks. The picture's and the sound's samples of one moment are at most this far apart, and
    /// a few frames more where pictures are reordered: half of the 2 seconds that are allowed.
    private static let batchSeconds = 1

    /// Writes the movie of `task` to `path`, verifies it, and sees it to the disk. Every time in it is computed from
    /// frame and sample numbers: pts is the frame's number, dts the packet's number less the largest reorder delay of
    /// all parts. The same parts give the same bytes; killed at any moment it can run again.
    /// - Parameters:
    ///   - parts: packet files of the picture in order of time. One is open at a time. Empty for a movie of sound
    ///     alone.
    ///   - sounds: packet files of the output's sound in order of time; none unless `task.hasSound`.
    ///   - progress: 0 … 1000, ascending.
    /// - Returns: frames written.
    /// - Throws: ``RenderError`` when a part is missing, damaged or unlike the others, when a join does not decode to
    ///   what its parts recorded, or when the finished file is not what was asked; ``MediaError`` of the writer.
    package static func stitch(
        _ task: StitchTask,
        parts: [String],
        sounds: [String],
        to path: String,
        progress: (Int) -> Void
    ) throws -> Int64 {
        guard task.hasSound == !sounds.isEmpty else {
            throw RenderError("parts_missing", "The sound part is missing, or none is wanted.")
        }
        let sound = sounds.isEmpty ? nil : try SoundParts(paths: sounds, task: task)
        var proof: OutputVerifier.JoinProof?
        if task.hasPicture {
            proof = try writePictures(of: parts, sound, to: path, task: task, progress: progress)
        } else {
            try writeSoundAlone(sound, pictures: parts, to: path, task: task)
        }
        try synchronize(path)
        try OutputVerifier.verify(path, task: task, proof: proof)
        progress(1000)
        return task.frameCount
    }

    /// - Returns: what proves the joins.
    private static func writePictures(
        of parts: [String],
        _ sound: SoundParts?,
        to path: String,
        task: StitchTask,
        progress: (Int) -> Void
    ) throws -> OutputVerifier.JoinProof {
        let list = try PartList(paths: parts, task: task)
        let video = try list.video
        let shared = try list.sharedTrack(task)
        var track = video.track(extradata: list.header.extradata, raster: task.raster)
        shared?.describe(&track)
        let movie = try MovieWriter(
            path: path,
            container: task.container,
            video: track,
            audio: sound?.track
        )
        let pictures = PartSequence(
            paths: parts,
            frameCounts: task.partFrameCounts,
            reorderDelay: list.reorderDelay,
            joins: shared == nil ? JoinVerifier(header: list.header, video: video) : nil,
            track: shared
        )
        try interleave(pictures, sound, into: movie, task: task) { progress(Int($0 * 900 / task.frameCount)) }
        try movie.finish()
        return shared == nil ? .decoding : .reading
    }

    private static func writeSoundAlone(
        _ sound: SoundParts?,
        pictures: [String],
        to path: String,
        task: StitchTask
    ) throws {
        guard let sound, pictures.isEmpty else {
            throw RenderError("parts_missing", "A movie of sound alone has one sound part and no picture part.")
        }
        let movie = try MovieWriter(path: path, container: task.container, video: nil, audio: sound.track)
        try write(sound, before: .max, into: movie)
        try movie.finish()
    }

    /// A batch of picture, the sound of the same time, and so on; all the rest of the sound at the end.
    private static func interleave(
        _ pictures: PartSequence,
        _ sound: SoundParts?,
        into movie: MovieWriter,
        task: StitchTask,
        progress: (Int64) -> Void
    ) throws {
        let (rate, unit) = (task.frameRate, Int64(batchSeconds))
        let batch = max(1, try rate.frame(at: RationalTime(whole: unit), rounding: .down).value)
        while let packet = try pictures.next() {
            try movie.write(packet, to: .video)
            guard pictures.packetCount % batch == 0 else { continue }
            let end = try rate.sample(ofFrame: pictures.packetCount, sampleRate: task.sampleRate)
            try write(sound, before: end, into: movie)
            progress(pictures.packetCount)
        }
        try write(sound, before: .max, into: movie)
    }

    private static func write(_ sound: SoundParts?, before end: Int64, into movie: MovieWriter) throws {
        while let packet = try sound?.next(before: end) { try movie.write(packet, to: .audio) }
    }

    /// - Throws: ``RenderError`` `file_failed` or `no_space`.
    private static func synchronize(_ path: String) throws(RenderError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("open", path, errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .file("write", path, errno: errno) }
    }
}

extension PartList {
    /// The track that pictures are fitted into; nil for FFV1, whose packets stay as they are.
    func sharedTrack(_ task: StitchTask) throws(RenderError) -> (any SharedTrack)? {
        let signalling = TrackSignalling(
            color: task.color,
            frameRate: task.frameRate,
            pixelAspect: task.raster?.pixelAspect ?? RationalTime(whole: 1),
            reorderDelay: Int(reorderDelay),
            bitRate: bitRate
        )
        let hasEncoder = !header.extradata.isEmpty
        switch try video.codec {
        case .prores, .dnxhd, .mjpeg: return try IntraTrack(headers: headers)
        case .ffv1: return nil
        case .hevc: return try HEVCTrack(headers: headers, signalling)
        case .h264: return try SharedParameterSets(headers: headers, signalling, hasEncodedPictures: hasEncoder)
        }
    }
}

extension PacketFileHeader.VideoContent {
    fileprivate func track(extradata: Data, raster: CodedRaster?) -> MovieWriter.VideoTrack {
        MovieWriter.VideoTrack(
            codec: codec,
            size: size,
            raster: raster,
            color: color,
            frameRate: frameRate,
            extradata: extradata
        )
    }
}
