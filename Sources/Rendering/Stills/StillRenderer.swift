import CompositionModel
import Foundation
import Media
import Planning
package import WireProtocol

/// Renders single frames of a picture task to image files.
package enum StillRenderer {
    /// Renders the stills in the order of their frames, so that each group of pictures is decoded once; a still that
    /// cannot be had keeps no other from being made. Each file is there whole, or not at all.
    /// - Parameters:
    ///   - sources: in the order of `request.task.assets`.
    ///   - report: called for each still with its position in `request.stills`, and what is wrong with it.
    /// - Returns: stills written.
    /// - Throws: what concerns all of them: ``RenderError``.
    package static func render(
        _ request: StillsRequest,
        sources: [RenderSource],
        report: (_ position: Int, _ error: (any Error)?) -> Void
    ) throws -> Int64 {
        let compositor = try Compositor(task: request.task, sources: sources)
        let encoder = ImageEncoder(request.format)
        let size = request.box.map { request.task.size.scaled(into: $0) } ?? request.task.size
        var count: Int64 = 0
        let ordered = request.stills.enumerated().sorted { $0.element.frame < $1.element.frame }
        for (position, still) in ordered {
            do {
                let data = try encoder.encode(compositor.picture(at: still.frame), size: size)
                try StillFile.write(data, to: still.path)
                count += 1
                report(position, nil)
            } catch {
                report(position, error)
            }
        }
        return count
    }
}
