public import Timing
public import CompositionModel

/// `{ "effect": NAME, … }` as it is written.
public struct EditEffect: Sendable, Hashable {
    public var name: PictureEffect.Name
    /// The parameters that are written.
    public var values: [PictureEffect.Parameter: EditProperty]
    public var color: Marked<String>?
    /// A name in ``Edit/assets``, of an effect that works with one.
    public var asset: Marked<String>?
    /// Of a mask; nil is alpha where the asset has it, else luma.
    public var channel: Marked<EffectSource.Channel>?
    /// Of a mask: its source time beside the clip's first one; nil is the clip's own.
    public var start: Marked<EditTime>?
    public var mark: SourceMark
}
