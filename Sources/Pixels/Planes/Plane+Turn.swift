extension MutablePlane {
    /// Writes `source`, turned.
    /// - Precondition: this plane has the turned size and does not overlap `source`.
    package func copy(_ source: Plane, turned turn: PlaneTurn) {
        let (sourceWidth, sourceHeight) = turn.swapsSides ? (height, width) : (width, height)
        precondition(source.width == sourceWidth && source.height == sourceHeight)
        guard width > 0, height > 0 else { return }
        let walk = turn.walk(of: source)
        switch walk.stepX {
        case 1:
            for y in 0..<height { row(y).update(from: source.base + (walk.origin + y * walk.stepY), count: width) }
        case -1: reverseRows(source.base + walk.origin, stepY: walk.stepY)
        default: transpose(source.base + walk.origin, stepX: walk.stepX, stepY: walk.stepY)
        }
    }

    private func reverseRows(_ origin: UnsafePointer<UInt8>, stepY: Int) {
        for y in 0..<height {
            let (from, to) = (origin + y * stepY, row(y))
            for x in 0..<width { to[x] = from[-x] }
        }
    }

    /// `stepY` is 1 or −1. In squares of 8 × 8, so that every cache line that is fetched is used whole.
    private func transpose(_ origin: UnsafePointer<UInt8>, stepX: Int, stepY: Int) {
        let (wholeWidth, wholeHeight) = (width & ~7, height & ~7)
        for y in Swift.stride(from: 0, to: wholeHeight, by: 8) {
            for x in Swift.stride(from: 0, to: wholeWidth, by: 8) {
                // The 8 source bytes of one target column lie side by side, in falling order when stepY is −1.
                let first = origin + (x * stepX + (stepY > 0 ? y : -(y + 7)))
                transposeSquare(first, step: stepX, into: row(y) + x, isReversed: stepY < 0)
            }
            fillSlowly(origin, stepX, stepY, x: wholeWidth..<width, y: y..<y + 8)
        }
        fillSlowly(origin, stepX, stepY, x: 0..<width, y: wholeHeight..<height)
    }

    private func fillSlowly(
        _ origin: UnsafePointer<UInt8>,
        _ stepX: Int,
        _ stepY: Int,
        x columns: Range<Int>,
        y rows: Range<Int>
    ) {
        for y in rows {
            let target = row(y)
            for x in columns { target[x] = origin[x * stepX + y * stepY] }
        }
    }

    /// Target byte (x, y) of the square becomes byte y of source column x (byte 7 − y when reversed).
    @inline(__always)
    private func transposeSquare(
        _ first: UnsafePointer<UInt8>,
        step: Int,
        into target: UnsafeMutablePointer<UInt8>,
        isReversed: Bool
    ) {
        var square = SIMD8<UInt64>()
        for x in 0..<8 {
            let column = UnsafeRawPointer(first + x * step).loadUnaligned(as: UInt64.self)
            square[x] = UInt64(littleEndian: column)
        }
        square = transposed(square)
        for y in 0..<8 {
            let line = square[isReversed ? 7 - y : y].littleEndian
            UnsafeMutableRawPointer(target + y * stride).storeBytes(of: line, as: UInt64.self)
        }
    }
}

/// The transpose of 8 × 8 bytes, byte 0 of a lane being its lowest: swaps the off-diagonal squares of 4, 2 and 1.
@inline(__always)
private func transposed(_ lanes: SIMD8<UInt64>) -> SIMD8<UInt64> {
    var lanes = lanes
    exchange(&lanes, distance: 4, mask: 0x0000_0000_ffff_ffff)
    exchange(&lanes, distance: 2, mask: 0x0000_ffff_0000_ffff)
    exchange(&lanes, distance: 1, mask: 0x00ff_00ff_00ff_00ff)
    return lanes
}

@inline(__always)
private func exchange(_ lanes: inout SIMD8<UInt64>, distance: Int, mask: UInt64) {
    let shift = UInt64(8 * distance)
    for index in 0..<8 where index & distance == 0 {
        let (upper, lower) = (lanes[index], lanes[index + distance])
        let moved = ((upper &>> shift) ^ lower) & mask
        lanes[index] = upper ^ (moved &<< shift)
        lanes[index + distance] = lower ^ moved
    }
}
