/// Paints the frames of one transition. It keeps what does not change between frames: a wipe's fields.
package final class TransitionPainter {
    let effect: TransitionEffect
    let sites: [PlaneSite]
    private var fields: [WipeField]
    private let xfadeWipe: XfadeWipe?

    /// - Parameters:
    ///   - sites: the sites of the planes of all pictures, the first of full size.
    ///   - map: for ``TransitionEffect/map(_:)``: when the edge reaches a place, black first; of the frame's size.
    package init(_ effect: TransitionEffect, sites: [PlaneSite], map: LumaMap? = nil) {
        precondition(!sites.isEmpty && sites.count <= 3)
        self.effect = effect
        self.sites = sites
        let (width, height) = (sites[0].frameWidth, sites[0].frameHeight)
        switch effect {
        case .xfade(let kind, _, _):
            xfadeWipe = XfadeWipe(kind, frameWidth: width, frameHeight: height)
            let value = xfadeWipe?.field ?? XfadeCrop.field(kind, frameWidth: width, frameHeight: height)
            fields = value.map { value in sites.map { WipeField($0, value: value) } } ?? []
        case .wipe(let shape, let edge):
            xfadeWipe = nil
            let value = shape.field(frameWidth: width, frameHeight: height)
            fields = sites.map { site in WipeField(site) { edge.isReversed ? 1 - value($0, $1) : value($0, $1) } }
        case .map(let edge):
            xfadeWipe = nil
            guard let map else { preconditionFailure("a map transition needs its map") }
            fields = sites.map { site in
                WipeField(width: site.width, height: site.height) { x, y in
                    let value = map.value(x << site.shiftX, y << site.shiftY)
                    return edge.isReversed ? 1 - value : value
                }
            }
        default:
            xfadeWipe = nil
            fields = []
        }
    }

    /// Writes the frame at `progress`: at 0 exactly `first`, at 1 exactly `second`.
    /// - Precondition: all have the painter's planes; `target` overlaps no other.
    package func paint(_ first: [Plane], _ second: [Plane], into target: [MutablePlane], progress: Double) {
        precondition(first.count == sites.count && second.count == sites.count && target.count == sites.count)
        for (index, site) in sites.enumerated() {
            for plane in [first[index], second[index]] {
                precondition(plane.width == site.width && plane.height == site.height)
            }
            precondition(target[index].width == site.width && target[index].height == site.height)
        }
        guard progress > 0, progress < 1 else {
            for index in sites.indices { target[index].copy(progress < 1 ? first[index] : second[index]) }
            return
        }
        if case .xfade(.distance, _, _) = effect { return distance(first, second, into: target, progress) }
        for index in sites.indices { paint(index, first[index], second[index], into: target[index], progress) }
    }

    private func paint(_ index: Int, _ first: Plane, _ second: Plane, into target: MutablePlane, _ progress: Double) {
        let site = sites[index]
        switch effect {
        case .dissolve: target.blend(first, second, weight: BlendWeight(progress))
        case .fadeThrough(let color): target.fade(first, second, through: color.value(index), progress)
        case .move(let style, let direction): target.move(first, second, style, direction, progress)
        case .wipe(_, let edge), .map(let edge): target.wipe(first, second, fields[index], edge, index, progress)
        case .zoom(let isOutward): target.zoom(first, second, isOutward: isOutward, site, progress)
        case .blur: target.blur(first, second, site, progress)
        case .xfade(let kind, let black, let white):
            if let xfadeWipe {
                target.wipe(first, second, fields[index], xfadeWipe.edge(at: progress))
            } else if let field = fields.first.map({ _ in fields[index] }) {
                target.copy(progress > 0.5 ? second : first)
                let edge = XfadeCrop.edge(kind, at: progress)
                target.cover(black.value(index), field, edge)
            } else {
                let colors = (black: black.value(index), white: white.value(index))
                target.xfade(kind, first, second, site, index, colors, progress)
            }
        }
    }
}

extension BlendWeight {
    /// The nearest to `share`, which is kept within 0 … 1.
    package init(_ share: Double) { self.init(value: UInt32(min(max(share, 0), 1) * 65536 + 0.5)) }
}

extension MutablePlane {
    fileprivate func fade(_ first: Plane, _ second: Plane, through color: UInt8, _ progress: Double) {
        let doubled = 2 * progress
        combine(
            first,
            second,
            firstShare: max(1 - doubled, 0),
            secondShare: max(doubled - 1, 0),
            constant: Double(color) * (1 - abs(1 - doubled))
        )
    }

    fileprivate func wipe(
        _ first: Plane,
        _ second: Plane,
        _ field: WipeField,
        _ edge: WipeEdge,
        _ index: Int,
        _ progress: Double
    ) {
        let reach = edge.softness + edge.border
        let position = progress * (1 + reach) - reach / 2
        let width = Float(edge.softness * 65535)
        func line(_ position: Double) -> FieldEdge { .fine(position: Float(position * 65535), width: width) }
        wipe(first, second, field, line(position))
        guard edge.border > 0 else { return }
        band(
            edge.color.value(index),
            field,
            outer: line(position + edge.border / 2),
            inner: line(position - edge.border / 2)
        )
    }

    fileprivate func blur(_ first: Plane, _ second: Plane, _ site: PlaneSite, _ progress: Double) {
        blend(first, second, weight: BlendWeight(FieldMath.smoothStep(0, 1, progress)))
        // In the middle a mean over a twentieth of the width to each side, twice.
        let radius = Double(site.frameWidth) / 20 * FieldMath.smoothStep(0, 1, 1 - abs(1 - 2 * progress))
        softened(radiusX: radius / Double(1 << site.shiftX), radiusY: radius / Double(1 << site.shiftY))
    }

    fileprivate func move(
        _ first: Plane,
        _ second: Plane,
        _ style: MoveStyle,
        _ direction: WipeDirection,
        _ progress: Double
    ) {
        let isDown = direction == .up || direction == .down
        let isBack = direction == .left || direction == .up
        let length = Double(isDown ? height : width) * (isBack ? -1 : 1)
        func put(_ plane: Plane, at place: Double, isBottom: Bool = false) {
            if isDown {
                self.place(plane, down: place * length, isBottom: isBottom)
            } else {
                self.place(plane, right: place * length, isBottom: isBottom)
            }
        }
        switch style {
        case .push:
            put(first, at: progress, isBottom: true)
            put(second, at: progress - 1)
        case .slide:
            put(first, at: progress / 2, isBottom: true)
            put(second, at: progress - 1)
        case .cover:
            copy(first)
            put(second, at: progress - 1)
        case .reveal:
            copy(second)
            put(first, at: progress)
        }
    }
}
