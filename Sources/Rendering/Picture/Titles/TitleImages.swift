import CompositionModel
import Media
import Planning
import Timing

/// First pictures of a task's assets, upright and in its colour. One that stays is decoded once.
final class TitleImages {
    private let sources: SourcePictures
    private let size: PictureSize
    private let color: ColorDescription
    private var pictures = FrameCache<(playback: Playback, picture: Picture)>()

    /// - Parameter pictures: where the task's sources are read.
    init(task: PictureTask, pictures: SourcePictures) {
        sources = pictures
        size = task.size
        color = task.color
    }

    /// Forgets what was not asked for since the last call.
    func endFrame() { pictures.endFrame() }

    /// The first picture of a stream, upright, with its own pixels and its alpha.
    /// - Parameters:
    ///   - asset: the position in the task's assets.
    ///   - stream: libavformat's index.
    /// - Throws: ``RenderError`` of the source, which it names; ``MediaError``.
    func picture(_ asset: Int, stream: Int, in context: FrameContext) throws -> Picture {
        let still = SliceSource(asset: asset, stream: stream, start: .zero, fit: .fill, speed: .zero)
        let playback = try Playback(still, of: FrameRange(start: 0, count: 1), frameDuration: RationalTime(whole: 1))
        if let known = pictures.first(where: { $0.playback == playback }) { return known.picture }
        let decoded = try sources.picture(of: playback, at: .zero, in: context.playing(playback))
        let fitter = LayerFitter(stream: try sources.facts(of: playback), fit: .none, frame: size, color: color)
        let picture = try fitter.upright(decoded)
        if !context.playing.contains(playback) { sources.close(playback) }
        pictures.insert((playback, picture), byteCount: picture.byteCount)
        return picture
    }
}
