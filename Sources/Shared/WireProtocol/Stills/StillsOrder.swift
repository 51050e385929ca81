public import CompositionModel
import Foundation
import Planning

/// What a ``JobSubmission`` orders in place of a movie: frames as images.
public struct StillsOrder: Sendable, Hashable, Codable {
    /// Most frames of one job.
    public static let mostFrames = 10_000
    /// Longest side of the box and of a sheet, in pixels.
    public static let longestSide = 16_384

    /// Of the timeline, ascending, each once; in the order of a sheet's cells for a sheet.
    public var frames: [Int64]
    public var format: StillFormat
    /// Pictures, or a sheet's cells, are made smaller to fit into it, never larger. A sheet has one.
    public var box: PictureSize?
    /// One image of all frames; nil makes an image of each.
    public var sheet: SheetGrid?

    public init(frames: [Int64], format: StillFormat, box: PictureSize?, sheet: SheetGrid? = nil) {
        self.frames = frames
        self.format = format
        self.box = box
        self.sheet = sheet
    }

    /// Frames of one task: few enough that several workers have something to do, so many that neighbours share groups
    /// of pictures.
    private static let framesOfPart = 24
    private static let mostParts = 64

    /// What each task makes, by its position in the job: neighbours together; a sheet is one.
    public var parts: [StillsOrder] {
        let least = (frames.count + StillsOrder.mostParts - 1) / StillsOrder.mostParts
        let several = max(least, min(StillsOrder.framesOfPart, (frames.count + 3) / 4))
        let step = max(1, sheet == nil ? several : frames.count)
        return stride(from: 0, to: frames.count, by: step).map { start in
            var part = self
            part.frames = Array(frames[start..<min(start + step, frames.count)])
            return part
        }
    }

    /// What of it cannot be done for a timeline of `frameCount` frames, as a sentence; nil is nothing.
    public func problem(frameCount: Int64) -> String? {
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

public struct SheetGrid: Sendable, Hashable, Codable {
    public var columns: Int
    public var rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
