import Media
import Shared

/// First pictures of a task's assets, upright and in its colour. One that stays is decoded once.
final class TitleImages {
    private let sources: SourcePictures
    private let size: PictureSize
    private let color: ColorDescription
    private var pictures = FrameCache<(playback: Playback, picture: Picture)>()

    /// - Parameter pictures: of the task.
    init(task: PictureTask, pictures: SourcePictures) {
        sources = pictures
        size = task.size
        color = task.color
    }

    /// Forgets what was not asked for since the last call.
    func endFrame() { pictures.endFrame() }

    /// - Parameters:
    ///   - asset: position in the task's assets.
    ///   - stream: libavformat's index.
    ///   - frame: number of the frame that is made.
    ///   - needed: all clips that are seen in it.
    func picture(_ asset: Int, stream: Int, frame: Int64, needed: Set<Playback>) throws -> Picture {
        let still = SliceSource(asset: asset, stream: stream, start: .zero, fit: .fill, speed: .zero)
        let playback = try Playback(still, of: FrameRange(start: 0, count: 1), frameDuration: RationalTime(whole: 1))
        if let known = pictures.first(where: { $0.playback == playback }) { return known.picture }
        let decoded = try sources.picture(of: playback, at: .zero, frame: frame, needed: needed.union([playback]))
        let fitter = LayerFitter(stream: try sources.facts(of: playback), fit: .fill, frame: size, color: color)
        let picture = try fitter.upright(decoded)
        if !needed.contains(playback) { sources.close(playback) }
        pictures.insert((playback, picture), byteCount: picture.byteCount)
        return picture
    }
}
