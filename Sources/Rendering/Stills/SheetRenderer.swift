import CompositionModel
import Foundation
import Media
import Pixels
import Planning
package import WireProtocol

/// Puts frames of a picture task side by side into one image.
package enum SheetRenderer {
    /// Pixels between two cells and around them.
    private static let gap = 8

    /// ```
    /// ┌───────────────┐
    /// │ 0   1   2   3 │   row by row; what is left over is black
    /// │ 4   5   6     │
    /// └───────────────┘
    /// ```
    /// - Parameters:
    ///   - sources: in the order of `request.task.assets`.
    ///   - progress: 0 … 1000, ascending.
    /// - Returns: frames shown.
    /// - Throws: ``RenderError``, ``MediaError``; the file is not there then.
    package static func render(
        _ request: SheetRequest,
        sources: [RenderSource],
        progress: (Int) -> Void
    ) throws -> Int64 {
        guard request.columns > 0, request.rows > 0, request.frames.count <= request.columns * request.rows else {
            throw RenderError("invalid_task", "A sheet has too few cells for its frames.", isPermanent: true)
        }
        let compositor = try Compositor(task: request.task, sources: sources)
        let cell = request.task.size.scaled(into: request.cell)
        let step = PictureSize(width: even(cell.width) + gap, height: even(cell.height) + gap)
        let sheet = try empty(request, step)
        let converter = PictureConverter()
        for (position, frame) in request.frames.enumerated() {
            let picture = try converter.convert(
                compositor.picture(at: frame),
                toWidth: cell.width,
                height: cell.height,
                color: request.task.color
            )
            let (column, row) = (position % request.columns, position / request.columns)
            copy(picture, to: sheet, x: gap + column * step.width, y: gap + row * step.height)
            progress((position + 1) * 1000 / request.frames.count)
        }
        let whole = try sheet.freeze()
        try StillFile.write(try ImageEncoder(request.format).encode(whole, size: whole.size), to: request.output)
        return Int64(request.frames.count)
    }

    /// A black sheet.
    /// - Parameter step: the pixels from one cell to the next.
    private static func empty(_ request: SheetRequest, _ step: PictureSize) throws -> MutablePicture {
        let sheet = try MutablePicture(
            width: gap + request.columns * step.width,
            height: gap + request.rows * step.height,
            pixelFormat: .yuv420p,
            color: request.task.color
        )
        let black = try BackgroundColor("#000000", in: request.task.color)
        for index in 0..<sheet.planeCount {
            sheet.withMutablePlane(index) { $0.plane.fill(black.value(ofPlane: index)) }
        }
        return sheet
    }

    private static func copy(_ picture: Picture, to sheet: MutablePicture, x: Int, y: Int) {
        for index in 0..<sheet.planeCount {
            let shift = index == 0 ? 0 : 1
            sheet.withMutablePlane(index) { target in
                picture.withPlane(index) { source in
                    let place = target.plane.part(
                        x: x >> shift,
                        y: y >> shift,
                        width: source.width,
                        height: source.height
                    )
                    place.copy(source.plane)
                }
            }
        }
    }

    private static func even(_ length: Int) -> Int { (length + 1) & ~1 }
}
