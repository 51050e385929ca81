extension MutablePlane {
    /// The kinds of `xfade` that are neither wipes nor crops nor need more than one plane.
    /// - Parameter progress: above 0, below 1. FFmpeg's own `progress` runs the other way.
    func xfade(
        _ kind: XfadeKind,
        _ first: Plane,
        _ second: Plane,
        _ site: PlaneSite,
        _ index: Int,
        _ colors: (black: UInt8, white: UInt8),
        _ progress: Double
    ) {
        let left = 1 - progress
        switch kind {
        case .fadeblack: fade(first, second, around: colors.black, left)
        case .fadewhite: fade(first, second, around: colors.white, left)
        case .fadegrays where index > 0: fade(first, second, around: 128, left)
        case .fadefast: combine(first, second, weights: XfadeWeights.byDistance(left) { 1 + $0 })
        case .fadeslow: combine(first, second, weights: XfadeWeights.byDistance(left) { 2 - $0 })
        case .hblur:
            blend(first, second, weight: BlendWeight(progress))
            averageForward(count: 1 + Int(Double(width / 2) * 2 * min(progress, left)))
        case .pixelize: pixelize(first, second, site, progress)
        case .squeezeh: squeeze(first, over: second, rowsLeft: left)
        case .squeezev: squeeze(first, over: second, columnsLeft: left)
        case .zoomin: zoomIn(first, second, left)
        case .slideleft, .slideright, .slideup, .slidedown: slide(kind, first, second, site, left)
        case .coverleft, .coverright, .coverup, .coverdown:
            copy(first)
            place(second, at: moved(kind, site, left))
        case .revealleft, .revealright, .revealup, .revealdown:
            copy(second)
            place(first, at: moved(kind, site, left, isFirst: true))
        default: blend(first, second, weight: BlendWeight(progress))
        }
    }

    /// The first into `color` over its last fifth of `left`, the second out of it over the rest.
    private func fade(_ first: Plane, _ second: Plane, around color: UInt8, _ left: Double) {
        let (firstPart, colorPart) = (FieldMath.smoothStep(0.8, 1, left), FieldMath.smoothStep(0.2, 1, left))
        combine(
            first,
            second,
            firstShare: left * firstPart,
            secondShare: (1 - left) * (1 - colorPart),
            constant: Double(color) * (left * (1 - firstPart) + (1 - left) * colorPart)
        )
    }

    private func pixelize(_ first: Plane, _ second: Plane, _ site: PlaneSite, _ progress: Double) {
        let steps = (min(progress, 1 - progress) * 50).rounded(.up) / 50
        let side = 2 * steps * Double(min(site.frameWidth, site.frameHeight)) / 20
        func middle(_ place: Double, _ last: Int) -> Int {
            Int(min(((place / side).rounded(.down) + 0.5) * side, Double(last)))
        }
        let columns = (0..<width).map { site.planeColumn(middle(site.column($0), site.frameWidth - 1)) }
        let rows = (0..<height).map { site.planeRow(middle(site.row($0), site.frameHeight - 1)) }
        combine(
            Resampled(first, columns: columns, rows: rows),
            Resampled(second, columns: columns, rows: rows),
            weight: BlendWeight(progress)
        )
    }

    private func zoomIn(_ first: Plane, _ second: Plane, _ left: Double) {
        let scale = FieldMath.smoothStep(0.5, 1, left)
        func sources(_ count: Int) -> [Int] {
            (0..<count).map { index in
                let place = 0.5 + (Double(index) / Double(count) - 0.5) * scale
                return min(Int((place * Double(count - 1)).rounded(.up)), count - 1)
            }
        }
        let grown = Resampled(first, columns: sources(width), rows: sources(height))
        combine(grown, Resampled(second), weight: BlendWeight(1 - FieldMath.smoothStep(0, 0.5, left)))
    }

    private func squeeze(_ first: Plane, over second: Plane, rowsLeft left: Double) {
        for (y, source) in XfadeSqueeze.sources(height, left).enumerated() {
            row(y).update(from: source.map { first.row($0) } ?? second.row(y), count: width)
        }
    }

    private func squeeze(_ first: Plane, over second: Plane, columnsLeft left: Double) {
        let sources = XfadeSqueeze.sources(width, left)
        for y in 0..<height {
            let (one, other, target) = (first.row(y), second.row(y), row(y))
            for x in 0..<width { target[x] = sources[x].map { one[$0] } ?? other[x] }
        }
    }

    private func slide(_ kind: XfadeKind, _ first: Plane, _ second: Plane, _ site: PlaneSite, _ left: Double) {
        place(first, at: moved(kind, site, left, isFirst: true))
        place(second, at: moved(kind, site, left))
    }

    private func place(_ source: Plane, at offset: (x: Int, y: Int)) {
        if offset.y == 0 { place(source, right: Double(offset.x)) } else { place(source, down: Double(offset.y)) }
    }

    /// Whole samples by which a picture is moved: the second comes in, the first goes out, the way the name says.
    private func moved(
        _ kind: XfadeKind,
        _ site: PlaneSite,
        _ left: Double,
        isFirst: Bool = false
    ) -> (x: Int, y: Int) {
        let name = kind.rawValue
        let isDown = name.hasSuffix("up") || name.hasSuffix("down")
        let isBack = name.hasSuffix("up") || name.hasSuffix("left")
        let (whole, shift) = isDown ? (site.frameHeight, site.shiftY) : (site.frameWidth, site.shiftX)
        // A whole number of samples stays one although `left` is rounded.
        let rest = Int(Double(whole) * left + 1e-9) >> shift
        let offset = isFirst ? rest - (isDown ? height : width) : rest
        let signed = isBack ? offset : -offset
        return isDown ? (0, signed) : (signed, 0)
    }
}

