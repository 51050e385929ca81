public import CompositionModel
public import Timing

/// `{ "effect": NAME, … }` as it is written.
public struct EditEffect: Sendable, Hashable {
    /// The kind of the effect.
    public var name: PictureEffect.Name
    /// The parameters that are written.
    public var values: [PictureEffect.Parameter: EditProperty]
    /// The colour of an effect that has one, `#rrggbb` in lower case; nil is ``PictureEffect/Name/standardColor``.
    public var color: Marked<String>?
    /// A name in ``Edit/assets``, for an effect that works with one.
    public var asset: Marked<String>?
    /// What of a mask decides; nil is alpha where the asset has it, else luma.
    public var channel: Marked<EffectSource.Channel>?
    /// The source time of a mask beside the clip's first one; nil is the clip's own.
    public var start: Marked<EditTime>?
    /// The object of the effect.
    public var mark: SourceMark
}
