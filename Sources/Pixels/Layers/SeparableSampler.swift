/// A layer whose sides are parallel to the frame's: rows are filtered first, then columns.
final class SeparableSampler {
    let row: LayerRow
    private let layer: LayerPlane
    private let across: AxisFilter
    private let down: AxisFilter
    private let columns: EdgeCoverage
    private let lines: EdgeCoverage
    private let opacity: UInt16
    /// The filtered column sums of one row, in 64ths of a code value, indexed from `across.sources.lowerBound`.
    private let middle: RowBuffer<Int16>
    private let rowFilter: RowFilter
    private var lastWeight: UInt16?

    init?(_ layer: LayerPlane, outline: LayerOutline, size: (width: Int, height: Int), opacity: UInt16) {
        let (box, map, frame) = (outline.box, outline.projection, outline.frame)
        let sides = (map.xx * box.left + map.x1, map.xx * box.right + map.x1)
        let levels = (map.yy * box.top + map.y1, map.yy * box.bottom + map.y1)
        let sampling = layer.sampling
        guard sampling.xx != 0, sampling.yy != 0, sampling.isFinite, map.isFinite,
            let columns = EdgeCoverage(sides, frame: (frame.left, frame.right), count: size.width),
            let lines = EdgeCoverage(levels, frame: (frame.top, frame.bottom), count: size.height)
        else { return nil }
        let domain = layer.domain
        across = AxisFilter(
            outputs: columns.range,
            scale: sampling.xx,
            offset: sampling.x1,
            domain: domain.columns
        )
        down = AxisFilter(outputs: lines.range, scale: sampling.yy, offset: sampling.y1, domain: domain.rows)
        (self.layer, self.columns, self.lines, self.opacity) = (layer, columns, lines, opacity)
        row = LayerRow(width: size.width, hasAlpha: layer.alpha != nil)
        middle = RowBuffer(count: across.sources.count, repeating: 0)
        rowFilter = RowFilter(across)
    }

    var rows: Range<Int> { lines.range }

    func fill(row y: Int) -> LayerSpan {
        let index = y - lines.range.lowerBound
        let weight = UInt16((UInt32(lines.weights[index]) * UInt32(opacity) + 16384) >> 15)
        guard weight > 0 else { return .empty }
        weigh(weight)
        fill(line: index)
        return LayerSpan(columns: columns.range, solid: weight == LayerRow.fullWeight ? columns.full : 0..<0)
    }

    /// Rows of equal coverage follow each other: weights are made once for them.
    private func weigh(_ weight: UInt16) {
        guard weight != lastWeight else { return }
        lastWeight = weight
        let target = row.weights.base + columns.range.lowerBound
        for (index, share) in columns.weights.enumerated() {
            target[index] = UInt16((UInt32(share) * UInt32(weight) + 16384) >> 15)
        }
    }

    private func fill(line index: Int) {
        let first = across.outputs.lowerBound
        switch row.content {
        case .opaque(let values):
            if down.tapCount == 1, rowFilter.isCopy {
                return (values.base + first).update(from: samples(layer.samples, index), count: across.outputs.count)
            }
            sumColumns(layer.samples, line: index)
            rowFilter.apply(middle.base, into: values.base + first)
        case .translucent(let products, let alphas):
            fill(products.base + first, layer.samples, line: index)
            if let alpha = layer.alpha { fill(alphas.base + first, alpha, line: index) }
        }
    }

    private func fill(_ output: UnsafeMutablePointer<Int16>, _ plane: Plane, line index: Int) {
        if down.tapCount == 1, rowFilter.isCopy {
            let samples = samples(plane, index)
            for x in 0..<across.outputs.count { output[x] = Int16(samples[x]) &<< 6 }
            return
        }
        sumColumns(plane, line: index)
        rowFilter.apply(middle.base, into: output)
    }

    /// The first that is read for output row `index`.
    private func samples(_ plane: Plane, _ index: Int) -> UnsafePointer<UInt8> {
        plane.row(Int(down.starts.base[index])) + across.sources.lowerBound
    }

    private func sumColumns(_ plane: Plane, line index: Int) {
        ColumnFilter.sum(
            samples(plane, index),
            stride: plane.stride,
            coefficients: down.coefficients.base + index * down.tapCount,
            tapCount: down.tapCount,
            into: middle
        )
    }
}
