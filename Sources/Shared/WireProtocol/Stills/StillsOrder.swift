package import CompositionModel
import Foundation
import Planning

/// The frames that a ``JobSubmission`` orders as images, in place of a movie.
package struct StillsOrder: Sendable, Hashable, Codable {
    /// The most frames in one job.
    package static let mostFrames = 10_000
    /// The longest side of ``box`` and of a sheet, in pixels.
    package static let longestSide = 16_384

    /// The frames of the timeline: ascending and distinct, or for a sheet in the order of its cells.
    package var frames: [Int64]
    /// The format of the image files.
    package var format: StillFormat
    /// The size in pixels that pictures, or a sheet's cells, are reduced to fit into, never enlarged. Nil keeps the
    /// output's size; a sheet always has one.
    package var box: PictureSize?
    /// The grid of one image that shows all frames; nil makes one image per frame.
    package var sheet: SheetGrid?

    package init(frames: [Int64], format: StillFormat, box: PictureSize?, sheet: SheetGrid? = nil) {
        self.frames = frames
        self.format = format
        self.box = box
        self.sheet = sheet
    }

    /// The frames in one task: few enough to occupy several workers, enough that neighbours share groups of pictures.
    private static let framesOfPart = 24
    private static let mostParts = 64

    /// The order of each task, by its position in the job. Neighbouring frames stay together; a sheet is one task.
    package var parts: [StillsOrder] {
        let least = (frames.count + StillsOrder.mostParts - 1) / StillsOrder.mostParts
        let several = max(least, min(StillsOrder.framesOfPart, (frames.count + 3) / 4))
        let step = max(1, sheet == nil ? several : frames.count)
        return stride(from: 0, to: frames.count, by: step).map { start in
            var part = self
            part.frames = Array(frames[start..<min(start + step, frames.count)])
            return part
        }
    }

    /// Says in one sentence why these frames of a timeline of `frameCount` frames cannot be made; nil when they can.
    package func problem(frameCount: Int64) -> String? {
        guard !frames.isEmpty, frames.count <= StillsOrder.mostFrames else {
            return "A job of stills has 1 to \(StillsOrder.mostFrames) frames, and this one \(frames.count)."
        }
        guard let (first, last) = frames.min().flatMap({ first in frames.max().map { (first, $0) } }), first >= 0,
            last < frameCount
        else { return "The timeline has the frames 0 to \(frameCount - 1), and others are ordered." }
        let sides = 1...StillsOrder.longestSide
        if let box, !sides.contains(box.width) || !sides.contains(box.height) {
            return "A still has sides of \(sides.lowerBound) to \(sides.upperBound) pixels."
        }
        guard let sheet else {
            return zip(frames, frames.dropFirst()).allSatisfy(<) ? nil : "The frames do not ascend."
        }
        guard let box, (1...256).contains(sheet.columns), (1...256).contains(sheet.rows),
            frames.count <= sheet.columns * sheet.rows, sheet.columns * (box.width + 8) <= StillsOrder.longestSide,
            sheet.rows * (box.height + 8) <= StillsOrder.longestSide
        else {
            let size = "\(sheet.columns)x\(sheet.rows) cells and sides of \(StillsOrder.longestSide) pixels"
            return "\(frames.count) frames do not fit on a sheet of \(size)."
        }
        return nil
    }
}

/// The cells of a sheet, filled row by row.
package struct SheetGrid: Sendable, Hashable, Codable {
    /// The number of cells in a row, 1 … 256.
    package var columns: Int
    /// The number of rows, 1 … 256.
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
