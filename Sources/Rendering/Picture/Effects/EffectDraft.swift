import CompositionModel
import Media
import Pixels

/// A copy of a picture that effects are applied to.
struct EffectDraft {
    let target: MutablePicture
    private let matrix: ColorMatrix
    private let color: ColorDescription

    /// - Throws: ``MediaError/unsupported(_:)`` for a pixel format that cannot have an alpha.
    init(of picture: Picture, withAlpha: Bool, color: ColorDescription) throws(MediaError) {
        let name = picture.pixelFormat.name
        let hasAlpha = picture.planeCount > 3
        let withAlphaName = hasAlpha || !withAlpha ? name : "yuva" + name.dropFirst(3)
        guard name.hasPrefix("yuv"), picture.planeCount >= 3, let format = PixelFormat(name: withAlphaName) else {
            throw .unsupported("Effects on a picture in \(name) are not possible.")
        }
        target = try MutablePicture(width: picture.width, height: picture.height, pixelFormat: format, color: color)
        (matrix, self.color) = (ColorMatrix(color), color)
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in
                guard index < picture.planeCount else { return view.plane.fill(255) }
                picture.withPlane(index) { view.plane.copy($0.plane) }
            }
        }
    }

    /// In order; effects on colours that follow each other are computed at once.
    /// - Throws: ``MediaError/unsupported(_:)`` for a colour that cannot be.
    func apply(
        _ effects: [EffectState],
        grain: (x: Double, y: Double),
        origin: (x: Double, y: Double),
        material: EffectMaterial
    ) throws(MediaError) {
        var steps: [ColorGrade.Step] = []
        for effect in effects {
            if let step = effect.gradeStep(matrix, material) {
                steps.append(step)
                continue
            }
            grade(&steps)
            if let source = effect.source, let mask = material.masks[source] {
                self.mask(effect, source, mask, grain, origin)
            } else {
                try apply(effect, grain)
            }
        }
        grade(&steps)
    }

    private func grade(_ steps: inout [ColorGrade.Step]) {
        guard !steps.isEmpty else { return }
        target.withFramePlanes { $0.grade(ColorGrade(steps), matrix: matrix) }
        steps = []
    }

    private func apply(_ effect: EffectState, _ grain: (x: Double, y: Double)) throws(MediaError) {
        switch effect.name {
        case .chromaKey: try chromaKey(effect)
        case .lumaKey: lumaKey(effect)
        case .blur: blur(effect[.radius] * grain.x, effect[.radius] * grain.y)
        case .sharpen: sharpen(effect, grain)
        case .vignette:
            let (radius, softness) = (Float(effect[.radius]), Float(effect[.softness]))
            let vignette = Vignette(amount: Float(effect[.amount]), radius: radius, softness: softness)
            target.withFramePlanes { $0.darken(vignette, matrix: matrix) }
        case .pixelate: pixelate(effect[.size] * grain.x, effect[.size] * grain.y)
        case .roundedCorners:
            withAlpha { $0.roundCorners(radiusX: effect[.radius] * grain.x, radiusY: effect[.radius] * grain.y) }
        case .exposure, .brightness, .contrast, .saturation, .temperature, .liftGammaGain, .sepia, .blackAndWhite,
            .lut, .mask, .dropShadow:
            break
        }
    }

    /// Tolerance and softness of 1 are 128 code values of chroma.
    private func chromaKey(_ effect: EffectState) throws(MediaError) {
        guard let screen = try? BackgroundColor(effect.color, in: color) else {
            throw .unsupported("A screen in \(effect.color) is not possible.")
        }
        let key = ChromaKey(
            blue: Float(screen.blueDifference) - 128,
            red: Float(screen.redDifference) - 128,
            tolerance: Float(effect[.tolerance]) * 128,
            softness: Float(effect[.softness]) * 128,
            spill: Float(effect[.spill])
        )
        let shift = target.pixelFormat.chromaShift
        target.withFramePlanes { frame in
            let (blue, red) = (frame.planes[1], frame.planes[2])
            let matte = PlaneBuffer(width: blue.width, height: blue.height)
            key.matte(matte.mutablePlane, blue: blue.samples, red: red.samples)
            key.suppressSpill(blue: blue, red: red, matrix: matrix)
            let whole = PlaneBuffer(width: target.width, height: target.height)
            whole.mutablePlane.spread(matte.plane, shift: shift)
            withAlpha { $0.multiply($0.samples, by: whole.plane) }
        }
    }

    private func lumaKey(_ effect: EffectState) {
        let (black, range): (Float, Float) = color.isFullRange ? (0, 255) : (16, 219)
        let table = LumaKey.table(
            threshold: black + Float(effect[.threshold]) * range,
            softness: Float(effect[.softness]) * range,
            isInverted: effect[.invert] >= 0.5
        )
        let matte = PlaneBuffer(width: target.width, height: target.height)
        target.withMutablePlane(0) { matte.mutablePlane.map($0.plane.samples, by: table) }
        withAlpha { $0.multiply($0.samples, by: matte.plane) }
    }

    /// The mask multiplies the alpha; beyond its borders nothing is seen.
    private func mask(
        _ effect: EffectState,
        _ source: EffectSource,
        _ mask: PlacedMask,
        _ grain: (x: Double, y: Double),
        _ origin: (x: Double, y: Double)
    ) {
        let values = mask.values(source.channel ?? .luma, color: color)
        let place = mask.placement
        let way = Projection.translation(x: Double(place.x) - origin.x, y: Double(place.y) - origin.y)
        let scale = Projection.scale(
            x: Double(place.size.width) / Double(mask.picture.width),
            y: Double(place.size.height) / Double(mask.picture.height)
        )
        let whole = PlaneBuffer(width: target.width, height: target.height)
        whole.mutablePlane.fill(0)
        whole.mutablePlane.lay(values.plane, projection: .scale(x: grain.x, y: grain.y) * way * scale)
        if effect[.invert] >= 0.5 { whole.mutablePlane.map(whole.plane, by: (0...255).map { UInt8(255 - $0) }) }
        withAlpha { $0.multiply($0.samples, by: whole.plane) }
    }

    private func blur(_ sigmaX: Double, _ sigmaY: Double) {
        let shift = target.pixelFormat.chromaShift
        weighted { plane, isChroma in
            let copy = PlaneBuffer(width: plane.width, height: plane.height)
            copy.mutablePlane.copy(plane.samples)
            plane.blur(
                copy.plane,
                sigmaX: sigmaX / Double(isChroma ? 1 << shift.x : 1),
                sigmaY: sigmaY / Double(isChroma ? 1 << shift.y : 1)
            )
        }
    }

    private func pixelate(_ width: Double, _ height: Double) {
        let shift = target.pixelFormat.chromaShift
        let (sizeX, sizeY) = (max(1, Int(width.rounded())), max(1, Int(height.rounded())))
        weighted { plane, isChroma in
            plane.pixelate(
                sizeX: sizeX,
                sizeY: sizeY,
                shiftX: isChroma ? shift.x : 0,
                shiftY: isChroma ? shift.y : 0
            )
        }
    }

    /// Luma only: the eye sees no detail in chroma.
    private func sharpen(_ effect: EffectState, _ grain: (x: Double, y: Double)) {
        let (sigmaX, sigmaY) = (effect[.radius] * grain.x, effect[.radius] * grain.y)
        let (copy, soft) = (buffer(), buffer())
        target.withMutablePlane(0) { copy.mutablePlane.copy($0.plane.samples) }
        soft.mutablePlane.blur(copy.plane, sigmaX: sigmaX, sigmaY: sigmaY)
        withAlpha { alpha in
            // What is transparent has no brightness to differ from.
            let (products, weights) = (buffer(), buffer())
            products.mutablePlane.multiply(copy.plane, by: alpha.samples)
            soft.mutablePlane.blur(products.plane, sigmaX: sigmaX, sigmaY: sigmaY)
            weights.mutablePlane.blur(alpha.samples, sigmaX: sigmaX, sigmaY: sigmaY)
            soft.mutablePlane.divide(by: weights.plane, empty: 0)
        }
        target.withMutablePlane(0) { view in
            view.plane.sharpen(copy.plane, blurred: soft.plane, amount: Int((effect[.amount] * 256).rounded()))
        }
    }

    private func buffer() -> PlaneBuffer { PlaneBuffer(width: target.width, height: target.height) }

    /// Filters all planes, colours weighed by their alpha: what is transparent has no colour that could shine through.
    private func weighted(_ filter: (_ plane: MutablePlane, _ isChroma: Bool) -> Void) {
        guard target.planeCount > 3 else {
            for index in 0..<3 { target.withMutablePlane(index) { filter($0.plane, index > 0) } }
            return
        }
        let shift = target.pixelFormat.chromaShift
        target.withFramePlanes { frame in
            withAlpha { alpha in
                let chroma = PlaneBuffer(width: frame.planes[1].width, height: frame.planes[1].height)
                chroma.mutablePlane.subsampleAlpha(alpha.samples, shiftX: shift.x, shiftY: shift.y)
                let alphas = [alpha, chroma.mutablePlane, chroma.mutablePlane]
                for (plane, factor) in zip(frame.planes, alphas) { plane.multiply(plane.samples, by: factor.samples) }
                filter(alpha, false)
                filter(chroma.mutablePlane, true)
                for (index, (plane, factor)) in zip(frame.planes, alphas).enumerated() {
                    filter(plane, index > 0)
                    plane.divide(by: factor.samples, empty: index == 0 ? 16 : 128)
                }
            }
        }
    }

    private func withAlpha(_ body: (MutablePlane) -> Void) {
        guard target.planeCount > 3 else { return }
        target.withMutablePlane(3) { body($0.plane) }
    }
}

extension PlacedMask {
    /// 0 where it hides, 255 where it shows. Luma counts from black to white and as far as it is not transparent, as in
    /// CSS Masking 1 §6.
    func values(_ channel: EffectSource.Channel, color: ColorDescription) -> PlaneBuffer {
        let values = PlaneBuffer(width: picture.width, height: picture.height)
        values.mutablePlane.fill(255)
        if channel == .luma {
            let (black, range): (Int, Int) = color.isFullRange ? (0, 255) : (16, 219)
            let table = (0...255).map { UInt8(max(0, min(255, (2 * 255 * ($0 - black) + range) / (2 * range)))) }
            picture.withPlane(0) { values.mutablePlane.map($0.plane, by: table) }
        }
        guard picture.planeCount > 3 else { return values }
        picture.withPlane(3) { values.mutablePlane.multiply(values.plane, by: $0.plane) }
        return values
    }
}
