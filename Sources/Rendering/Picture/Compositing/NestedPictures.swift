import Media
import Timing

/// The frames of a nested edit by its own time.
final class NestedPictures: TimedPictures {
    /// Frames that are made at once where the edit runs backwards: its sources run forwards all the same.
    private static let batch: Int64 = 12

    private let compositor: Compositor
    private let frameRate: FrameRate
    private let frameCount: Int64
    private let onConcealed: (_ asset: Int, _ time: RationalTime) -> Void
    private var last: (frame: Int64, picture: Picture)?
    private var batch: (first: Int64, pictures: [Picture]) = (0, [])

    /// - Parameters:
    ///   - compositor: makes the frames of the nested edit, and of nothing else.
    ///   - frameCount: the frames of the nested edit; before and after them its first and last one are shown.
    init(
        _ compositor: Compositor,
        frameRate: FrameRate,
        frameCount: Int64,
        onConcealed: @escaping (_ asset: Int, _ time: RationalTime) -> Void
    ) {
        self.compositor = compositor
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.onConcealed = onConcealed
    }

    func picture(at time: RationalTime, direction: PictureReader.Direction) throws -> Picture {
        let shown = try frameRate.frame(at: time, rounding: .down).value
        let frame = min(max(shown, 0), frameCount - 1)
        if let last, last.frame == frame { return last.picture }
        let picture = try direction == .forwards ? compositor.picture(at: frame) : backwards(frame)
        for (asset, time) in compositor.concealed { onConcealed(asset, time) }
        last = (frame, picture)
        return picture
    }

    private func backwards(_ frame: Int64) throws -> Picture {
        let place = Int(frame - batch.first)
        if batch.pictures.indices.contains(place) { return batch.pictures[place] }
        let first = max(0, frame - NestedPictures.batch + 1)
        batch = (first, [])
        for frame in first...frame { batch.pictures.append(try compositor.picture(at: frame)) }
        guard let picture = batch.pictures.last else { return try compositor.picture(at: frame) }
        return picture
    }
}
