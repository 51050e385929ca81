import CompositionModel
import Foundation
public import Planning

/// Some of a job's stills, made by one worker. The artifact is a ``StillPack``, or the image of a sheet.
public struct StillsTask: Sendable, Hashable, Codable {
    /// The picture of the whole timeline.
    public var picture: PictureTask
    /// The frames that this task makes.
    public var order: StillsOrder
    /// The renderer's version, copied from ``picture`` because every task states its own.
    public var rendererVersion: Int
    /// The library versions, as in ``PictureTask/libraries``.
    public var libraries: [String: String]?

    /// Makes the task; the renderer's version and the libraries are those of `picture`.
    public init(picture: PictureTask, order: StillsOrder) {
        self.picture = picture
        self.order = order
        rendererVersion = picture.rendererVersion
        libraries = picture.libraries
    }
}
