/// What becomes of a picture's colours: steps one after the other, in R′G′B′ of 0 … 1.
package struct ColorGrade: Sendable, Hashable {
    /// One change of all colours.
    package enum Step: Sendable, Hashable {
        case transform(ColorTransform)
        case curves(ToneCurves)
        case cube(ColorCube)
        /// How much of it, 0 … 1.
        case lookup(ColorLookup, amount: Float)
    }

    /// The changes in their order.
    package let steps: [Step]

    /// Affine steps that follow each other become one.
    package init(_ steps: [Step]) {
        self.steps = steps.reduce(into: []) { merged, step in
            if case .transform(let next) = step, case .transform(let before)? = merged.last {
                merged[merged.count - 1] = .transform(before.then(next))
            } else {
                merged.append(step)
            }
        }
    }

    /// - Parameter spare: room for as many values.
    fileprivate func apply(
        _ colors: UnsafeMutablePointer<Float>,
        stride: Int,
        count: Int,
        spare: UnsafeMutablePointer<Float>
    ) {
        for step in steps {
            switch step {
            case .transform(let transform): transform.apply(colors, stride: stride, count: count)
            case .curves(let curves): curves.apply(colors, stride: stride, count: count)
            case .cube(let cube): cube.apply(colors, stride: stride, count: count)
            case .lookup(let lookup, let amount):
                lookup.apply(colors, stride: stride, count: count, amount: amount, spare: spare)
            }
        }
    }
}

extension FramePlanes {
    /// Changes the colours of all pixels. A pixel's luma and its chroma sample change by what the grade makes of its
    /// colour, clipped to 0 … 1, less that colour; a chroma sample by the mean over its pixels. So a grade that does
    /// nothing changes nothing.
    package func grade(_ grade: ColorGrade, matrix: ColorMatrix) {
        let rows = GradeRows(frame: self)
        for row in 0..<planes[1].height { rows.grade(chromaRow: row, grade, matrix) }
    }
}

/// Working rows of a grade.
private final class GradeRows {
    private let frame: FramePlanes
    private let width: Int
    private let codes: [RowBuffer<Float>]
    private let before: RowBuffer<Float>
    private let after: RowBuffer<Float>
    private let spare: RowBuffer<Float>
    private let changes: [RowBuffer<Float>]

    init(frame: FramePlanes) {
        self.frame = frame
        let width = frame.planes[0].width
        self.width = width
        codes = (0..<3).map { _ in RowBuffer(count: width, repeating: 0) }
        before = RowBuffer(count: 3 * width, repeating: 0)
        after = RowBuffer(count: 3 * width, repeating: 0)
        spare = RowBuffer(count: 3 * width, repeating: 0)
        changes = (0..<2).map { _ in RowBuffer(count: frame.planes[1].width, repeating: 0) }
    }

    func grade(chromaRow row: Int, _ grade: ColorGrade, _ matrix: ColorMatrix) {
        let lines = row << frame.shift.y..<min(frame.planes[0].height, (row + 1) << frame.shift.y)
        for index in 0..<2 {
            spread(frame.planes[index + 1].row(row), into: codes[index + 1].base)
            changes[index].base.update(repeating: 0, count: changes[index].count)
        }
        for y in lines {
            let luma = frame.planes[0].row(y)
            for x in 0..<width { codes[0].base[x] = Float(luma[x]) }
            let (before, after) = (before.base, after.base)
            matrix.colors(codes[0].base, codes[1].base, codes[2].base, into: before, stride: width, count: width)
            after.update(from: before, count: 3 * width)
            grade.apply(after, stride: width, count: width, spare: spare.base)
            clip(after, count: 3 * width)
            matrix.differences(after, from: before, stride: width, count: width)
            for x in 0..<width { luma[x] = byte(codes[0].base[x] + after[x]) }
            collect(after + width, into: changes[0].base)
            collect(after + 2 * width, into: changes[1].base)
        }
        for index in 0..<2 {
            finish(frame.planes[index + 1].row(row), changes[index], lines: lines.count)
        }
    }

    private func spread(_ samples: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<Float>) {
        if frame.shift.x == 0 {
            for x in 0..<width { output[x] = Float(samples[x]) }
            return
        }
        for x in 0..<width / 2 {
            let value = Float(samples[x])
            output[2 &* x] = value
            output[2 &* x &+ 1] = value
        }
        if width % 2 == 1 { output[width - 1] = Float(samples[width / 2]) }
    }

    private func collect(_ values: UnsafePointer<Float>, into sums: UnsafeMutablePointer<Float>) {
        if frame.shift.x == 0 {
            for x in 0..<width { sums[x] += values[x] }
            return
        }
        for x in 0..<width / 2 { sums[x] += values[2 &* x] + values[2 &* x &+ 1] }
        // The last pixel of an odd width counts for two.
        if width % 2 == 1 { sums[width / 2] += 2 * values[width - 1] }
    }

    private func finish(_ target: UnsafeMutablePointer<UInt8>, _ sums: RowBuffer<Float>, lines: Int) {
        let share = 1 / Float(lines << frame.shift.x)
        for x in 0..<sums.count { target[x] = byte(Float(target[x]) + sums.base[x] * share) }
    }

    private func clip(_ values: UnsafeMutablePointer<Float>, count: Int) {
        for index in 0..<count {
            let above: Float = values[index] > 0 ? values[index] : 0
            values[index] = above < 1 ? above : 1
        }
    }
}
