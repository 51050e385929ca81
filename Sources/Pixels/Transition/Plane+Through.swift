extension MutablePlane {
    /// Shows `below` through a picture that was painted on a black and on a white ground: what `light` has more than
    /// `dark` is the part of the ground that is seen.
    /// - Parameters:
    ///   - black: code value of the ground under `dark`; `white` of that under `light`, above it.
    package func show(_ below: Plane, through dark: Plane, _ light: Plane, black: UInt8, white: UInt8) {
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
    package func show(
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
            let (under, own, target) = (below.row(y), dark.row(y), row(y))
            for x in 0..<width {
                let part = groundPart(light, over: luma, x, y, range)
                target[x] = shown(own: Int(own[x]), ground: 128, below: Int(under[x]), part, of: 4 * range)
            }
        }
    }

    /// Sets this to the alpha of a picture that was painted on black and on white: 255 where both are alike.
    /// - Parameters:
    ///   - dark: luma on black, whose code value is `black`; `light` on white.
    package func setAlpha(dark: Plane, light: Plane, black: UInt8, white: UInt8) {
        precondition(black < white && [dark, light].allSatisfy { $0.width == width && $0.height == height })
        let range = Int(white) - Int(black)
        for y in 0..<height {
            let (one, other, target) = (dark.row(y), light.row(y), row(y))
            for x in 0..<width {
                let part = min(max(Int(other[x]) - Int(one[x]), 0), range)
                target[x] = UInt8(255 - (510 * part + range) / (2 * range))
            }
        }
    }

    /// Sets this to the luma that such a picture has by itself; black where nothing of it is seen.
    package func setOwn(dark: Plane, light: Plane, black: UInt8, white: UInt8) {
        precondition(black < white && [dark, light].allSatisfy { $0.width == width && $0.height == height })
        let range = Int(white) - Int(black)
        for y in 0..<height {
            let (one, other, target) = (dark.row(y), light.row(y), row(y))
            for x in 0..<width {
                let part = min(max(Int(other[x]) - Int(one[x]), 0), range)
                target[x] = ownValue(Int(one[x]), ground: Int(black), part, of: range)
            }
        }
    }

    /// The same for a plane of chroma, of the picture on black.
    package func setOwn(chroma dark: Plane, luma: Plane, _ light: Plane, black: UInt8, white: UInt8) {
        precondition(black < white && dark.width == width && dark.height == height)
        precondition(luma.width == light.width && luma.height == light.height)
        precondition((luma.width + 1) / 2 == width && (luma.height + 1) / 2 == height)
        let range = Int(white) - Int(black)
        for y in 0..<height {
            let (from, target) = (dark.row(y), row(y))
            for x in 0..<width {
                let part = groundPart(light, over: luma, x, y, range)
                target[x] = ownValue(Int(from[x]), ground: 128, part, of: 4 * range)
            }
        }
    }
}

/// How much `light` has more than `dark` in the four samples of luma that belong to one of chroma.
@inline(__always)
private func groundPart(_ light: Plane, over dark: Plane, _ x: Int, _ y: Int, _ range: Int) -> Int {
    var part = 0
    for line in [2 * y, min(2 * y + 1, dark.height - 1)] {
        let (bright, dim) = (light.row(line), dark.row(line))
        for column in [2 * x, min(2 * x + 1, dark.width - 1)] {
            part += min(max(Int(bright[column]) - Int(dim[column]), 0), range)
        }
    }
    return part
}

/// ground + (value − ground) × whole / (whole − part), rounded; the ground where nothing else is seen.
@inline(__always)
private func ownValue(_ value: Int, ground: Int, _ part: Int, of whole: Int) -> UInt8 {
    guard part < whole else { return UInt8(ground) }
    let (way, rest) = ((value - ground) * whole, whole - part)
    let moved = way >= 0 ? (2 * way + rest) / (2 * rest) : -((-2 * way + rest) / (2 * rest))
    return UInt8(min(max(ground + moved, 0), 255))
}

/// own + part × (below − ground), rounded.
@inline(__always)
private func shown(own: Int, ground: Int, below: Int, _ part: Int, of whole: Int) -> UInt8 {
    let way = 2 * part * (below - ground) + whole
    // Rounded towards negative infinity, for both signs of the way.
    let moved = way >= 0 ? way / (2 * whole) : -((-way + 2 * whole - 1) / (2 * whole))
    return UInt8(min(max(own + moved, 0), 255))
}
