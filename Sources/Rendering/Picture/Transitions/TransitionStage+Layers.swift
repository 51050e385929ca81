import CompositionModel
import Media
import Pixels

extension TransitionLook {
    /// Whether it takes samples to other places. Such a transition over lower layers must not take those along.
    var movesSamples: Bool {
        let name = kind.xfadeName ?? kind.rawValue
        return ["push", "slide", "cover", "reveal", "zoom", "blur", "pixelize", "squeeze"]
            .contains { name.contains($0) }
    }
}

extension TransitionStage {
    /// A transition that moves samples, between two layers that do not cover the frame, over what lies below them.
    ///
    /// It is painted once with the layers on black and once on white. Where both come out alike the layers are opaque;
    /// where they differ by the whole range what lies below is seen; between them the difference is the part of it.
    /// - Parameter side: one side of the transition, drawn on a picture.
    func paint(
        over below: Picture,
        _ look: TransitionLook,
        progress: Double,
        side: (_ isSecond: Bool, _ ground: Picture) throws -> Picture
    ) throws -> Picture {
        let (black, white) = try (ground("#000000"), ground("#ffffff"))
        let onBlack = try paint(side(false, black), side(true, black), look, progress: progress)
        let onWhite = try paint(side(false, white), side(true, white), look, progress: progress)
        let target = try MutablePicture(width: size.width, height: size.height, pixelFormat: .yuv420p, color: color)
        let range = try range()
        onBlack.withPlanes { dark in
            onWhite.withPlanes { light in
                below.withPlanes { below in
                    target.withMutablePlanes { target in
                        target[0].show(below[0], through: dark[0], light[0], black: range.black, white: range.white)
                        for index in 1...2 {
                            target[index].show(
                                chroma: below[index],
                                through: dark[index],
                                luma: dark[0],
                                light[0],
                                black: range.black,
                                white: range.white
                            )
                        }
                    }
                }
            }
        }
        return try target.freeze()
    }

    /// What `draw` makes on a ground, without the ground: opaque where it hides it.
    func separate(_ draw: (_ ground: Picture) throws -> Picture) throws -> Picture {
        let (black, white) = try (ground("#000000"), ground("#ffffff"))
        let (onBlack, onWhite) = try (draw(black), draw(white))
        guard let format = PixelFormat(name: "yuva420p") else {
            throw MediaError.unsupported("Pictures of yuva420p are not known here.")
        }
        let target = try MutablePicture(width: size.width, height: size.height, pixelFormat: format, color: color)
        let (low, high) = try range()
        var isSolid = false
        onBlack.withPlanes { dark in
            onWhite.withPlanes { light in
                target.withMutablePlane(3) { view in
                    view.plane.setAlpha(dark: dark[0], light: light[0], black: low, white: high)
                    isSolid = view.plane.samples.isSolid
                }
                target.withMutablePlanes { planes in
                    planes[0].setOwn(dark: dark[0], light: light[0], black: low, white: high)
                    for index in 1...2 {
                        planes[index].setOwn(chroma: dark[index], luma: dark[0], light[0], black: low, white: high)
                    }
                }
            }
        }
        return isSolid ? onBlack : try target.freeze()
    }

    private func ground(_ text: String) throws -> Picture {
        let values = try BackgroundColor(text, in: color)
        let target = try MutablePicture(width: size.width, height: size.height, pixelFormat: .yuv420p, color: color)
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { $0.plane.fill(values.value(ofPlane: index)) }
        }
        return try target.freeze()
    }
}
