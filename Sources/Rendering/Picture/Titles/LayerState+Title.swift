import CompositionModel
import Pixels

extension LayerState {
    /// Frame ← frame for a title that stands in `box` by itself: as a picture's, with `motion` on top.
    func projection(of box: TitleRect, motion: MotionState, frame: PictureSize) -> Projection {
        let anchor = values[.anchor] ?? [box.width / 2, box.height / 2]
        let own = [box.x + anchor[0], box.y + anchor[1]]
        let place = values[.position] ?? own
        return .translation(x: place[0] + motion.offset.x, y: place[1] + motion.offset.y) * tilt(frame) * turn * skew
            * scale * .scale(x: motion.zoom, y: motion.zoom) * .translation(x: -own[0], y: -own[1])
    }

    /// The part of a title's picture that is seen, in its pixels; nil is all.
    /// - Parameters:
    ///   - box: where the title stands.
    ///   - x: left of the picture in the frame, in its own pixels, of which `detail` are one of the frame.
    func crop(of box: TitleRect, x: Double, y: Double, detail: (x: Double, y: Double)) -> PlaneRect? {
        guard let crop = values[.crop]?.map({ max(0, $0) }) else { return nil }
        return PlaneRect(
            left: (box.x + crop[0]) * detail.x - x,
            top: (box.y + crop[1]) * detail.y - y,
            right: (box.x + box.width - crop[2]) * detail.x - x,
            bottom: (box.y + box.height - crop[3]) * detail.y - y
        )
    }
}
