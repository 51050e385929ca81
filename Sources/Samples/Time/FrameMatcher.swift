/// Finds where a piece of sound goes on best: the place of the largest normalised correlation, first every fourth
/// sample of both, then each sample about the best.
struct FrameMatcher {
    let hop: Int

    /// - Parameters:
    ///   - around: `2 × (hop + room)` samples, room a multiple of 4; a shift of 0 compares those from `room` on.
    ///   - before: `hop` samples, how it would have gone on.
    ///   - shifts: those that may be, within −room … room; a multiple of 4 is among them.
    /// - Returns: one of `shifts`; the nearest to 0 of equals.
    func shift(of around: [Double], toFollow before: [Double], among shifts: ClosedRange<Int>) -> Int {
        let room = around.count / 2 - hop
        let (few, fewBefore) = (thinned(around, count: hop + 2 * room), thinned(before, count: hop))
        let fourths = -(-shifts.lowerBound >> 2)...shifts.upperBound >> 2
        let coarse = best(few, fewBefore, middle: room / 4, candidates: fourths) * 4
        let fine = max(coarse - 3, shifts.lowerBound)...min(coarse + 3, shifts.upperBound)
        return best(around, before, middle: room, candidates: fine)
    }

    private func best(_ around: [Double], _ before: [Double], middle: Int, candidates: ClosedRange<Int>) -> Int {
        var (found, highest) = (min(max(0, candidates.lowerBound), candidates.upperBound), -Double.infinity)
        around.withUnsafeBufferPointer { around in
            before.withUnsafeBufferPointer { before in
                // From 0 outwards: only what is truly better is further away.
                for shift in candidates.sorted(by: { (abs($0), $0) < (abs($1), $1) }) {
                    let place = middle + shift
                    precondition(place >= 0 && place + before.count <= around.count)
                    let own = UnsafeBufferPointer(rebasing: around[place..<place + before.count])
                    let likeness = Self.likeness(own, before)
                    if likeness > highest + 1e-9 { (found, highest) = (shift, likeness) }
                }
            }
        }
        return found
    }

    /// Σxy / √(Σy²), of as many samples as `before` has: four sums of each side by side.
    private static func likeness(
        _ samples: UnsafeBufferPointer<Double>,
        _ before: UnsafeBufferPointer<Double>
    ) -> Double {
        precondition(samples.count == before.count)
        var (products, squares) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        for n in stride(from: 0, to: before.count / 4 * 4, by: 4) {
            let y = SIMD4(samples[n], samples[n + 1], samples[n + 2], samples[n + 3])
            let x = SIMD4(before[n], before[n + 1], before[n + 2], before[n + 3])
            products += x * y
            squares += y * y
        }
        let power = (squares.x + squares.z) + (squares.y + squares.w)
        let product = (products.x + products.z) + (products.y + products.w)
        return product / (power + 1e-12).squareRoot()
    }

    /// Means of four.
    private func thinned(_ samples: [Double], count: Int) -> [Double] {
        (0..<count / 4).map { n -> Double in
            let first = samples[4 * n] + samples[4 * n + 1]
            return first + (samples[4 * n + 2] + samples[4 * n + 3])
        }
    }
}
