import CompositionModel
import Media
import Pixels

/// Puts pictures of one size together.
final class CanvasPainter {
    private let size: PictureSize
    private let color: ColorDescription
    private let background: BackgroundColor
    private let layers = LayerPainter()
    private var plainPicture: Picture?

    init(size: PictureSize, color: ColorDescription, background: BackgroundColor) {
        self.size = size
        self.color = color
        self.background = background
    }

    /// Forgets what was not drawn since the last call.
    func endFrame() { layers.endFrame() }

    /// `canvas` as a picture; the plain background is made once. A draft ends with it.
    func picture(of canvas: Canvas) throws(MediaError) -> Picture {
        switch canvas {
        case .picture(let picture): return picture
        case .draft(let draft): return try draft.freeze()
        case .background: return try plain()
        }
    }

    /// `canvas` in a form that may be drawn over more than once.
    func settled(_ canvas: Canvas) throws(MediaError) -> Canvas {
        if case .draft(let draft) = canvas { .picture(try draft.freeze()) } else { canvas }
    }

    private func plain() throws(MediaError) -> Picture {
        if let plainPicture { return plainPicture }
        let target = try blank()
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { $0.plane.fill(background.value(ofPlane: index)) }
        }
        let picture = try target.freeze()
        plainPicture = picture
        return picture
    }

    /// `placed` over `canvas`. A picture that is exactly the frame is passed on as it is.
    func draw(_ placed: PlacedPicture, over canvas: Canvas) throws(MediaError) -> Canvas {
        if placed.x == 0, placed.y == 0, placed.picture.size == size { return .picture(placed.picture) }
        if case .draft(let draft) = canvas {
            copy(placed, into: draft)
            return canvas
        }
        let target = try blank()
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in
                let part = placed.visiblePart(ofPlane: index, width: view.width, height: view.height)
                if !placed.covers(size) { surround(part, in: view.plane, index: index, with: canvas) }
                if !part.isEmpty { copy(placed.picture, plane: index, part, into: view.plane) }
            }
        }
        return .picture(try target.freeze())
    }

    /// `layer` over `canvas`.
    func draw(_ layer: PaintedLayer, over canvas: Canvas) throws(MediaError) -> Canvas {
        if layer.isGroup {
            let group = try flatten([layer.opaque])
            return try draw(whole(group, opacity: layer.opacity, blend: layer.blend), over: canvas)
        }
        let target = try draft(of: canvas)
        for layer in layer.shadows + [layer] {
            try layers.paint(
                layer.picture,
                projection: layer.projection,
                crop: layer.crop,
                opacity: layer.opacity,
                blend: layer.blend,
                chromaAlpha: layer.chromaAlpha,
                over: target
            )
        }
        return .draft(target)
    }

    /// `layers`, from the bottom up, put together to one picture of the frame's size that is seen through where none of
    /// them is.
    func flatten(_ layers: [PaintedLayer]) throws(MediaError) -> GroupPicture {
        if layers.count == 1, let picture = layers[0].whole(of: size) { return GroupPicture(picture: picture) }
        let target = try GroupCanvas(size: size, color: color)
        for layer in layers {
            guard layer.isGroup else {
                try self.layers.paint(layer, over: target)
                continue
            }
            let group = try flatten([layer.opaque])
            try self.layers.paint(whole(group, opacity: layer.opacity, blend: layer.blend), over: target)
        }
        return try target.picture()
    }

    /// A group, drawn where it is.
    func whole(_ group: GroupPicture, opacity: BlendWeight, blend: BlendFunction) -> PaintedLayer {
        PaintedLayer(
            picture: group.picture,
            projection: .identity,
            crop: nil,
            opacity: opacity,
            blend: blend,
            chromaAlpha: group.chromaAlpha
        )
    }

    private func draft(of canvas: Canvas) throws(MediaError) -> MutablePicture {
        if case .draft(let draft) = canvas { return draft }
        let target = try blank()
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in
                show(canvas, index, in: view.plane, x: 0..<view.width, y: 0..<view.height)
            }
        }
        return target
    }

    private func copy(_ placed: PlacedPicture, into target: MutablePicture) {
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in
                let part = placed.visiblePart(ofPlane: index, width: view.width, height: view.height)
                if !part.isEmpty { copy(placed.picture, plane: index, part, into: view.plane) }
            }
        }
    }

    /// Both canvases blended: `weight` says how much of `second` is seen.
    func blend(_ first: Canvas, _ second: Canvas, weight: BlendWeight) throws(MediaError) -> Canvas {
        if weight.isFirst { return first }
        if weight.isSecond { return second }
        let (from, to) = try (picture(of: first), picture(of: second))
        if from === to { return first }
        let target = try blank()
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in
                from.withPlane(index) { from in
                    to.withPlane(index) { to in view.plane.blend(from.plane, to.plane, weight: weight) }
                }
            }
        }
        return .picture(try target.freeze())
    }

    private func blank() throws(MediaError) -> MutablePicture {
        try MutablePicture(width: size.width, height: size.height, pixelFormat: .yuv420p, color: color)
    }

    private func copy(_ picture: Picture, plane index: Int, _ part: PlanePart, into target: MutablePlane) {
        picture.withPlane(index) { view in
            let seen = view.plane.part(x: part.sourceX, y: part.sourceY, width: part.width, height: part.height)
            target.part(x: part.x, y: part.y, width: part.width, height: part.height).copy(seen)
        }
    }

    /// Shows `canvas` above, below, left and right of `part`.
    private func surround(_ part: PlanePart, in target: MutablePlane, index: Int, with canvas: Canvas) {
        guard !part.isEmpty else {
            return show(canvas, index, in: target, x: 0..<target.width, y: 0..<target.height)
        }
        show(canvas, index, in: target, x: 0..<target.width, y: 0..<part.y)
        show(canvas, index, in: target, x: 0..<part.x, y: part.y..<part.endY)
        show(canvas, index, in: target, x: part.endX..<target.width, y: part.y..<part.endY)
        show(canvas, index, in: target, x: 0..<target.width, y: part.endY..<target.height)
    }

    private func show(_ canvas: Canvas, _ index: Int, in target: MutablePlane, x: Range<Int>, y: Range<Int>) {
        guard !x.isEmpty, !y.isEmpty else { return }
        let place = target.part(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
        switch canvas {
        case .background: place.fill(background.value(ofPlane: index))
        case .picture(let picture):
            picture.withPlane(index) { view in
                place.copy(view.plane.part(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count))
            }
        case .draft: break
        }
    }
}
