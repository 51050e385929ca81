import CompositionModel
import Media

/// A picture of yuv420p at its place in the frame.
struct PlacedPicture {
    let picture: Picture
    /// Even; negative where the picture reaches over the frame's edge.
    let x: Int
    let y: Int

    /// The part of plane `index` that is seen in a plane of `width` × `height`, in that plane's samples.
    /// An odd edge takes the whole chroma sample that it shares.
    func visiblePart(ofPlane index: Int, width: Int, height: Int) -> PlanePart {
        let shift = index == 0 ? 0 : 1
        let (left, top) = (x >> shift, y >> shift)
        let (ownWidth, ownHeight) = ((picture.width + shift) >> shift, (picture.height + shift) >> shift)
        return PlanePart(
            x: max(0, left),
            y: max(0, top),
            endX: max(0, min(width, left + ownWidth)),
            endY: max(0, min(height, top + ownHeight)),
            sourceX: max(0, -left),
            sourceY: max(0, -top)
        )
    }

    /// Whether nothing of the frame is seen beside the picture.
    func covers(_ frame: PictureSize) -> Bool {
        x <= 0 && y <= 0 && x + picture.width >= frame.width && y + picture.height >= frame.height
    }
}

/// A rectangle of a plane, ends exclusive, and where it begins in the plane that is shown there.
struct PlanePart {
    let x: Int
    let y: Int
    let endX: Int
    let endY: Int
    let sourceX: Int
    let sourceY: Int

    var width: Int { endX - x }
    var height: Int { endY - y }
    var isEmpty: Bool { width <= 0 || height <= 0 }
}
