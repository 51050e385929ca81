package import CompositionModel
import Foundation
import Planning
import Timing

/// An edit that a submitted edit uses as an asset.
package struct NestedSubmission: Sendable, Hashable, Codable {
    /// The file name that findings about this edit show.
    package var file: String
    /// The edit as the user wrote it.
    package var editText: String
    /// The values of this edit's `params`, as in ``JobSubmission/parameters``.
    package var parameters: [String: String]?
    /// The digests of this edit's assets, as in ``JobSubmission/assets``.
    package var assets: [String: ContentDigest]
    /// The edits that this edit uses as assets, as in ``JobSubmission/nested``.
    package var nested: [String: NestedSubmission]?

    package init(
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
