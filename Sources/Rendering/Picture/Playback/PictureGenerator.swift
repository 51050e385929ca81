import CompositionModel
import Media
import Pixels
import Timing

/// Draws a generated picture's frames in 8-bit yuv420p, BT.709 limited: whole numbers only, so the same on every
/// machine.
final class PictureGenerator: TimedPictures {
    private let picture: GeneratedPicture
    private let facts: VideoStreamFacts
    private let colors: [BackgroundColor]
    private var last: (frame: Int64, picture: Picture)?

    /// The bars of 75 % from the left.
    private static let bars = [
        "#bfbfbf", "#bfbf00", "#00bfbf", "#00bf00", "#bf00bf", "#bf0000", "#0000bf", "#000000",
    ]

    /// - Throws: ``RenderError`` `invalid_color` for a colour that is none.
    init(_ picture: GeneratedPicture) throws(RenderError) {
        self.picture = picture
        facts = picture.facts.video[0]
        var colors: [BackgroundColor] = []
        let texts = picture.colors.isEmpty ? PictureGenerator.bars : picture.colors
        for text in texts { colors.append(try BackgroundColor(text, in: .bt709)) }
        self.colors = colors
    }

    func picture(at time: RationalTime, direction: PictureReader.Direction) throws -> Picture {
        guard !time.isNegative, time < facts.duration else {
            throw MediaError.outOfRange("Nothing is shown at \(time) s: the picture lasts to \(facts.duration) s.")
        }
        let frame = try facts.frameRate.frame(at: time, rounding: .down).value
        if let last, last.frame == frame { return last.picture }
        let drawn = try draw(frame)
        last = (frame, drawn)
        return drawn
    }

    private func draw(_ frame: Int64) throws(MediaError) -> Picture {
        let size = picture.size
        let target = try MutablePicture(width: size.width, height: size.height, pixelFormat: .yuv420p, color: .bt709)
        let canvas = DrawingCanvas(target)
        switch picture.kind {
        case .solid: canvas.fill(canvas.whole, colors[0])
        case .bars: bars(canvas, canvas.whole)
        case .gradient: gradient(target)
        case .pattern: pattern(canvas, frame: frame)
        }
        return try target.freeze()
    }

    private func bars(_ canvas: DrawingCanvas, _ area: DrawingArea) {
        for (index, color) in colors.enumerated() { canvas.fill(area.column(index, of: colors.count), color) }
    }

    /// Each sample has the colour of its centre, rounded to the nearest.
    private func gradient(_ target: MutablePicture) {
        let isAcross = picture.direction == .right || picture.direction == .left
        let isTurned = picture.direction == .left || picture.direction == .up
        for index in 0..<target.planeCount {
            let ends = colors.map { Int($0.value(ofPlane: index)) }
            let (from, to) = isTurned ? (ends[1], ends[0]) : (ends[0], ends[1])
            target.withMutablePlane(index) { view in
                let length = isAcross ? view.width : view.height
                let ramp = (0..<length).map { place in
                    UInt8((from * (2 * length - 2 * place - 1) + to * (2 * place + 1) + length) / (2 * length))
                }
                for place in 0..<length {
                    let part =
                        isAcross
                        ? view.plane.part(x: place, y: 0, width: 1, height: view.height)
                        : view.plane.part(x: 0, y: place, width: view.width, height: 1)
                    part.fill(ramp[place])
                }
            }
        }
    }
}

// The moving pattern:
// ```
// ■□■■□□□■ …          the frame's number in 24 squares, the lowest bit first
// │bars of 75 %  │
// │    000123    │    the number in digits
// │ramp ▒▒▒ ■    │    black to white, and a block that moves by 4 pixels a frame
// ```
extension PictureGenerator {
    static let squares = 24
    private static let digits = 6

    private func pattern(_ canvas: DrawingCanvas, frame: Int64) {
        let (black, white) = (DrawingCanvas.black, DrawingCanvas.white)
        bars(canvas, canvas.whole)
        let (head, foot) = (canvas.whole.row(0, of: 12), canvas.whole.row(9, of: 12, count: 3))
        for bit in 0..<PictureGenerator.squares {
            canvas.fill(head.column(bit, of: PictureGenerator.squares), frame >> bit & 1 == 1 ? white : black)
        }
        let steps = 64
        for step in 0..<steps {
            canvas.fill(foot.column(step, of: steps), DrawingCanvas.gray(16 + 219 * step / (steps - 1)))
        }
        let block = max(2, canvas.whole.width / 32 * 2)
        let room = max(1, canvas.whole.width - block)
        let left = Int(frame * 4 % Int64(room)) & ~1
        canvas.fill(DrawingArea(x: left, y: foot.y, endX: left + block, endY: foot.endY), white)
        number(frame, canvas)
    }

