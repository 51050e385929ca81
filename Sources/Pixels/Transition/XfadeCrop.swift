/// `circlecrop` and `rectcrop`: the picture shrinks into a black frame and the other one grows out of it.
enum XfadeCrop {
    /// Black first, or nil for another kind.
    static func field(_ kind: XfadeKind, frameWidth: Int, frameHeight: Int) -> ((_ x: Double, _ y: Double) -> Double)? {
        let (width, height) = (Double(frameWidth), Double(frameHeight))
        let (middleX, middleY) = (Double(frameWidth / 2), Double(frameHeight / 2))
        let corner = max(FieldMath.length(middleX, middleY), 1)
        switch kind {
        case .circlecrop: return { x, y in 1 - FieldMath.length(x - middleX, y - middleY) / corner }
        // FFmpeg cuts half the sides to whole samples: |x − middle| < ⌊z · width⌋, so (|x − middle| + 1) / width ≤ z.
        case .rectcrop:
            return { x, y in 1 - 2 * max((abs(x - middleX) + 1) / width, (abs(y - middleY) + 1) / height) }
        default: return nil
        }
    }

    /// The edge of the black area at `progress`.
    static func edge(_ kind: XfadeKind, at progress: Double) -> FieldEdge {
        let open = abs(2 * progress - 1)
        return .hard(below: 1 - (kind == .circlecrop ? open * open * open : open))
    }
}
