import CompositionModel
import Foundation
public import Planning

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
