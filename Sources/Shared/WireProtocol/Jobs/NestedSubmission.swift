public import CompositionModel
import Foundation
import Planning
import Timing

/// An edit that a submitted edit uses as an asset.
public struct NestedSubmission: Sendable, Hashable, Codable {
    /// The file name that findings about this edit show.
    public var file: String
    /// The edit as the user wrote it.
    public var editText: String
    /// The values of this edit's `params`, as in ``JobSubmission/parameters``.
    public var parameters: [String: String]?
    /// The digests of this edit's assets, as in ``JobSubmission/assets``.
    public var assets: [String: ContentDigest]
    /// The edits that this edit uses as assets, as in ``JobSubmission/nested``.
    public var nested: [String: NestedSubmission]?

    public init(
        file: String,
        editText: String,
        parameters: [String: String]? = nil,
        assets: [String: ContentDigest],
        nested: [String: NestedSubmission]? = nil
    ) {
        self.file = file
        self.editText = editText
        self.parameters = parameters
        self.assets = assets
        self.nested = nested
    }
}
