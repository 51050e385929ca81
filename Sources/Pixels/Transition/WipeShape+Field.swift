extension WipeShape {
    /// When the edge reaches a position of a frame, 0 … 1.
    func field(frameWidth: Int, frameHeight: Int) -> (_ x: Double, _ y: Double) -> Double {
        let frame = WipeFrame(width: Double(frameWidth), height: Double(frameHeight))
        switch self {
        case .iris(let shape, let direction): return frame.iris(shape, direction)
        case .clock(let start, let count, let isBack):
            return { x, y in frame.clock(x, y, start, count: count, isCounterclockwise: isBack) }
        case .sweep(let direction, let isBack):
            return { x, y in
                let turns = frame.turnsFromPivot(x, y, direction) / direction.span + 0.5
                return isBack ? 1 - turns : turns
            }
        case .fan(let direction, isCentered: false):
            return { x, y in 2 * abs(frame.turnsFromPivot(x, y, direction)) / direction.span }
        case .fan(let direction, isCentered: true):
            return { x, y in 2 * abs(frame.turnsFromMiddle(x, y, direction)) }
        case .doubleFan(let direction):
            return { x, y in
                let turns = abs(frame.turnsFromMiddle(x, y, direction))
                return 4 * min(turns, 0.5 - turns)
            }
        case .checkerboard(let direction, let count):
            return { x, y in frame.checkerboard(x, y, direction, count: count) }
        case .snake(let direction, let count): return { x, y in frame.snake(x, y, direction, count: count) }
        case .spiral(let direction, let count): return { x, y in frame.spiral(x, y, direction, count: count) }
        default: return { x, y in straight(frame.relative(x, y)) }
        }
    }

    /// The shapes made of straight lines.
    private func straight(_ point: WipePoint) -> Double {
        switch self {
        case .bar(let direction): point.along(direction)
        case .box(let direction): point.box(direction)
        case .fourBoxes: 2 * max(min(point.u, 1 - point.u), min(point.v, 1 - point.v))
        case .barnDoor(let direction): abs(2 * point.along(direction) - 1)
        case .vee(let direction): point.wedge(direction)
        case .bowTie(let direction):
            point.wedge(direction, along: 2 * min(point.along(direction), 1 - point.along(direction)))
        case .barnVee(let direction): abs(2 * point.wedge(direction) - 1)
        case .zigZag(let direction, let count):
            (point.along(direction) + 0.1 * abs(2 * fraction(point.across(direction) * Double(count)) - 1)) / 1.1
        case .blinds(let direction, let count): fraction(point.along(direction) * Double(count))
        default: 0
        }
    }
}

extension WipeDirection {
    /// The direction in turns clockwise from the right.
    var turns: Double {
        switch self {
        case .right: 0
        case .downRight: 0.125
        case .down: 0.25
        case .downLeft: 0.375
        case .left: 0.5
        case .upLeft: -0.375
        case .up: -0.25
        case .upRight: -0.125
        }
    }

    /// Turns that are seen from a pivot in the corner or the side opposite to this direction.
    fileprivate var span: Double { isDiagonal ? 0.25 : 0.5 }
    var isDiagonal: Bool { ![.left, .right, .up, .down].contains(self) }
    fileprivate var goesLeft: Bool { [.left, .upLeft, .downLeft].contains(self) }
    fileprivate var goesUp: Bool { [.up, .upLeft, .upRight].contains(self) }
    fileprivate var isVertical: Bool { self == .up || self == .down }
}

private func fraction(_ x: Double) -> Double { x - x.rounded(.down) }

/// A place as parts of the frame's sides, 0 … 1.
private struct WipePoint {
    let u: Double
    let v: Double

    func along(_ direction: WipeDirection) -> Double {
        switch direction {
        case .right: u
        case .left: 1 - u
        case .down: v
        case .up: 1 - v
        case .downRight: (u + v) / 2
        case .downLeft: (1 - u + v) / 2
        case .upRight: (u + 1 - v) / 2
        case .upLeft: (2 - u - v) / 2
        }
    }

    func across(_ direction: WipeDirection) -> Double {
        switch direction {
        case .right, .left: v
        case .down, .up: u
        case .downRight, .upLeft: (u - v + 1) / 2
        case .downLeft, .upRight: (u + v) / 2
        }
    }

    func wedge(_ direction: WipeDirection) -> Double { wedge(direction, along: along(direction)) }

    func wedge(_ direction: WipeDirection, along: Double) -> Double { (along + abs(2 * across(direction) - 1)) / 2 }

    func box(_ direction: WipeDirection) -> Double {
        guard direction.isDiagonal else { return max(along(direction), abs(2 * across(direction) - 1)) }
        return max(direction.goesLeft ? 1 - u : u, direction.goesUp ? 1 - v : v)
    }
}

private struct WipeFrame {
    let width: Double
    let height: Double

    /// The place of a sample's middle in parts of the frame.
    func relative(_ x: Double, _ y: Double) -> WipePoint { WipePoint(u: (x + 0.5) / width, v: (y + 0.5) / height) }

