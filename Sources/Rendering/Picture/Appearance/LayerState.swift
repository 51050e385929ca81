import CompositionModel
import Pixels
import Timing

/// What a layer's appearance says at one time. Lengths are pixels of the frame.
struct LayerState {
    let opacity: BlendWeight
    let blend: BlendMode
    /// Whether the picture leaves the place where its fit put it at any time of its layer: then all its frames are
    /// drawn in one way, and none jumps.
    let moves: Bool
    /// What is done to the picture, in this order.
    let effects: [EffectState]
    let values: [PictureProperty: [Double]]

    /// - Parameter time: the time of the layer, in which the keys of `appearance` are given.
    init(_ appearance: LayerAppearance, at time: RationalTime) {
        var values: [PictureProperty: [Double]] = [:]
        for property in PictureProperty.allCases {
            let value = appearance[property]?.value(at: time)
            if value?.count == property.form.count { values[property] = value }
        }
        self.values = values
        blend = appearance.blend ?? .normal
        moves = appearance.moves
        effects = (appearance.effects ?? []).map { EffectState($0, at: time) }
        let part = max(0, min(1, values[.opacity]?[0] ?? 1))
        opacity = BlendWeight(value: UInt32((part * 65536).rounded()))
    }

    /// Does nothing.
    static let plain = LayerState(LayerAppearance(), at: .zero)

    /// Nothing is changed, cut, mixed or seen through.
    var isPlain: Bool { opacity.isSecond && blend == .normal && values[.crop] == nil && effects.isEmpty }

    /// Whether all that a track with this shows is put together before this is done to it.
    /// - Parameter transition: the transition that the track is in, if it is in one. A dissolve of what is seen through
    ///   gives the same with both ways of drawing.
    func needsWhole(in transition: TransitionState?) -> Bool {
        if changesPicture { return true }
        guard let transition, transition.isBetween else { return false }
        return blend != .normal || !opacity.isSecond && !transition.isDissolve
    }

    /// Whether more is done to a picture than to place and mix it.
    var changesPicture: Bool { !effects.isEmpty || values[.crop] != nil }

    /// The part of a picture of `size` that is seen, in its pixels; nil is all.
    /// - Parameter box: where the picture's fit put it.
    func crop(of box: Placement, picture size: PictureSize) -> PlaneRect? {
        guard let crop = values[.crop]?.map({ max(0, $0) }) else { return nil }
        let (x, y) = LayerState.scale(from: box, to: size)
        return PlaneRect(
            left: crop[0] * x,
            top: crop[1] * y,
            right: Double(size.width) - crop[2] * x,
            bottom: Double(size.height) - crop[3] * y
        )
    }

    /// Frame ← picture of `size`, which its fit put into `box`: about the anchor scaled, skewed, turned about z, y and
    /// x, seen in perspective, and then moved to its position.
    ///
    /// The eye is straight before the position, as far away as the frame is wide.
    func projection(of box: Placement, picture size: PictureSize, frame: PictureSize) -> Projection {
        let anchor = values[.anchor] ?? [Double(box.size.width) / 2, Double(box.size.height) / 2]
        let place = values[.position] ?? [Double(box.x) + anchor[0], Double(box.y) + anchor[1]]
        let (x, y) = LayerState.scale(from: box, to: size)
        return .translation(x: place[0], y: place[1]) * tilt(frame) * turn * skew * scale
            * .translation(x: -anchor[0], y: -anchor[1]) * .scale(x: 1 / x, y: 1 / y)
    }

    /// Pixels of a picture of `size` for each pixel of `box`.
    static func scale(from box: Placement, to size: PictureSize) -> (x: Double, y: Double) {
        (Double(size.width) / Double(box.size.width), Double(size.height) / Double(box.size.height))
    }

    var scale: Projection { values[.scale].map { .scale(x: $0[0], y: $0[1]) } ?? .identity }

    var skew: Projection {
        guard let angles = values[.skew] else { return .identity }
        let (x, y) = (LayerState.turn(angles[0]), LayerState.turn(angles[1]))
        return .skew(tangentX: x.sin / x.cos, tangentY: y.sin / y.cos)
    }

    var turn: Projection {
        guard let angle = values[.rotate]?[0] else { return .identity }
        let (sin, cos) = LayerState.turn(angle)
        return .rotation(sin: sin, cos: cos)
    }

    func tilt(_ frame: PictureSize) -> Projection {
        guard values[.rotateX] != nil || values[.rotateY] != nil else { return .identity }
        let (x, y) = (LayerState.turn(values[.rotateX]?[0] ?? 0), LayerState.turn(values[.rotateY]?[0] ?? 0))
        return .tilt(x: x, y: y, distance: Double(frame.width))
    }

    private static func turn(_ degrees: Double) -> (sin: Double, cos: Double) {
        (ExactMath.sinPi(degrees / 180), ExactMath.cosPi(degrees / 180))
    }
}
