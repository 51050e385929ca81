package import CompositionModel
package import Timing

/// `{ "effect": NAME, … }` as it is written.
package struct EditEffect: Sendable, Hashable {
    /// The kind of the effect.
    package var name: PictureEffect.Name
    /// The parameters that are written.
    package var values: [PictureEffect.Parameter: EditProperty]
    /// The colour of an effect that has one, `#rrggbb` in lower case; nil is ``PictureEffect/Name/standardColor``.
    package var color: Marked<String>?
    /// A name in ``Edit/assets``, for an effect that works with one.
    package var asset: Marked<String>?
    /// What of a mask decides; nil is alpha where the asset has it, else luma.
    package var channel: Marked<EffectSource.Channel>?
    /// The source time of a mask beside the clip's first one; nil is the clip's own.
    package var start: Marked<EditTime>?
    /// The object of the effect.
    package var mark: SourceMark
}
