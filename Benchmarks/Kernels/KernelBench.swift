import Pixels

/// Prints how long each kernel takes for a pixel of a 1080p frame in 4:2:0: the best of some runs, all three planes, one
/// thread.
struct KernelBench {
    /// Measures only what begins with this.
    let only: String?
    private let above = KernelBench.picture(seed: 1)
    private let other = KernelBench.picture(seed: 7)
    private let below = KernelBench.picture(seed: 4)
    private let frame: FramePlanes
    private let opaque: LayerPicture
    private let translucent: LayerPicture

    private static let (width, height) = (1920, 1080)

    init(only: String?) {
        self.only = only
        let alpha = KernelBench.noise(KernelBench.width, KernelBench.height, seed: 9)
        frame = FramePlanes(planes: below.map(\.mutablePlane), shift: (1, 1))
        opaque = LayerPicture(planes: above.map(\.plane), alpha: nil, shift: (1, 1))
        translucent = LayerPicture(planes: above.map(\.plane), alpha: alpha.plane, shift: (1, 1))
    }

    func run() {
        print("ns/pixel  kernel, 1920 × 1080 in 4:2:0")
        layers()
        blending()
        colors()
        effects()
        transitions()
    }

    private func layers() {
        measure("dissolve") {
            for (index, target) in frame.planes.enumerated() {
                target.blend(above[index].plane, other[index].plane, weight: BlendWeight(step: 1, steps: 3))
            }
        }
        measure("layer at its place") { paint(opaque, .identity) }
        measure("layer at its place, opacity") { paint(opaque, .identity, BlendWeight(value: 30000)) }
        measure("layer at its place, alpha") { paint(translucent, .identity) }
        measure("push by parts of a pixel") { paint(opaque, .translation(x: 0.37, y: 0.21)) }
        measure("zoom to 110 %") { paint(opaque, .scale(x: 1.1, y: 1.1)) }
        measure("zoom to 110 %, alpha") { paint(translucent, .scale(x: 1.1, y: 1.1)) }
        measure("shrink to 50 %, per source pixel") { paint(opaque, .scale(x: 0.5, y: 0.5)) }
        measure("shrink to 25 %, per source pixel") { paint(opaque, .scale(x: 0.25, y: 0.25)) }
        let turn = Projection.rotation(sin: 0.5, cos: 0.75.squareRoot()) * .scale(x: 1.8, y: 1.8)
        measure("rotate by 30°") { paint(opaque, centered(turn)) }
        let nearly = 0.99.squareRoot()
        let tilt = Projection.tilt(x: (0.1, nearly), y: (0.1, nearly), distance: 2000) * .scale(x: 1.3, y: 1.3)
        measure("perspective") { paint(opaque, centered(tilt)) }
        measure("perspective, alpha") { paint(translucent, centered(tilt)) }
    }

    private func blending() {
        for function in BlendFunction.allCases where function != .normal {
            let full = BlendWeight(value: 65536)
            measure("blend \(function.rawValue)") { paint(opaque, .identity, full, function) }
        }
    }

    private func colors() {
        grade("affine", .transform(.contrast(1.2)))
        let line = (0...255).map { Float($0) / 255 }
        grade("curves", .curves(ToneCurves(red: line, green: line, blue: line)))
        let lattice = (0..<33 * 33 * 33).map { index -> SIMD3<Float> in
            let (red, green, blue) = (index % 33, index / 33 % 33, index / 1089)
            return SIMD3(Float(red), Float(green), Float(blue)) / 32
        }
        grade("cube of 33", .cube(ColorCube(size: 33, colors: lattice)))
    }

    private func grade(_ name: String, _ step: ColorGrade.Step) {
        let grade = ColorGrade([step])
        measure("colour, \(name)") { frame.grade(grade, matrix: .bt709) }
    }

