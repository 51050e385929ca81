public import Timing
public import CompositionModel

/// An edit as `"edit/1"` says it (docs/edit-format.md): read and checked as far as the text alone shows, not resolved.
///
/// Nothing needs reading again: every value is typed and keeps the place where it was written. Times keep the form they
/// were written in, because only compiling knows the edit's frame rate.
public struct Edit: Sendable, Hashable {
    public static let schemaName = "edit/1"

    public var format: EditFormat
    /// Name → source. Every name that a segment uses is in it.
    public var assets: [String: Marked<AssetSource>]
    /// For all times of the timeline; nil is ``SnapRule/never``. A segment may say otherwise.
    public var snap: Marked<SnapRule>?
    /// The first is at the bottom.
    public var tracks: [EditTrack]
    public var master: EditMaster?
    public var outputs: [EditOutput]
    /// The whole document.
    public var mark: SourceMark

    /// What to hash and upload: name → source as it was written.
    public var assetSources: [String: AssetSource] { assets.mapValues(\.value) }
}

/// Where an asset's bytes are, as written in the edit.
public enum AssetSource: Sendable, Hashable {
    /// Absolute, or relative to the edit's file.
    case path(String)
    /// `scheme://…`.
    case url(String)
    /// An asset that the farm has already.
    case digest(ContentDigest)
    /// Numbered picture files: a path with `%04d` in its last part, absolute or as ``path(_:)``.
    case sequence(String, FrameRate)
    /// Nothing but a description.
    case generated(GeneratedPicture)
    case generatedSound(GeneratedSound)
    case speech(SpokenText)
    /// A file without a header, as ``path(_:)``, and what it holds.
    case raw(String, RawFormat)
    /// Another edit's file, as ``path(_:)``, with values for its `params`.
    case edit(String, parameters: [String: String])
}

/// What becomes of a time of the timeline that falls between two frames.
public enum SnapRule: String, Sendable, Hashable, CaseIterable {
    /// It is an error.
    case never
    /// It moves to the nearest frame; exactly half goes to the later one.
    case nearest
}

/// What a document turned out to be.
public enum EditDocument: Sendable, Hashable {
    case edit(Edit)
    /// Decoded, not checked yet.
    case composition(Composition)
}
