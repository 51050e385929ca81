import CompositionModel
import Foundation
package import Planning

/// Some of a job's stills, made by one worker. The artifact is a ``StillPack``, or the image of a sheet.
package struct StillsTask: Sendable, Hashable, Codable {
    /// The picture of the whole timeline.
    package var picture: PictureTask
    /// The frames that this task makes.
    package var order: StillsOrder
    /// The renderer's version, copied from ``picture`` because every task states its own.
    package var rendererVersion: Int
    /// The library versions, as in ``PictureTask/libraries``.
    package var libraries: [String: String]?

    /// Makes the task; the renderer's version and the libraries are those of `picture`.
    package init(picture: PictureTask, order: StillsOrder) {
        self.picture = picture
        self.order = order
        rendererVersion = picture.rendererVersion
        libraries = picture.libraries
    }
}