    /// The turns from the direction, −1/2 … 1/2, seen from the frame's middle.
    func turnsFromMiddle(_ x: Double, _ y: Double, _ direction: WipeDirection) -> Double {
        let turns = FieldMath.turns(x: x + 0.5 - width / 2, y: y + 0.5 - height / 2) - direction.turns
        return turns - turns.rounded()
    }

    /// Seen from the corner or the middle of the side that the direction comes from.
    func turnsFromPivot(_ x: Double, _ y: Double, _ direction: WipeDirection) -> Double {
        let pivotX = direction == .up || direction == .down ? width / 2 : direction.goesLeft ? width : 0
        let pivotY = direction == .left || direction == .right ? height / 2 : direction.goesUp ? height : 0
        let turns = FieldMath.turns(x: x + 0.5 - pivotX, y: y + 0.5 - pivotY) - direction.turns
        return turns - turns.rounded()
    }

    func clock(_ x: Double, _ y: Double, _ start: WipeDirection, count: Int, isCounterclockwise: Bool) -> Double {
        let turns = FieldMath.turns(x: x + 0.5 - width / 2, y: y + 0.5 - height / 2) - start.turns
        return fraction((isCounterclockwise ? -turns : turns) * Double(count))
    }

    func checkerboard(_ x: Double, _ y: Double, _ direction: WipeDirection, count: Int) -> Double {
        let side = max(width, height) / Double(count)
        let (column, row) = ((x + 0.5) / side, (y + 0.5) / side)
        let isSecond = (Int(column) + Int(row)) % 2 == 1
        let point = WipePoint(u: fraction(column), v: fraction(row))
        return (point.along(direction) + (isSecond ? 1 : 0)) / 2
    }

    /// The frame mirrored and turned so that `direction` leads right or down and right.
    private func oriented(_ x: Double, _ y: Double, _ direction: WipeDirection) -> (WipePoint, aspect: Double) {
        let point = relative(x, y)
        let u = direction.goesLeft ? 1 - point.u : point.u
        let v = direction.goesUp ? 1 - point.v : point.v
        return direction.isVertical ? (WipePoint(u: v, v: u), height / width) : (WipePoint(u: u, v: v), width / height)
    }

    func snake(_ x: Double, _ y: Double, _ direction: WipeDirection, count: Int) -> Double {
        let (point, aspect) = oriented(x, y, direction)
        let columns = max(1, (Double(count) * aspect).rounded())
        let line = (point.v * Double(count)).rounded(.down)
        let isBack = line.remainder(dividingBy: 2) != 0
        let column = (isBack ? 1 - point.u : point.u) * columns
        return (line * columns + column) / (columns * Double(count))
    }

    func spiral(_ x: Double, _ y: Double, _ direction: WipeDirection, count: Int) -> Double {
        let (point, aspect) = oriented(x, y, direction)
        let columns = max(1, Int((aspect >= 1 ? Double(count) : Double(count) * aspect).rounded()))
        let rows = max(1, Int((aspect >= 1 ? Double(count) / aspect : Double(count)).rounded()))
        let (u, v) = (point.u * Double(columns), point.v * Double(rows))
        let (column, row) = (min(Int(u), columns - 1), min(Int(v), rows - 1))
        let ring = min(column, row, columns - 1 - column, rows - 1 - row)
        let (wide, high) = (columns - 2 * ring, rows - 2 * ring)
        let (i, j) = (column - ring, row - ring)
        let (across, down) = (fraction(u), fraction(v))
        // Along the ring clockwise: boxes passed, then the part of this one.
        let (passed, part): (Int, Double)
        if j == 0 {
            (passed, part) = (i, across)
        } else if i == wide - 1 {
            (passed, part) = (wide - 1 + j, down)
        } else if j == high - 1 {
            (passed, part) = (wide + high - 2 + (wide - 1 - i), 1 - across)
        } else {
            (passed, part) = (2 * wide + high - 3 + (high - 1 - j), 1 - down)
        }
        return (Double(columns * rows - wide * high + passed) + part) / Double(columns * rows)
    }

    /// The outline's size on which a place lies, of the size at which it covers the frame.
    func iris(_ shape: IrisShape, _ direction: WipeDirection) -> (_ x: Double, _ y: Double) -> Double {
        func size(_ x: Double, _ y: Double) -> Double {
            let (dx, dy) = (x + 0.5 - width / 2, y + 0.5 - height / 2)
            return IrisOutline.size(shape, turned(dx, dy, direction), relative: (2 * dx / width, 2 * dy / height))
        }
        // An outline that grows reaches some border sample last.
        var largest = 0.0
        for x in 0..<Int(width) { largest = max(largest, size(Double(x), 0), size(Double(x), height - 1)) }
        for y in 0..<Int(height) { largest = max(largest, size(0, Double(y)), size(width - 1, Double(y))) }
        let whole = max(largest, 1e-9)
        return { x, y in size(x, y) / whole }
    }

    /// So that what points in `direction` points up.
    private func turned(_ x: Double, _ y: Double, _ direction: WipeDirection) -> (Double, Double) {
        switch direction {
        case .right: (y, -x)
        case .down: (-x, -y)
        case .left: (-y, x)
        default: (x, y)
        }
    }
}
