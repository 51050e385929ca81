import CompositionModel
import Foundation
import Planning
import Storage
import WireProtocol

/// One image of many frames, made on this machine or on a farm.
struct StillSheet: Sendable {
    let rendering: LocalRendering
    /// The number of columns and rows.
    let grid: PictureSize
    /// The size in pixels that each frame is reduced to fit into.
    let cell: PictureSize
    let format: StillFormat
    let scratch: ScratchFolder
    /// The farm that makes the image; nil for this machine.
    let farm: FarmStills?

    /// The default size of a cell, in pixels.
    static let usualCell = PictureSize(width: 320, height: 320)

    /// Makes the image and puts it in its place.
    /// - Parameter frames: the frame numbers, in the order of the cells; at most as many as there are cells.
    /// - Throws: ``CommandFailure``, `RenderFailed` or `ClientError` when it cannot be made; `CancellationError`.
    func make(_ frames: [Int64], to file: OutputFile) async throws {
        let task = try rendering.picture(showing: frames)
        if let farm {
            let sheet = SheetGrid(columns: grid.width, rows: grid.height)
            let order = StillsOrder(frames: frames, format: format, box: cell, sheet: sheet)
            return try await Interruptible.run { try await farm.makeSheet(order, to: file) }
        }
        let sources = try await rendering.sources.open(task.assets, scratch: scratch.path)
        let made = scratch.file("sheet")
        let request = SheetRequest(
            task: task,
            sources: sources.files,
            frames: frames,
            columns: grid.width,
            rows: grid.height,
            cell: cell,
            format: format,
            output: made
        )
        try await Interruptible.run {
            try await rendering.renderer.run(.sheet(request), readable: sources.readable, writable: [scratch.path])
            try await file.deliver { sink in try Data(contentsOf: URL(fileURLWithPath: made)).withUnsafeBytes(sink) }
        }
    }
}