    private func number(_ frame: Int64, _ canvas: DrawingCanvas) {
        let unit = max(1, min(canvas.whole.width / 32, canvas.whole.height / 16))
        let width = PictureGenerator.digits * 4 * unit + unit
        let (left, top) = ((canvas.whole.width - width) / 2, canvas.whole.height / 2 - 4 * unit)
        let box = DrawingArea(x: left & ~1, y: top & ~1, endX: left + width, endY: top + 7 * unit)
        canvas.fill(box, DrawingCanvas.black)
        var rest = frame
        for place in (0..<PictureGenerator.digits).reversed() {
            let corner = (x: left + unit + place * 4 * unit, y: top + unit)
            for (row, bits) in DigitShape.rows(of: Int(rest % 10)).enumerated() {
                for column in 0..<3 where bits >> (2 - column) & 1 == 1 {
                    let (x, y) = (corner.x + column * unit, corner.y + row * unit)
                    canvas.light(DrawingArea(x: x, y: y, endX: x + unit, endY: y + unit))
                }
            }
            rest /= 10
        }
    }
}

/// Digits of 3 × 5 squares.
enum DigitShape {
    /// Five rows, each of three bits, the left one the highest.
    static func rows(of digit: Int) -> [Int] {
        let shapes = [0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71111, 0o75757, 0o75717]
        return (0..<5).map { shapes[digit] >> (3 * (4 - $0)) & 7 }
    }
}

/// A rectangle of luma samples, ends exclusive.
struct DrawingArea {
    var x: Int
    var y: Int
    var endX: Int
    var endY: Int

    var width: Int { endX - x }
    var height: Int { endY - y }

    /// One of `count` columns of nearly equal width, edges on even samples.
    func column(_ index: Int, of count: Int) -> DrawingArea {
        DrawingArea(
            x: x + (width * index / count & ~1),
            y: y,
            endX: index == count - 1 ? endX : x + (width * (index + 1) / count & ~1),
            endY: endY
        )
    }

    /// `rows` of `count` rows of nearly equal height, from the one at `index` on.
    func row(_ index: Int, of count: Int, count rows: Int = 1) -> DrawingArea {
        DrawingArea(
            x: x,
            y: y + (height * index / count & ~1),
            endX: endX,
            endY: index + rows == count ? endY : y + (height * (index + rows) / count & ~1)
        )
    }
}

/// Fills rectangles of all planes of a picture; what lies outside of it is left out.
struct DrawingCanvas {
    static let black = gray(16)
    static let white = gray(235)

    let whole: DrawingArea
    private let target: MutablePicture

    init(_ target: MutablePicture) {
        self.target = target
        whole = DrawingArea(x: 0, y: 0, endX: target.width, endY: target.height)
    }

    static func gray(_ luma: Int) -> BackgroundColor { BackgroundColor(gray: UInt8(luma)) }

    /// Chroma samples that the area only touches belong to it.
    func fill(_ area: DrawingArea, _ color: BackgroundColor) {
        for index in 0..<target.planeCount { fill(area, plane: index, color.value(ofPlane: index)) }
    }

    /// White luma; chroma stays.
    func light(_ area: DrawingArea) { fill(area, plane: 0, DrawingCanvas.white.luma) }

    private func fill(_ area: DrawingArea, plane index: Int, _ value: UInt8) {
        let shift = index == 0 ? 0 : 1
        target.withMutablePlane(index) { view in
            let (x, y) = (max(0, area.x >> shift), max(0, area.y >> shift))
            let (endX, endY) = (
                min(view.width, (area.endX + shift) >> shift), min(view.height, (area.endY + shift) >> shift)
            )
            guard endX > x, endY > y else { return }
            view.plane.part(x: x, y: y, width: endX - x, height: endY - y).fill(value)
        }
    }
}
