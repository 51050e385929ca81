import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Timing

/// A small edit, cut into picture tasks by rules of its own: the oracle for "any number of segments".
struct TestTimeline: Sendable {
    var movies: [TestMovie]
    var size: PictureSize
    var rate: FrameRate
    var frameCount: Int64
    var encoding = VideoEncoding.testLossless
    var background = "#102030"
    /// Over the whole timeline, in its frames.
    var instructions: [SliceInstruction]

    /// The task of frames `range`.
    func task(_ range: Range<Int64>) throws -> PictureTask {
        let postRoll = min(Int64(encoding.postRoll), frameCount - range.upperBound)
        return PictureTask(
            frameRate: rate,
            size: size,
            color: .bt709,
            background: background,
            frameCount: Int64(range.count),
            postRollCount: postRoll,
            assets: movies.map { ContentDigest(of: Data($0.path.utf8)) },
            instructions: try instructions.compactMap {
                try $0.slice(range.lowerBound..<range.upperBound + postRoll, frameDuration: rate.frameDuration)
            },
            encoding: encoding,
            rendererVersion: Renderer.version
        )
    }

    /// `count` ranges of nearly equal length.
    func ranges(_ count: Int64) -> [Range<Int64>] {
        (0..<count).map { $0 * frameCount / count..<($0 + 1) * frameCount / count }
    }

    /// Renders every range to a packet file.
    func render(_ ranges: [Range<Int64>], in folder: TemporaryFolder, name: String = "part") throws -> [String] {
        try ranges.enumerated().map { number, range in
            let path = folder.path("\(name)-\(number)")
            let sources = try movies.map { try $0.source() }
            let count = try SegmentRenderer.render(task(range), sources: sources, to: path) { _ in }
            guard count == range.count else { throw WrongCount(count: count) }
            return path
        }
    }

    func stitchTask(
        _ ranges: [Range<Int64>],
        container: Container = .matroska,
        sound: Bool = false
    ) throws -> StitchTask {
        StitchTask(
            container: container,
            frameRate: rate,
            frameCount: frameCount,
            sampleRate: 48000,
            sampleCount: try rate.sample(ofFrame: frameCount, sampleRate: 48000),
            size: size,
            color: .bt709,
            partFrameCounts: ranges.map { Int64($0.count) },
            hasSound: sound,
            rendererVersion: Renderer.version
        )
    }

    func compositor() throws -> Compositor {
        try Compositor(task: task(0..<frameCount), sources: movies.map { try $0.source() })
    }
}

/// Frames that were reported and not asked.
struct WrongCount: Error {
    let count: Int64
}

extension VideoEncoding {
    static let testLossless = VideoEncoding(
        codec: .ffv1,
        speed: nil,
        crfThousandths: nil,
        keyframeInterval: 1,
        postRoll: 0
    )
    static let testH264 = VideoEncoding(
        codec: .h264,
        speed: "veryfast",
        crfThousandths: 23000,
        keyframeInterval: 50,
        postRoll: 20
    )
}

extension SliceInstruction {
    /// The part in `range`, counted from its start; nil when there is none.
    fileprivate func slice(_ range: Range<Int64>, frameDuration: RationalTime) throws -> SliceInstruction? {
        let (start, end) = (max(frames.start, range.lowerBound), min(frames.end, range.upperBound))
        guard start < end else { return nil }
        let skipped = start - frames.start
        return SliceInstruction(
            frames: FrameRange(start: start - range.lowerBound, count: end - start),
            layers: try layers.map { layer in
                var layer = layer
                layer.from = try layer.from?.advanced(by: skipped, frameDuration: frameDuration)
                layer.to = try layer.to?.advanced(by: skipped, frameDuration: frameDuration)
                layer.transition?.firstStep += skipped
                return layer
            }
        )
    }

    /// Frames `start ..< end` of a timeline.
    init(_ range: Range<Int64>, _ layers: SliceLayer...) {
        self.init(frames: FrameRange(start: range.lowerBound, count: Int64(range.count)), layers: layers)
    }
}

extension SliceSource {
    fileprivate func advanced(by frames: Int64, frameDuration: RationalTime) throws -> SliceSource {
        var source = self
        source.start = try start.advanced(by: frames, of: frameDuration, speed: speed, curve: curve)
        source.curve = curve?.advanced(by: frames)
        source.itemTime = try itemTime?.adding(RationalTime(frames, of: frameDuration))
        return source
    }

    /// Stream 0 of asset `asset` from its frame `frame` at `rate` on.
    init(_ asset: Int, frame: Int64 = 0, rate: FrameRate, fit: Fit = .contain) throws {
        self.init(asset: asset, stream: 0, start: try rate.time(ofFrame: frame), fit: fit)
    }
}
