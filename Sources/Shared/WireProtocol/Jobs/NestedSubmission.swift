public import CompositionModel
import Foundation
import Planning
import Timing

/// An edit that a submitted one uses as an asset.
public struct NestedSubmission: Sendable, Hashable, Codable {
    /// As findings call its file.
    public var file: String
    /// As the user wrote it.
    public var editText: String
    /// As ``JobSubmission/parameters``.
    public var parameters: [String: String]?
    /// As ``JobSubmission/assets``.
    public var assets: [String: ContentDigest]
    /// As ``JobSubmission/nested``.
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
