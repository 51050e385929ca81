/// Lays a layer over a frame by a blend function.
///
/// Each pixel gets weight × alpha × (what the function makes of both colours − the colour below), in Y′CbCr; a chroma
/// sample gets the mean over its pixels. So a layer that the function lets through changes nothing, not even colours
/// that R′G′B′ cannot hold. In a frame that is seen through the function counts as far as there is something below;
/// beyond that the layer is seen as it is (W3C Compositing and Blending §5.1).
final class BlendPainter {
    private let function: BlendFunction
    private let matrix: ColorMatrix
    private let frame: FramePlanes
    private let samplers: [LayerSampler]
    private let width: Int
    /// Code values of one row of pixels of the layer: luma, then chroma at every pixel; likewise the frame's.
    private let own: [RowBuffer<Float>]
    private let below: [RowBuffer<Float>]
    /// 0 … 1.
    private let weights: RowBuffer<Float>
    private let ownColors: RowBuffer<Float>
    private let belowColors: RowBuffer<Float>
    /// What one row of Cb and one of Cr change by, summed over the pixels.
    private let changes: [RowBuffer<Float>]
    private var chromaRow: Int?
    private var chromaSpans = [LayerSpan.empty, .empty]
    private var changed = 0..<0

    /// - Parameter samplers: the samplers of the three planes.
    init(_ function: BlendFunction, matrix: ColorMatrix, frame: FramePlanes, samplers: [LayerSampler]) {
        (self.function, self.matrix, self.frame, self.samplers) = (function, matrix, frame, samplers)
        let (width, chromaWidth) = (frame.planes[0].width, frame.planes[1].width)
        self.width = width
        own = (0..<3).map { _ in RowBuffer(count: width, repeating: 0) }
        below = (0..<3).map { _ in RowBuffer(count: width, repeating: 0) }
        weights = RowBuffer(count: width, repeating: 0)
        ownColors = RowBuffer(count: 3 * width, repeating: 0)
        belowColors = RowBuffer(count: 3 * width, repeating: 0)
        changes = (0..<2).map { _ in RowBuffer(count: chromaWidth, repeating: 0) }
    }

    func paint() {
        for y in samplers[0].rows {
            turn(to: y >> frame.shift.y)
            paint(row: y)
        }
        finish()
    }

    /// Completes a row of chroma and begins another.
    private func turn(to row: Int) {
        guard row != chromaRow else { return }
        finish()
        chromaRow = row
        for index in 0..<2 {
            let sampler = samplers[index + 1]
            chromaSpans[index] = sampler.rows.contains(row) ? sampler.fill(row: row) : .empty
        }
    }

    private func paint(row y: Int) {
        let span = samplers[0].fill(row: y).columns
        guard !span.isEmpty, let chromaRow, !chromaSpans[0].columns.isEmpty, !chromaSpans[1].columns.isEmpty else {
            return
        }
        let (first, count) = (span.lowerBound, span.count)
        samplers[0].row.read(span, into: own[0].base)
        samplers[0].row.readWeights(span, into: weights.base)
        read(frame.planes[0].row(y) + first, count, into: below[0].base)
        for index in 0..<2 {
            let row = samplers[index + 1].row
            spread(span, within: chromaSpans[index].columns, into: own[index + 1].base) { row.value($0) }
            let base = frame.planes[index + 1].row(chromaRow)
            spread(span, within: 0..<frame.planes[index + 1].width, into: below[index + 1].base) { Float(base[$0]) }
        }
        let alpha = frame.alphas.map { UnsafePointer($0.luma.row(y) + first) }
        if let alphas = frame.alphas, let alpha {
            divide(below[0].base, by: alpha, count, empty: matrix.black)
            let chroma = alphas.chroma.row(chromaRow)
            let place = belowColors.base
            spread(span, within: 0..<alphas.chroma.width, into: place) { Float(chroma[$0]) }
            for index in 1...2 {
                let row = below[index].base
                for x in 0..<count { row[x] = place[x] > 0 ? 255 * row[x] / place[x] : 128 }
            }
        }
        blend(count)
        if let alpha { show(own, beside: alpha, count) }
        add(ownColors.base, to: frame.planes[0].row(y) + first, weights: weights.base, count: count)
        collect(span)
    }

    /// ``ownColors`` becomes the change of luma, Cb and Cr.
    private func blend(_ count: Int) {
        let (upper, lower) = (ownColors.base, belowColors.base)
        matrix.colors(own[0].base, own[1].base, own[2].base, into: upper, stride: width, count: count)
        matrix.colors(below[0].base, below[1].base, below[2].base, into: lower, stride: width, count: count)
        function.apply(upper, over: lower, stride: width, count: count)
        matrix.differences(upper, from: lower, stride: width, count: count)
    }

