extension MutablePlane {
    /// Shows `below` through a picture that was painted on a black and on a white ground: what `light` has more than
    /// `dark` is the part of the ground that is seen.
    /// - Parameters:
    ///   - black: code value of the ground under `dark`; `white` of that under `light`, above it.
    public func show(_ below: Plane, through dark: Plane, _ light: Plane, black: UInt8, white: UInt8) {
        precondition(black < white && [below, dark, light].allSatisfy { $0.width == width && $0.height == height })
        let range = Int(white) - Int(black)
        for y in 0..<height {
            let (under, one, other, target) = (below.row(y), dark.row(y), light.row(y), row(y))
            for x in 0..<width {
                let part = min(max(Int(other[x]) - Int(one[x]), 0), range)
                target[x] = shown(own: Int(one[x]), ground: Int(black), below: Int(under[x]), part, of: range)
            }
        }
    }

    /// The same for a plane of chroma, whose ground is 128: the part comes from the luma samples that it belongs to.
    public func show(
        chroma below: Plane,
        through dark: Plane,
        luma: Plane,
        _ light: Plane,
        black: UInt8,
        white: UInt8
    ) {
        precondition(black < white && [below, dark].allSatisfy { $0.width == width && $0.height == height })
        precondition(luma.width == light.width && luma.height == light.height)
        precondition((luma.width + 1) / 2 == width && (luma.height + 1) / 2 == height)
        let range = Int(white) - Int(black)
        for y in 0..<height {
            let (upper, lower) = (2 * y, min(2 * y + 1, luma.height - 1))
            let (under, own, target) = (below.row(y), dark.row(y), row(y))
            for x in 0..<width {
                var part = 0
                for line in [upper, lower] {
                    for column in [2 * x, min(2 * x + 1, luma.width - 1)] {
                        part += min(max(Int(light.row(line)[column]) - Int(luma.row(line)[column]), 0), range)
                    }
                }
                target[x] = shown(own: Int(own[x]), ground: 128, below: Int(under[x]), part, of: 4 * range)
            }
        }
    }
}

/// own + part × (below − ground), rounded.
@inline(__always)
private func shown(own: Int, ground: Int, below: Int, _ part: Int, of whole: Int) -> UInt8 {
    let way = 2 * part * (below - ground) + whole
    // Rounded towards negative infinity, for both signs of the way.
    let moved = way >= 0 ? way / (2 * whole) : -((-way + 2 * whole - 1) / (2 * whole))
    return UInt8(min(max(own + moved, 0), 255))
}
