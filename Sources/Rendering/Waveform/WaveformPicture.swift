import Foundation
import Media
import Planning
import Samples
import WireProtocol

/// A waveform as PNG: a lane for each channel, one above the other, silence in its middle.
/// ```
///  lane   ┌────────────────┐  +1
///         │   ▄█▄   ▄      │     peak
///         │▄▄█████▄███▄▄▄▄▄│   0  average (root mean square), as far down as up
///         │   ▀█▀   ▀      │
///         └────────────────┘  −1
/// ```
/// A column that is louder than full scale ends at the lane's edge, and has a colour of its own.
enum WaveformPicture {
    /// - Throws: ``MediaError``.
    static func png(_ waveform: Waveform, _ order: WaveformOrder) throws -> Data {
        let width = waveform.columns[0].count
        let picture = try MutablePicture(
            width: width,
            height: order.height,
            pixelFormat: .rgb24,
            color: .stillRGB
        )
        let colors = [order.colors.background, order.colors.peak, order.colors.average, order.colors.over].map {
            WaveformColors.bytes($0) ?? [0, 0, 0]
        }
        picture.withMutablePlane(0) { plane in
            /// Paints pixels of one column.
            func paint(_ rows: Range<Int>, _ column: Int, _ color: [UInt8]) {
                for row in rows {
                    let pixel = plane.base + row * plane.stride + 3 * column
                    for part in 0..<3 { pixel.storeBytes(of: color[part], toByteOffset: part, as: UInt8.self) }
                }
            }
            for column in 0..<width { paint(0..<order.height, column, colors[0]) }
            for (index, lane) in waveform.columns.enumerated() {
                let rows = LaneRows(lane: index, of: waveform.columns.count, height: order.height)
                for (column, value) in lane.enumerated() {
                    let average = Int32(clamping: Int64(value.rootMeanSquare.rounded()))
                    paint(rows.rows(from: value.least, to: value.most), column, colors[value.isOver ? 3 : 1])
                    guard !value.isOver else { continue }
                    paint(rows.rows(from: -average, to: average), column, colors[2])
                }
            }
        }
        let whole = try picture.freeze()
        return try ImageEncoder(.png).encode(whole, size: whole.size)
    }
}

/// The rows of an image that a lane takes.
struct LaneRows {
    let top: Int
    let height: Int

    /// The rows of lane `lane` of `count` in an image of `height` rows.
    init(lane: Int, of count: Int, height: Int) {
        top = lane * height / count
        self.height = (lane + 1) * height / count - top
    }

    /// The row in which a sample (steps of 24 bits) lies: ⌊(2^23 − 1 − sample) × height / 2^24⌋ from the lane's top.
    func row(of sample: Int32) -> Int {
        let down = ((8_388_607 - Int64(sample)) * Int64(height)) >> 24
        return top + min(max(Int(down), 0), height - 1)
    }

    /// The rows between two samples, at least one.
    func rows(from least: Int32, to most: Int32) -> Range<Int> { row(of: most)..<row(of: least) + 1 }
}
