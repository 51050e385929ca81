/// A curve for each channel of R′G′B′: straight lines between points that lie evenly from 0 to 1.
package struct ToneCurves: Sendable, Hashable {
    private let points: [Float]
    private let count: Int

    /// - Precondition: all three have one length of at least 2.
    package init(red: [Float], green: [Float], blue: [Float]) {
        precondition(red.count >= 2 && green.count == red.count && blue.count == red.count)
        count = red.count
        points = red + green + blue
    }

    /// Replaces rows of red, green and blue, `stride` values apart. Outside of 0 … 1 a curve's end goes on.
    func apply(_ colors: UnsafeMutablePointer<Float>, stride: Int, count length: Int) {
        let last = Float(count - 1)
        points.withUnsafeBufferPointer { points in
            guard let base = points.baseAddress else { return }
            for channel in 0..<3 {
                let (curve, row) = (base + channel * count, colors + channel * stride)
                for index in 0..<length {
                    let place = row[index] * last
                    let above: Float = place > 0 ? place : 0
                    let inside: Float = above < last ? above : last
                    let whole = min(Int(inside), count &- 2)
                    let (low, high) = (curve[whole], curve[whole &+ 1])
                    row[index] = low + (high - low) * (inside - Float(whole))
                }
            }
        }
    }
}
