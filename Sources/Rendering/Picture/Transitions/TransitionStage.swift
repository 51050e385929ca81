import CompositionModel
import Media
import Pixels

/// Paints transitions between whole pictures of one size; keeps the painters of the looks that are on screen.
final class TransitionStage {
    let size: PictureSize
    let color: ColorDescription
    private var painters: [TransitionLook: TransitionPainter] = [:]

    init(size: PictureSize, color: ColorDescription) {
        self.size = size
        self.color = color
    }

    /// Forgets what none of `looks` needs.
    func keep(_ looks: Set<TransitionLook>) {
        if !painters.isEmpty { painters = painters.filter { looks.contains($0.key) } }
    }

    /// Both pictures at `progress` of a transition.
    /// - Parameter map: makes the picture of a luma wipe's map, of the frame's size; asked once.
    /// - Throws: ``RenderError`` of a look that cannot be painted; ``MediaError``.
    func paint(
        _ first: Picture,
        _ second: Picture,
        _ look: TransitionLook,
        progress: Double,
        map: () throws -> Picture? = { nil }
    ) throws -> Picture {
        let painter = try painter(look, map: map)
        let target = try MutablePicture(width: size.width, height: size.height, pixelFormat: .yuv420p, color: color)
        first.withPlanes { first in
            second.withPlanes { second in
                target.withMutablePlanes { painter.paint(first, second, into: $0, progress: progress) }
            }
        }
        return try target.freeze()
    }

    private func painter(_ look: TransitionLook, map: () throws -> Picture?) throws -> TransitionPainter {
        if let known = painters[look] { return known }
        let sites = (0..<3).map { plane in
            let shift = plane == 0 ? 0 : 1
            return PlaneSite(frameWidth: size.width, frameHeight: size.height, shiftX: shift, shiftY: shift)
        }
        let effect = try TransitionEffect(look, in: color)
        let (black, white) = try range()
        let painter: TransitionPainter
        if case .map = effect {
            guard let map = try map(), map.size == size else {
                throw RenderError("invalid_task", "A luma wipe has no map of the frame's size.", isPermanent: true)
            }
            painter = map.withPlane(0) { view in
                TransitionPainter(effect, sites: sites, map: LumaMap(view.plane, black: black, white: white))
            }
        } else {
            painter = TransitionPainter(effect, sites: sites)
        }
        painters[look] = painter
        return painter
    }
}

extension TransitionStage {
    /// Code values of luma for black and white.
    func range() throws(RenderError) -> (black: UInt8, white: UInt8) {
        (try BackgroundColor("#000000", in: color).luma, try BackgroundColor("#ffffff", in: color).luma)
    }
}
