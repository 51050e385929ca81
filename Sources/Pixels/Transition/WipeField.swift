/// When a wipe reaches each sample of a plane: 0 at the start of the transition, 65535 at its end.
///
/// Beside the values it keeps for every run of ``runLength`` samples of a row how early and how late anything in it or
/// right beside it is reached, so that a frame looks at the runs along the edge only.
final class WipeField {
    static let runLength = 64

    let width: Int
    let height: Int
    private let values: UnsafeMutableBufferPointer<UInt16>
    private let runsPerRow: Int
    /// Two for each run: the lowest and the highest value that decides, widened by half their distance.
    private let reach: UnsafeMutableBufferPointer<Int32>

    /// - Parameter value: the value of a position in the frame (``PlaneSite``), 0 … 1; what lies outside is clamped.
    convenience init(_ site: PlaneSite, value: (_ x: Double, _ y: Double) -> Double) {
        self.init(width: site.width, height: site.height) { x, y in value(site.column(x), site.row(y)) }
    }

    /// - Parameter value: the value of a sample.
    init(width: Int, height: Int, value: (_ x: Int, _ y: Int) -> Double) {
        self.width = width
        self.height = height
        runsPerRow = (width + WipeField.runLength - 1) / WipeField.runLength
        values = .allocate(capacity: width * height)
        reach = .allocate(capacity: 2 * runsPerRow * height)
        for y in 0..<height {
            for x in 0..<width {
                let clamped = min(max(value(x, y), 0), 1)
                values[y * width + x] = UInt16(clamped * 65535 + 0.5)
            }
        }
        for y in 0..<height {
            for run in 0..<runsPerRow { measure(run, y) }
        }
    }

    deinit {
        values.deallocate()
        reach.deallocate()
    }

    /// The first value of row `y`; ``width`` values may be read there.
    /// - Precondition: the field has such a row.
    func row(_ y: Int) -> UnsafePointer<UInt16> {
        precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
        return UnsafePointer(values.baseAddress! + y &* width)
    }

    /// What decides in run `run` of row `y`.
    func reach(_ run: Int, _ y: Int) -> (low: Int32, high: Int32) {
        let index = 2 * (y * runsPerRow + run)
        return (reach[index], reach[index + 1])
    }

    /// How much the value changes from one sample to the next, at (x, y): half the sum of both central differences.
    func steepness(_ x: Int, _ y: Int) -> Float {
        let across = difference(max(x - 1, 0), y, min(x + 1, width - 1), y)
        let down = difference(x, max(y - 1, 0), x, min(y + 1, height - 1))
        return Float(across + down) / 2
    }

    private func difference(_ x: Int, _ y: Int, _ toX: Int, _ toY: Int) -> Int32 {
        abs(Int32(values[y * width + x]) - Int32(values[toY * width + toX]))
    }

    private func measure(_ run: Int, _ y: Int) {
        let from = max(0, run * WipeField.runLength - 1)
        let to = min(width, (run + 1) * WipeField.runLength + 1)
        var (low, high) = (UInt16.max, UInt16.min)
        for line in max(0, y - 1)...min(height - 1, y + 1) {
            for x in from..<to {
                low = min(low, values[line * width + x])
                high = max(high, values[line * width + x])
            }
        }
        let margin = (Int32(high) - Int32(low) + 1) / 2 + 1
        let index = 2 * (y * runsPerRow + run)
        reach[index] = Int32(low) - margin
        reach[index + 1] = Int32(high) + margin
    }
}
