public import CompositionModel
public import Planning
import Foundation

// Single frames as tasks of a farm: what is ordered, what a worker makes of it.

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

/// Some of a job's stills, made by one worker. Its artifact is a ``StillPack``, or the image of a sheet.
public struct StillsTask: Sendable, Hashable, Codable {
    /// Of the whole timeline.
    public var picture: PictureTask
    public var order: StillsOrder
    /// As in ``PictureTask``, here too because every task says it.
    public var rendererVersion: Int
    public var libraries: [String: String]?

    public init(picture: PictureTask, order: StillsOrder) {
        self.picture = picture
        self.order = order
        rendererVersion = picture.rendererVersion
        libraries = picture.libraries
    }
}

/// Images in one file: 8 bytes `CUTSTIL1`, the length of a list as a big-endian UInt32, the list in canonical JSON,
/// then the images one behind the other.
public struct StillPack: Sendable, Hashable {
    public struct Still: Sendable, Hashable {
        /// Of the timeline.
        public var frame: Int64
        /// The image file, or why there is none.
        public var image: Result<[UInt8], Failure>

        public init(frame: Int64, image: Result<[UInt8], Failure>) {
            self.frame = frame
            self.image = image
        }
    }

    private struct Entry: Codable {
        var frame: Int64
        var byteCount: Int
        var failure: Failure?
    }

    public var stills: [Still]

    private static let magic = Array("CUTSTIL1".utf8)

    public init(_ stills: [Still]) { self.stills = stills }

    /// - Throws: what encoding throws; nothing in practice.
    public func encoded() throws -> [UInt8] {
        let entries = stills.map { still in
            switch still.image {
            case .success(let image): Entry(frame: still.frame, byteCount: image.count, failure: nil)
            case .failure(let failure): Entry(frame: still.frame, byteCount: 0, failure: failure)
            }
        }
        let list = Array(try CanonicalJSON.data(entries))
        var bytes = StillPack.magic
        withUnsafeBytes(of: UInt32(list.count).bigEndian) { bytes += $0 }
        bytes += list
        for still in stills { bytes += (try? still.image.get()) ?? [] }
        return bytes
    }

    /// - Returns: nil for bytes that are no pack.
    public init?(decoding bytes: [UInt8]) {
        let head = StillPack.magic.count + 4
        guard bytes.count >= head, bytes.starts(with: StillPack.magic) else { return nil }
        let length = bytes[StillPack.magic.count..<head].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - head >= length,
            let entries = try? WireJSON.decode([Entry].self, from: Data(bytes[head..<head + length]))
        else { return nil }
        var place = head + length
        stills = []
        for entry in entries {
            guard entry.byteCount >= 0, bytes.count - place >= entry.byteCount else { return nil }
            let image = Array(bytes[place..<place + entry.byteCount])
            place += entry.byteCount
            stills.append(Still(frame: entry.frame, image: entry.failure.map { .failure($0) } ?? .success(image)))
        }
        guard place == bytes.count else { return nil }
    }
}