    /// Shows, where less than all lies below, the layer itself in place of the function's change.
    private func show(_ own: [RowBuffer<Float>], beside alpha: UnsafePointer<UInt8>, _ count: Int) {
        for index in 0..<3 {
            let (values, changes) = (own[index].base, ownColors.base + index * width)
            for x in 0..<count {
                let part = Float(alpha[x]) / 255
                changes[x] = part * changes[x] + (1 - part) * values[x]
            }
        }
    }

    /// The chroma samples' values at each pixel of `span`.
    @inline(__always)
    private func spread(
        _ span: Range<Int>,
        within columns: Range<Int>,
        into output: UnsafeMutablePointer<Float>,
        _ value: (Int) -> Float
    ) {
        let (shift, low, high) = (frame.shift.x, columns.lowerBound, columns.upperBound - 1)
        var (at, last) = (0, -1)
        var known: Float = 0
        for x in span {
            let column = max(low, min(high, x &>> shift))
            if column != last { (known, last) = (value(column), column) }
            output[at] = known
            at &+= 1
        }
    }

    private func collect(_ span: Range<Int>) {
        let shift = frame.shift.x
        let (blue, red) = (changes[0].base, changes[1].base)
        let (blueChange, redChange) = (ownColors.base + width, ownColors.base + 2 * width)
        let weights = weights.base
        let first = span.lowerBound
        for index in 0..<span.count {
            let column = (first &+ index) &>> shift
            let weight = weights[index]
            blue[column] += weight * blueChange[index]
            red[column] += weight * redChange[index]
        }
        let columns = span.lowerBound >> shift..<((span.upperBound - 1) >> shift) + 1
        let from = min(changed.isEmpty ? columns.lowerBound : changed.lowerBound, columns.lowerBound)
        changed = from..<max(changed.upperBound, columns.upperBound)
    }

    /// Adds what was collected to the chroma samples, each over as many pixels as it has in the frame.
    private func finish() {
        defer { changed = 0..<0 }
        guard let chromaRow, !changed.isEmpty else { return }
        let luma = frame.planes[0]
        let lines = min(luma.height, (chromaRow + 1) << frame.shift.y) - chromaRow << frame.shift.y
        let columnShift = frame.shift.x
        for x in changed {
            let columns = min(luma.width, (x + 1) << columnShift) - x << columnShift
            let share = 1 / Float(lines * columns)
            for index in 0..<2 {
                let target = frame.planes[index + 1].row(chromaRow) + x
                target[0] = byte(Float(target[0]) + changes[index].base[x] * share)
                changes[index].base[x] = 0
            }
        }
    }
}

private func divide(
    _ values: UnsafeMutablePointer<Float>,
    by alpha: UnsafePointer<UInt8>,
    _ count: Int,
    empty: Float
) {
    for x in 0..<count { values[x] = alpha[x] > 0 ? 255 * values[x] / Float(alpha[x]) : empty }
}

private func read(_ source: UnsafePointer<UInt8>, _ count: Int, into output: UnsafeMutablePointer<Float>) {
    for index in 0..<count { output[index] = Float(source[index]) }
}

/// target += weight × change, rounded to the nearest and clipped.
private func add(
    _ changes: UnsafePointer<Float>,
    to target: UnsafeMutablePointer<UInt8>,
    weights: UnsafePointer<Float>,
    count: Int
) {
    for index in 0..<count { target[index] = byte(Float(target[index]) + weights[index] * changes[index]) }
}

extension LayerRow {
    /// Code values without alpha.
    func read(_ columns: Range<Int>, into output: UnsafeMutablePointer<Float>) {
        let (first, count) = (columns.lowerBound, columns.count)
        switch content {
        case .opaque(let values):
            for index in 0..<count { output[index] = Float(values.base[first &+ index]) }
        case .translucent(let products, let alphas):
            for index in 0..<count {
                let alpha = Float(alphas.base[first &+ index])
                let value = 255 * Float(products.base[first &+ index]) / alpha
                output[index] = alpha > 0 ? value : 0
            }
        }
    }

    /// The weight of one column.
    @inline(__always)
    func value(_ column: Int) -> Float {
        switch content {
        case .opaque(let values): return Float(values.base[column])
        case .translucent(let products, let alphas):
            let alpha = Float(alphas.base[column])
            return alpha > 0 ? 255 * Float(products.base[column]) / alpha : 128
        }
    }

    /// Weight × alpha of 0 … 1.
    func readWeights(_ columns: Range<Int>, into output: UnsafeMutablePointer<Float>) {
        let (first, count) = (columns.lowerBound, columns.count)
        switch content {
        case .opaque:
            for index in 0..<count { output[index] = Float(weights.base[first &+ index]) / 32768 }
        case .translucent(_, let alphas):
            for index in 0..<count {
                let alpha = Float(max(0, min(16320, alphas.base[first &+ index])))
                output[index] = Float(weights.base[first &+ index]) * alpha / (32768 * 16320)
            }
        }
    }
}
