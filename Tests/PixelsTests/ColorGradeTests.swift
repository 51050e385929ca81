import Pixels
import Testing

@Suite struct ColorGradeTests {
    private static let matrix = ColorMatrix.bt709

    private func graded(_ picture: PictureStore, _ steps: [ColorGrade.Step]) -> PictureStore {
        var copy = picture
        copy.frame { $0.grade(ColorGrade(steps), matrix: ColorGradeTests.matrix) }
        return copy
    }

    /// The code values of R′G′B′ in BT.709, limited range.
    private func code(_ r: Double, _ g: Double, _ b: Double) -> [UInt8] {
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b
        return [16 + 219 * y, 128 + 224 * (b - y) / 1.8556, 128 + 224 * (r - y) / 1.5748].map { UInt8($0.rounded()) }
    }

    private func isClose(_ picture: PictureStore, _ r: Double, _ g: Double, _ b: Double) -> Bool {
        let expected = code(max(0, min(1, r)), max(0, min(1, g)), max(0, min(1, b)))
        return (0..<3).allSatisfy { abs(Int(picture.planes[$0][1, 1]) - Int(expected[$0])) <= 1 }
    }

    private let colors = [(0.1, 0.7, 0.3), (0.9, 0.2, 0.5), (0.5, 0.5, 0.5), (0, 0, 0), (1, 1, 1), (0.25, 0.1, 0.8)]

    @Test(arguments: [(33, 21), (1, 1), (8, 6)]) func doingNothingChangesNothing(width: Int, height: Int) {
        let picture = PictureStore.noise(width, height, seed: 3)
        let line = (0...16).map { Float($0) / 16 }
        let cube = ColorCube(size: 3, colors: lattice(3) { $0 })
        let steps: [ColorGrade.Step] = [
            .transform(.identity), .transform(.contrast(1)), .transform(.saturation(1, matrix: .bt709)),
            .transform(.sepia(0)), .curves(ToneCurves(red: line, green: line, blue: line)), .cube(cube),
        ]
        for step in steps {
            let result = graded(picture, [step])
            for plane in 0..<3 { #expect(result.planes[plane].bytes == picture.planes[plane].bytes) }
        }
    }

    @Test func transformsAreTheirFormulas() {
        for (r, g, b) in colors {
            let picture = PictureStore.flat(6, 4, code(r, g, b))
            let grey = 0.2126 * r + 0.7152 * g + 0.0722 * b
            #expect(isClose(graded(picture, [.transform(.gain(red: 1.2, green: 0.5, blue: 1))]), 1.2 * r, 0.5 * g, b))
            #expect(isClose(graded(picture, [.transform(.brightness(0.1))]), r + 0.1, g + 0.1, b + 0.1))
            let contrasted = [r, g, b].map { ($0 - 0.5) * 1.5 + 0.5 }
            #expect(
                isClose(graded(picture, [.transform(.contrast(1.5))]), contrasted[0], contrasted[1], contrasted[2])
            )
            let plain = graded(picture, [.transform(.saturation(0, matrix: .bt709))])
            #expect(isClose(plain, grey, grey, grey))
            #expect((127...129).contains(plain.planes[1][1, 1]))
            #expect(
                isClose(
                    graded(picture, [.transform(.sepia(1))]),
                    0.393 * r + 0.769 * g + 0.189 * b,
                    0.349 * r + 0.686 * g + 0.168 * b,
                    0.272 * r + 0.534 * g + 0.131 * b
                )
            )
        }
    }

    @Test func affineStepsBecomeOneWithoutClippingBetween() {
        let grade = ColorGrade([.transform(.brightness(0.5)), .transform(.brightness(-0.5))])
        #expect(grade.steps.count == 1)
        let picture = PictureStore.noise(20, 10, seed: 1)
        #expect(graded(picture, grade.steps).planes[0].bytes == picture.planes[0].bytes)
        let first = ColorTransform.contrast(1.3)
        let both = first.then(.gain(red: 2, green: 1, blue: 1))
        #expect(both.red == first.red * 2)
        #expect(both.green == first.green)
    }

    @Test func curvesAreReadBetweenTheirPoints() {
        let line: [Float] = [0, 0.5, 1]
        let curves = ToneCurves(red: [0, 1, 1], green: line, blue: [1, 0.5, 0])
        for (r, g, b) in colors {
            let result = graded(.flat(6, 4, code(r, g, b)), [.curves(curves)])
            #expect(isClose(result, min(1, 2 * r), g, 1 - b))
        }
    }

    private func lattice(_ size: Int, _ value: (SIMD3<Float>) -> SIMD3<Float>) -> [SIMD3<Float>] {
        let last = Float(size - 1)
        return (0..<size * size * size).map { index in
            let (r, g, b) = (index % size, index / size % size, index / size / size)
            return value(SIMD3(Float(r), Float(g), Float(b)) / last)
        }
    }

    /// What is linear within each tetrahedron is met exactly: max(r, g, b) is, and the order of the channels.
    @Test func aCubeIsReadByTetrahedra() {
        let cube = ColorCube(size: 5, colors: lattice(5) { [$0.max(), $0.min(), $0.z] })
        for r in stride(from: 0.0, through: 1, by: 0.13) {
            for g in stride(from: 0.02, through: 1, by: 0.17) {
                for b in [0.0, 0.31, 0.5, 0.77, 1] {
                    let result = graded(.flat(4, 4, code(r, g, b)), [.cube(cube)])
                    // Piecewise linear along the axes: between points of the lattice max is met only in its cell.
                    let cell = [r, g, b].map { Int(min(3, ($0 * 4).rounded(.down))) }
                    guard Set(cell).count == 1 else { continue }
                    #expect(isClose(result, max(r, g, b), min(r, g, b), b))
                }
            }
        }
    }
}
