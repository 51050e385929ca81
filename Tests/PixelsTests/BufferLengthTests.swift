import Testing

@testable import Pixels

/// A wrong length ends the process instead of reading past the end.
@Suite struct BufferLengthTests {
    @Test func aResamplerNeedsAllSamples() async {
        await #expect(processExitsWith: .failure) {
            let rows = [Double](repeating: 0, count: 8)
            // Four outputs of 8 taps are made of 11 samples.
            let samples = [Double](repeating: 0, count: 10)
            var output = [Double](repeating: 0, count: 4)
            let walk = DotProduct.Walk(sample: 0, phase: 0, numerator: 1, denominator: 1)
            rows.withUnsafeBufferPointer { rows in
                samples.withUnsafeBufferPointer { samples in
                    output.withUnsafeMutableBufferPointer {
                        DotProduct.polyphase(samples, DotProduct.Bank(rows: rows, tapCount: 8), from: walk, into: $0)
                    }
                }
            }
        }
    }

    @Test func chromaHasLumasSizeShifted() async {
        await #expect(processExitsWith: .failure) {
            let (luma, chroma) = (PlaneBuffer(width: 9, height: 8), PlaneBuffer(width: 4, height: 4))
            let planes = [luma, chroma, chroma].map(\.mutablePlane)
            _ = FramePlanes(planes: planes, shift: (1, 1))
        }
    }

    @Test func aPlaneHasNoRowBesideItsRows() async {
        await #expect(processExitsWith: .failure) {
            let buffer = PlaneBuffer(width: 4, height: 4)
            withExtendedLifetime(buffer) { buffer.mutablePlane.row(4)[0] = 1 }
        }
    }

    @Test func aMaskHoldsAllItsRows() async {
        await #expect(processExitsWith: .failure) {
            var canvas = CoverageCanvas(width: 4, height: 4)
            let color = CoverageColor(red: 0, green: 0, blue: 0, alpha: 255)
            let mask = [UInt8](repeating: 0, count: 14)
            mask.withUnsafeBufferPointer { canvas.lay($0, stride: 4, width: 3, height: 4, x: 0, y: 0, color: color) }
        }
    }
}
