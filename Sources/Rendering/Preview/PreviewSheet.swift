import CompositionModel
import Foundation
import Media
import Pixels
import Timing
import WireProtocol

/// Puts frames of parts side by side into one JPEG image; a single frame is a sheet of one cell.
enum PreviewSheet {
    /// The colour of a cell without a frame.
    private static let grey = "#808080"
    private static let color = ColorDescription.bt709

    /// - Returns: the number of frames shown.
    /// - Throws: ``RenderError`` and ``MediaError`` of the parts; the file is not there then.
    static func write(_ request: PreviewPicture) throws -> Int64 {
        let isShown = request.cells.count == 1
        let cell = request.size.shown(request.raster).fitted(width: request.width)
        let converter = PictureConverter()
        var sheet: Picture?
        let grid = isShown ? nil : try empty(request, cell)
        for (number, path) in request.parts.enumerated() {
            let places = Dictionary(
                grouping: request.cells.indices.filter { request.cells[$0].part == number },
                by: { request.cells[$0].frame }
            )
            try PreviewFrames.decode(Set(places.keys), of: path) { frame, decoded in
                let picture = try upright(decoded, converter, cell, request.raster)
                guard let grid else {
                    sheet = picture
                    return
                }
                for place in places[frame] ?? [] {
                    let (column, row) = (place % request.columns, place / request.columns)
                    copy(picture, to: grid, x: column * cell.width, y: row * cell.height)
                }
            }
        }
        let whole = try sheet ?? (try grid ?? empty(request, cell)).freeze()
        try StillFile.write(try ImageEncoder(.jpeg).encode(whole, size: whole.size), to: request.output)
        return Int64(request.cells.count { $0.part != nil })
    }

    /// The picture as it is shown, of the size of a cell.
    private static func upright(
        _ picture: Picture,
        _ converter: PictureConverter,
        _ cell: PictureSize,
        _ raster: CodedRaster?
    ) throws -> Picture {
        let swaps = raster?.swapsSides == true
        let small = try converter.convert(
            picture,
            toWidth: swaps ? cell.height : cell.width,
            height: swaps ? cell.width : cell.height,
            color: color
        )
        return try small.turned(PlaneTurn(quarterTurns: (raster?.degrees ?? 0) / 90, isMirrored: false))
    }

    private static func empty(_ request: PreviewPicture, _ cell: PictureSize) throws -> MutablePicture {
        let rows = (request.cells.count + request.columns - 1) / request.columns
        let sheet = try MutablePicture(
            width: request.columns * cell.width,
            height: rows * cell.height,
            pixelFormat: .yuv420p,
            color: color
        )
        let grey = try BackgroundColor(grey, in: color)
        for index in 0..<sheet.planeCount {
            sheet.withMutablePlane(index) { $0.plane.fill(grey.value(ofPlane: index)) }
        }
        return sheet
    }

    private static func copy(_ picture: Picture, to sheet: MutablePicture, x: Int, y: Int) {
        for index in 0..<sheet.planeCount {
            let shift = index == 0 ? 0 : 1
            sheet.withMutablePlane(index) { target in
                picture.withPlane(index) { source in
                    target.plane.part(x: x >> shift, y: y >> shift, width: source.width, height: source.height)
                        .copy(source.plane)
                }
            }
        }
    }
}

extension PictureSize {
    /// The size at which a coded picture is shown with square pixels: its height is kept, or, turned on its side, its
    /// width.
    fileprivate func shown(_ raster: CodedRaster?) -> PictureSize {
        guard let raster else { return self }
        let aspect = raster.pixelAspect
        let stretched = max(1, Int(Int64(width) * aspect.numerator / max(1, aspect.denominator)))
        return raster.swapsSides
            ? PictureSize(width: height, height: stretched) : PictureSize(width: stretched, height: height)
    }

    /// The size reduced to a width, with even sides of at least 2, as chroma has half of them.
    fileprivate func fitted(width most: Int) -> PictureSize {
        let size = scaled(into: PictureSize(width: max(2, most), height: .max >> 20))
        return PictureSize(width: max(2, size.width & ~1), height: max(2, size.height & ~1))
    }
}