private enum XfadeWeights {
    /// The first picture's share is `left` to the power 1 + ln(…) of the distance.
    static func byDistance(_ left: Double, _ argument: (Double) -> Double) -> [BlendWeight] {
        (0...255).map { distance in
            let exponent = 1 + FieldMath.logarithm(argument(Double(distance) / 255))
            return BlendWeight(1 - FieldMath.power(left, exponent))
        }
    }
}

private enum XfadeSqueeze {
    /// The first picture's line that is seen in each line, or nil where the second is.
    static func sources(_ count: Int, _ left: Double) -> [Int?] {
        (0..<count).map { index in
            let place = 0.5 + (Double(index) / Double(count) - 0.5) / left
            guard (0...1).contains(place) else { return nil }
            return Int((place * Double(count - 1)).rounded(.toNearestOrEven))
        }
    }
}

extension TransitionPainter {
    /// `distance`: both are mixed where their colours lie closer together than what is left of the way, as a part of a
    /// plane's range; elsewhere the second is seen.
    func distance(_ first: [Plane], _ second: [Plane], into target: [MutablePlane], _ progress: Double) {
        let left = 1 - progress
        let limit = left * left * 255 * 255
        let weight = BlendWeight(progress).value
        for (index, site) in sites.enumerated() {
            for y in 0..<site.height {
                let (one, other, line) = (first[index].row(y), second[index].row(y), target[index].row(y))
                for x in 0..<site.width {
                    let (a, b) = (one[x], other[x])
                    let square = squaredDistance(first, second, x << site.shiftX, y << site.shiftY)
                    let mixed = (UInt32(a) * (65536 - weight) + UInt32(b) * weight + 32768) >> 16
                    line[x] = Double(square) <= limit ? UInt8(mixed) : b
                }
            }
        }
    }

    /// Between the colours at a position of the frame.
    private func squaredDistance(_ first: [Plane], _ second: [Plane], _ x: Int, _ y: Int) -> Int {
        var sum = 0
        for (index, site) in sites.enumerated() {
            let (column, row) = (site.planeColumn(x), site.planeRow(y))
            let difference = Int(first[index].row(row)[column]) - Int(second[index].row(row)[column])
            sum += difference * difference
        }
        return sum
    }
}
