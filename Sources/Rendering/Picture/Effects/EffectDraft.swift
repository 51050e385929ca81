import Media
import Pixels
import Shared

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
    func apply(_ effects: [EffectState], grain: (x: Double, y: Double)) throws(MediaError) {
        var steps: [ColorGrade.Step] = []
        for effect in effects {
            if let step = effect.gradeStep(matrix) {
                steps.append(step)
                continue
            }
            grade(&steps)
            try apply(effect, grain)
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
        case .blur: blur(effect["radius"] * grain.x, effect["radius"] * grain.y)
        case .sharpen: sharpen(effect, grain)
        case .vignette:
            let (radius, softness) = (Float(effect["radius"]), Float(effect["softness"]))
            let vignette = Vignette(amount: Float(effect["amount"]), radius: radius, softness: softness)
            target.withFramePlanes { $0.darken(vignette, matrix: matrix) }
        case .pixelate:
            let size = max(1, Int((effect["size"] * grain.x).rounded()))
            target.withFramePlanes { $0.pixelate(size: size) }
            withAlpha { $0.pixelate(size: size, shiftX: 0, shiftY: 0) }
        case .roundedCorners: withAlpha { $0.roundCorners(radius: effect["radius"] * grain.x) }
        case .exposure, .brightness, .contrast, .saturation, .temperature, .liftGammaGain, .sepia, .blackAndWhite,
            .dropShadow:
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
            tolerance: Float(effect["tolerance"]) * 128,
            softness: Float(effect["softness"]) * 128,
            spill: Float(effect["spill"])
        )
        let shift = target.pixelFormat.chromaShift
        target.withFramePlanes { frame in
            let (blue, red) = (frame.planes[1], frame.planes[2])
            let matte = PlaneBuffer(width: blue.width, height: blue.height)
            key.matte(matte.mutablePlane, blue: blue.samples, red: red.samples)
            key.suppressSpill(blue: blue, red: red)
            let whole = PlaneBuffer(width: target.width, height: target.height)
            whole.mutablePlane.spread(matte.plane, shift: shift)
            withAlpha { $0.multiply($0.samples, by: whole.plane) }
        }
    }

    private func lumaKey(_ effect: EffectState) {
        let (black, range): (Float, Float) = color.isFullRange ? (0, 255) : (16, 219)
        let table = LumaKey.table(
            threshold: black + Float(effect["threshold"]) * range,
            softness: Float(effect["softness"]) * range,
            isInverted: effect["invert"] >= 0.5
        )
        let matte = PlaneBuffer(width: target.width, height: target.height)
        target.withMutablePlane(0) { matte.mutablePlane.map($0.plane.samples, by: table) }
        withAlpha { $0.multiply($0.samples, by: matte.plane) }
    }

    private func blur(_ sigmaX: Double, _ sigmaY: Double) {
        let shift = target.pixelFormat.chromaShift
        for index in 0..<target.planeCount {
            let isChroma = index == 1 || index == 2
            target.withMutablePlane(index) { view in
                let copy = PlaneBuffer(width: view.width, height: view.height)
                copy.mutablePlane.copy(view.plane.samples)
                view.plane.blur(
                    copy.plane,
                    sigmaX: sigmaX / Double(isChroma ? 1 << shift.x : 1),
                    sigmaY: sigmaY / Double(isChroma ? 1 << shift.y : 1)
                )
            }
        }
    }

    /// Luma only: the eye sees no detail in chroma.
    private func sharpen(_ effect: EffectState, _ grain: (x: Double, y: Double)) {
        target.withMutablePlane(0) { view in
            let (copy, soft) = (
                PlaneBuffer(width: view.width, height: view.height), PlaneBuffer(width: view.width, height: view.height)
            )
            copy.mutablePlane.copy(view.plane.samples)
            let radius = effect["radius"]
            soft.mutablePlane.blur(copy.plane, sigmaX: radius * grain.x, sigmaY: radius * grain.y)
            view.plane.sharpen(copy.plane, blurred: soft.plane, amount: Int((effect["amount"] * 256).rounded()))
        }
    }

    private func withAlpha(_ body: (MutablePlane) -> Void) {
        guard target.planeCount > 3 else { return }
        target.withMutablePlane(3) { body($0.plane) }
    }
}
