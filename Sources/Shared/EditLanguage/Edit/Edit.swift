package import CompositionModel
package import Timing

/// An edit as `"edit/1"` says it (docs/edit-format.md): read and checked as far as the text alone shows, not resolved.
///
/// Nothing needs reading again: every value is typed and keeps the place where it was written. Times keep the form they
/// were written in, because only compiling knows the edit's frame rate.
package struct Edit: Sendable, Hashable {
    /// The value of `schema` by which the language is known.
    package static let schemaName = "edit/1"

    /// What is said of picture and sound.
    package var format: EditFormat
    /// The sources by the names of the assets. Every name that a segment uses is in it.
    package var assets: [String: Marked<AssetSource>]
    /// The rule for all times of the timeline between two frames; nil is ``SnapRule/never``. A segment may say otherwise.
    package var snap: Marked<SnapRule>?
    /// The tracks; the first is at the bottom.
    package var tracks: [EditTrack]
    /// What is done to the sum of all sound; nil is nothing.
    package var master: EditMaster?
    /// The files to render.
    package var outputs: [EditOutput]
    /// The place of the whole document.
    package var mark: SourceMark

    /// Whether no track can show anything: then the timeline is measured in samples, and nothing lies on frames.
    package var isSoundAlone: Bool { tracks.allSatisfy { $0.kind == .audio } }

    /// The sources as they were written, by the names of the assets: what is hashed and uploaded.
    package var assetSources: [String: AssetSource] { assets.mapValues(\.value) }
}

/// Where an asset's bytes are, as written in the edit.
package enum AssetSource: Sendable, Hashable {
    /// Absolute, or relative to the edit's file.
    case path(String)
    /// A file elsewhere, `scheme://…`, which a coordinator fetches.
    case url(RemoteSource)
    /// An asset that the farm has already.
    case digest(ContentDigest)
    /// Numbered picture files: a path with `%04d` in its last part, absolute or as ``path(_:)``.
    case sequence(String, FrameRate)
    /// A picture that is drawn from its description.
    case generated(GeneratedPicture)
    case generatedSound(GeneratedSound)
    case speech(SpokenText)
    /// A file without a header, as ``path(_:)``, and what it holds.
    case raw(String, RawFormat)
    /// Another edit's file, as ``path(_:)``, with values for its `params`.
    case edit(String, parameters: [String: String])
}

/// What becomes of a time of the timeline that falls between two frames.
package enum SnapRule: String, Sendable, Hashable, CaseIterable {
    /// It is an error.
    case never
    /// It moves to the nearest frame; exactly half goes to the later one.
    case nearest
}

/// What a document turned out to be.
package enum EditDocument: Sendable, Hashable {
    case edit(Edit)
    /// Decoded, not checked yet.
    case composition(Composition)
}
