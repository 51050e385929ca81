import Media
import Shared

/// First pictures of a task's assets, upright and in its colour. Each is decoded once.
final class TitleImages {
    private let sources: SourcePictures
    private let size: PictureSize
    private let color: ColorDescription
    private var pictures: [Playback: Picture] = [:]

    init(task: PictureTask, sources: [RenderSource]) {
        self.sources = SourcePictures(task: task, sources: sources)
        size = task.size
        color = task.color
    }

    /// - Parameters:
    ///   - asset: position in the task's assets.
    ///   - stream: libavformat's index.
    func picture(_ asset: Int, stream: Int) throws -> Picture {
        let still = SliceSource(asset: asset, stream: stream, start: .zero, fit: .fill, speed: .zero)
        let playback = try Playback(still, of: FrameRange(start: 0, count: 1), frameDuration: RationalTime(whole: 1))
        if let known = pictures[playback] { return known }
        let decoded = try sources.picture(of: playback, at: .zero, frame: 0, needed: [playback])
        let fitter = LayerFitter(stream: try sources.facts(of: playback), fit: .fill, frame: size, color: color)
        let picture = try fitter.upright(decoded)
        pictures[playback] = picture
        return picture
    }
}
