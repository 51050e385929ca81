/// A kind of `xfade` that is a wipe: its field and the edge that runs over it.
struct XfadeWipe {
    /// How the second picture follows a field f over the transition's progress t.
    enum Rule {
        /// The second is seen where f < t.
        case below
        /// The second is seen where f ≤ t.
        case upTo
        /// S(slope·f + start + speed·t), S(u) = 3u² − 2u³ clamped to 0 … 1.
        case ramp(slope: Double, start: Double, speed: Double)
    }

    let rule: Rule
    /// The value of a position in a frame of a size; FFmpeg's positions are whole numbers from the corner, not sample
    /// centres.
    let field: (_ x: Double, _ y: Double) -> Double

    func edge(at progress: Double) -> FieldEdge {
        switch rule {
        case .below: .hard(below: progress)
        case .upTo: .hard(upTo: progress)
        case .ramp(let slope, let start, let speed): .ramp(slope: slope, offset: start + speed * progress)
        }
    }

    /// nil where `kind` is no wipe.
    init?(_ kind: XfadeKind, frameWidth: Int, frameHeight: Int) {
        let (width, height) = (Double(frameWidth), Double(frameHeight))
        // The middle as FFmpeg takes it: whole numbers.
        let (middleX, middleY) = (Double(frameWidth / 2), Double(frameHeight / 2))
        let corner = max(FieldMath.length(middleX, middleY), 1)
        func across(_ x: Double) -> Double { x / width }
        func down(_ y: Double) -> Double { y / height }
        func back(_ x: Double) -> Double { (width - 1 - x) / width }
        func up(_ y: Double) -> Double { (height - 1 - y) / height }
        switch kind {
        case .wipeleft: self.init(.below) { x, _ in 1 - across(x) }
        case .wiperight: self.init(.upTo) { x, _ in across(x) }
        case .wipeup: self.init(.below) { _, y in 1 - down(y) }
        case .wipedown: self.init(.upTo) { _, y in down(y) }
        case .wipetl: self.init(.below) { x, y in 1 - max(across(x), down(y)) }
        case .wipetr: self.init(.below) { x, y in min(across(x), 1 - down(y)) }
        case .wipebl: self.init(.below) { x, y in min(1 - across(x), down(y)) }
        case .wipebr: self.init(.upTo) { x, y in min(across(x), down(y)) }
        case .smoothleft: self.init(sweeping: { x, _ in across(x) })
        case .smoothright: self.init(sweeping: { x, _ in back(x) })
        case .smoothup: self.init(sweeping: { _, y in down(y) })
        case .smoothdown: self.init(sweeping: { _, y in up(y) })
        case .diagtl: self.init(sweeping: { x, y in across(x) * down(y) })
        case .diagtr: self.init(sweeping: { x, y in back(x) * down(y) })
        case .diagbl: self.init(sweeping: { x, y in across(x) * up(y) })
        case .diagbr: self.init(sweeping: { x, y in back(x) * up(y) })
        case .vertopen: self.init(sweeping: { x, _ in 1 - abs(x - width / 2) / (width / 2) })
        case .vertclose: self.init(sweeping: { x, _ in abs(x - width / 2) / (width / 2) })
        case .horzopen: self.init(sweeping: { _, y in 1 - abs(y - height / 2) / (height / 2) })
        case .horzclose: self.init(sweeping: { _, y in abs(y - height / 2) / (height / 2) })
        case .circleopen:
            self.init(.ramp(slope: -1, start: -0.5, speed: 3)) { x, y in
                FieldMath.length(x - middleX, y - middleY) / corner
            }
        case .circleclose:
            self.init(.ramp(slope: 1, start: -1.5, speed: 3)) { x, y in
                FieldMath.length(x - middleX, y - middleY) / corner
            }
        case .radial:
            // The angle from the vertical, −π … π, moved by 2.5π over the transition.
            self.init(.ramp(slope: 2 * .pi, start: -2.25 * .pi, speed: 2.5 * .pi)) { x, y in
                FieldMath.turns(x: y - middleY, y: x - middleX) + 0.5
            }
        case .dissolve: self.init(.below) { x, y in XfadeNoise.value(x, y) }
        case .hlslice, .hrslice:
            let slices = (0..<frameWidth).map { XfadeWipe.slice((kind == .hlslice ? across : back)(Double($0))) }
            self.init(.below) { x, _ in slices[min(Int(x), frameWidth - 1)] }
        case .vuslice, .vdslice:
            let slices = (0..<frameHeight).map { XfadeWipe.slice((kind == .vuslice ? down : up)(Double($0))) }
            self.init(.below) { _, y in slices[min(Int(y), frameHeight - 1)] }
        case .hlwind: self.init(windy: { x, y in (1 - across(x), XfadeNoise.value(0, y)) })
        case .hrwind: self.init(windy: { x, y in (across(x), XfadeNoise.value(0, y)) })
        case .vuwind: self.init(windy: { x, y in (1 - down(y), XfadeNoise.value(x, 0)) })
        case .vdwind: self.init(windy: { x, y in (down(y), XfadeNoise.value(x, 0)) })
        default: return nil
        }
    }

    private init(_ rule: Rule, _ field: @escaping (Double, Double) -> Double) {
        self.rule = rule
        self.field = field
    }

    /// S(f + 2t − 1): the soft edges of xfade, as wide as the frame.
    private init(sweeping field: @escaping (Double, Double) -> Double) {
        self.init(.ramp(slope: 1, start: -1, speed: 2), field)
    }

    /// 80 % place, 20 % noise along the edge, with an edge a fifth of the way wide.
    private init(windy place: @escaping (Double, Double) -> (Double, Double)) {
        self.init(.ramp(slope: -5, start: 0, speed: 6)) { x, y in
            let (way, noise) = place(x, y)
            return 0.8 * way + 0.2 * noise
        }
    }

    /// When a column at `place` of 0 … 1 turns over: ten slices, each opening like a blind, one after the other.
    private static func slice(_ place: Double) -> Double {
        let fraction = 10 * place - (10 * place).rounded(.down)
        // S(−½, 0, place − 1.5·(1 − t)) > fraction, solved for t by halving.
        var (low, high) = (0.0, 1.0)
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if FieldMath.smoothStep(-0.5, 0, place - 1.5 * (1 - middle)) <= fraction {
                low = middle
            } else {
                high = middle
            }
        }
        return low
    }
}

/// xfade's noise: the digits behind the point of a large sine, in single precision.
enum XfadeNoise {
    /// 0 ..< 1 for a position.
    static func value(_ x: Double, _ y: Double) -> Double {
        let angle = Float(x) * 12.9898 + Float(y) * 78.233
        let large = Float(FieldMath.sine(Double(angle))) * 43758.545
        return Double(large - large.rounded(.down))
    }
}