    private func effects() {
        let key = ChromaKey(blue: -86, red: -102, tolerance: 30, softness: 40, spill: 1)
        let matte = PlaneBuffer(width: KernelBench.width / 2, height: KernelBench.height / 2)
        measure("chroma key, matte and spill") {
            key.matte(matte.mutablePlane, blue: above[1].plane, red: above[2].plane)
            key.suppressSpill(blue: frame.planes[1], red: frame.planes[2])
        }
        for sigma in [1.5, 6, 24] {
            measure("blur by \(sigma)") {
                for (index, target) in frame.planes.enumerated() {
                    let own = index == 0 ? sigma : sigma / 2
                    target.blur(above[index].plane, sigmaX: own, sigmaY: own)
                }
            }
        }
        measure("vignette") { frame.darken(Vignette(amount: 0.5, radius: 0.5, softness: 0.5), matrix: .bt709) }
        measure("pixelate by 16") { frame.pixelate(sizeX: 16, sizeY: 16) }
    }

    /// Half way of each; a wipe's field is made before.
    private func transitions() {
        let color = PlaneColor(16, 128, 128)
        let sharp = WipeEdge(softness: 0, border: 0, color: color, isReversed: false)
        let soft = WipeEdge(softness: 0.3, border: 0.05, color: color, isReversed: false)
        transition("push by parts of a pixel", .move(.push, .left))
        transition("wipe", .wipe(.bar(.right), sharp))
        transition("wipe, soft with a border", .wipe(.bar(.right), soft))
        transition("clock", .wipe(.clock(.up, count: 1, isCounterclockwise: false), sharp))
        transition("iris, star", .wipe(.iris(.star, .up), sharp))
        transition("fade through a colour", .fadeThrough(color))
        transition("zoom", .zoom(isOutward: false))
        transition("blur", .blur)
        for kind in XfadeKind.allCases {
            transition("xfade \(kind.rawValue)", .xfade(kind, black: color, white: color))
        }
    }

    private func transition(_ name: String, _ effect: TransitionEffect) {
        let name = "transition, " + name
        if let only, !name.hasPrefix(only) { return }
        let sites = (0..<3).map { plane in
            let shift = plane == 0 ? 0 : 1
            return PlaneSite(
                frameWidth: KernelBench.width,
                frameHeight: KernelBench.height,
                shiftX: shift,
                shiftY: shift
            )
        }
        let painter = TransitionPainter(effect, sites: sites)
        let (first, second) = (above.map(\.plane), other.map(\.plane))
        measure(name) { painter.paint(first, second, into: frame.planes, progress: 0.4711) }
    }

    private func paint(
        _ layer: LayerPicture,
        _ projection: Projection,
        _ opacity: BlendWeight = BlendWeight(value: 65536),
        _ blend: BlendFunction = .normal
    ) {
        frame.paint(layer, projection: projection, crop: nil, opacity: opacity, blend: blend)
    }

    /// About the frame's centre.
    private func centered(_ projection: Projection) -> Projection {
        let (x, y) = (Double(KernelBench.width) / 2, Double(KernelBench.height) / 2)
        return .translation(x: x, y: y) * projection * .translation(x: -x, y: -y)
    }

    private func measure(_ name: String, _ body: () -> Void) {
        if let only, !name.hasPrefix(only) { return }
        var best = Double.infinity
        for _ in 0..<9 {
            let time = ContinuousClock().measure(body).components
            best = min(best, Double(time.seconds) * 1e9 + Double(time.attoseconds) / 1e9)
        }
        let pixels = Double(KernelBench.width * KernelBench.height)
        print(KernelBench.text(best / pixels), " ", name)
    }

    /// With two decimals, in 8 columns.
    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        let number = "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
        return String(repeating: " ", count: max(0, 8 - number.count)) + number
    }

    private static func picture(seed: Int) -> [PlaneBuffer] {
        [
            noise(width, height, seed: seed), noise(width / 2, height / 2, seed: seed + 1),
            noise(width / 2, height / 2, seed: seed + 2),
        ]
    }

    private static func noise(_ width: Int, _ height: Int, seed: Int) -> PlaneBuffer {
        let buffer = PlaneBuffer(width: width, height: height)
        let plane = buffer.mutablePlane
        for y in 0..<height {
            for x in 0..<width {
                let value = (x &* 73 &+ y &* 151 &+ seed &* 211) &* 2_654_435_761 >> 11
                plane.base[y * plane.stride + x] = UInt8(truncatingIfNeeded: value)
            }
        }
        return buffer
    }
}
