public import CompositionModel
import Foundation
import Planning
import Timing

/// `POST /v1/jobs` → 201 ``JobView``; 422 with findings; 409 `asset_missing` naming digests to upload first. The edit's
/// text is compiled and planned by the coordinator before it answers: what is accepted is planned and stored.
public struct JobSubmission: Sendable, Hashable, Codable {
    /// A name that the client chooses: the same submission sent twice makes one job.
    public var idempotencyKey: String
    /// The edit or composition as the user wrote it.
    public var editText: String
    /// What to call it in lists: usually the file's name.
    public var title: String
    /// Every `assets` entry of the edit by name → the digest of the bytes it had when it was submitted.
    public var assets: [String: ContentDigest]
    /// Values for the edit's `params`, in place of their defaults; nil is none.
    public var parameters: [String: String]?
    /// Every `assets` entry that is an edit, by name; nil is none.
    public var nested: [String: NestedSubmission]?
    /// Replaces the edit's outputs by this preset.
    public var preset: String?
    /// Which of the edit's outputs, from 0. One job makes one file.
    public var output: Int
    /// `--range`: a start and a duration as an edit writes times (docs/time.md).
    public var range: [String]?
    /// Higher first; 0 is normal.
    public var priority: Int
    /// `--segments`, for tests: overrides the grid.
    public var segmentCount: Int?
    /// What the job makes of the edit.
    public var product: JobProduct

    public init(
        idempotencyKey: String,
        editText: String,
        title: String,
        assets: [String: ContentDigest],
        parameters: [String: String]? = nil,
        nested: [String: NestedSubmission]? = nil,
        preset: String? = nil,
        output: Int = 0,
        range: [String]? = nil,
        priority: Int = 0,
        segmentCount: Int? = nil,
        product: JobProduct = .movie
    ) {
        self.idempotencyKey = idempotencyKey
        self.editText = editText
        self.title = title
        self.assets = assets
        self.parameters = parameters
        self.nested = nested
        self.preset = preset
        self.output = output
        self.range = range
        self.priority = priority
        self.segmentCount = segmentCount
        self.product = product
    }
}
