package import Timing

/// Every rule that a finding may report. The raw values are in findings, in docs/edit-format.md, in docs/findings.md
/// and in users' scripts, so they must stay stable.
package enum FindingRule: String, Sendable, Hashable, CaseIterable {
    // MARK: The text of an edit

    /// The text is not JSON.
    case json
    /// The file is not UTF-8, or an encoder setting of an output is out of its range.
    case encoding
    /// The file is one of another program, or media.
    case foreignFormat = "foreign-format"
    /// The text is too long, too deep or has too many values; edits are nested too deep; parameters lengthen the text
    /// too much; or there are more findings than are listed.
    case limit
    /// An object has the same key twice.
    case duplicateKey = "duplicate-key"
    /// The `schema` is one that this version does not read.
    case schema
    /// A value is of another type than the one expected.
    case wrongType = "wrong-type"
    /// An object has a key that its kind does not have.
    case unknownKey = "unknown-key"
    /// An object lacks a key.
    case missingKey = "missing-key"
    /// A word of the edit language that this version does not render yet.
    case unsupported
    /// Two keys exclude each other.
    case contradiction
    /// A text is none of the words allowed there.
    case unknownValue = "unknown-value"
    /// A number is outside of what is allowed there.
    case numberRange = "number-range"
    /// A time is a number, without its unit.
    case timeIsNumber = "time-is-number"
    /// A text is no time.
    case timeSyntax = "time-syntax"
    /// A time is too large or too fine to compute with exactly.
    case timeOverflow = "time-overflow"
    /// A time is negative or empty where it must not be.
    case timeRange = "time-range"
    /// A timecode label does not exist at the edit's rate.
    case timecode
    /// A frame number such as `"#120"` stands where it names no frame of a source.
    case frameNumber = "frame-number"
    /// A name is not among the assets, or a position past their end.
    case unknownAsset = "unknown-asset"
    /// A warning: nothing uses an asset.
    case unusedAsset = "unused-asset"
    /// Two tracks of an edit have one `id`.
    case duplicateIdentifier = "duplicate-id"
    /// Two outputs have one file.
    case duplicateFile = "duplicate-file"
    /// A transition has no segment beside it, or follows another.
    case transitionPlace = "transition-place"
    /// A parameter is not declared.
    case unknownParameter = "unknown-param"
    /// A warning: nothing uses a parameter.
    case unusedParameter = "unused-param"
    /// A parameter has no value, or one of another type.
    case parameterValue = "param-value"
    /// A `composition/1` does not have the canonical form.
    case composition

    // MARK: The layout and the assets of an edit

    /// A segment begins before the one before it ends.
    case segmentsOverlap = "segments-overlap"
    /// A segment's `at` is not where the transition before it places the segment.
    case atContradiction = "at-contradiction"
    /// A time falls between two frames.
    case offFrame = "off-frame"
    /// Something lasts less than a frame or a sample.
    case tooShort = "too-short"
    /// The timeline is longer than any may be.
    case tooLong = "too-long"
    /// A transition is longer than a segment beside it.
    case transitionTooLong = "transition-too-long"
    /// The transitions on both sides of a segment overlap.
    case transitionsMeet = "transitions-meet"
    /// The move of a title is longer than the title.
    case moveTooLong = "move-too-long"
    /// The two moves of a title overlap.
    case movesMeet = "moves-meet"
    /// Something runs past the end of its source, or begins after the picture has ended.
    case pastEnd = "past-end"
    /// An in point is past the end of its source.
    case inPastEnd = "in-past-end"
    /// A speed cannot be, or the sound cannot follow it.
    case speed
    /// A still, or a segment whose speed changes, has no duration.
    case noLength = "no-length"
    /// There is no such file.
    case assetMissing = "asset-missing"
    /// A file is no media, or damaged.
    case assetUnreadable = "asset-unreadable"
    /// An asset has no picture.
    case noPicture = "no-picture"
    /// An asset has no sound.
    case noSound = "no-sound"
    /// An asset is no colour table.
    case noLUT = "no-lut"
    /// A mask has no alpha.
    case noAlpha = "no-alpha"
    /// An asset is no font.
    case noFont = "no-font"
    /// An asset has no subtitles.
    case noSubtitles = "no-subtitles"
    /// There is no such font.
    case fontMissing = "font-missing"
    /// No font has a character.
    case glyphMissing = "glyph-missing"
    /// A text is too large to be drawn.
    case textTooLarge = "text-too-large"
    /// A shape is too large to be drawn.
    case shapeTooLarge = "shape-too-large"
    /// An asset has no such track.
    case unknownSourceTrack = "unknown-source-track"
    /// An asset has no track of a language.
    case unknownLanguage = "unknown-language"
    /// Keys of a volume, a pan or a balance are out of order.
    case volumeOrder = "volume-order"
    /// Keys of a property are out of order.
    case keyOrder = "key-order"
    /// There is no such track.
    case unknownTrack = "unknown-track"
    /// A transition does not have what its kind has.
    case transitionLook = "transition-look"
    /// There is no such preset.
    case unknownPreset = "unknown-preset"
    /// The extension of an output's file belongs to another container than its preset's.
    case fileKind = "file-kind"
    /// The preset `match` finds nothing to copy, or cannot follow the asset that `match` names.
    case match
    /// The sound's own length does not end within the last frame, or belongs to a timeline with picture.
    case soundLength = "sound-length"
    /// Sound cannot be dithered.
    case dither
    /// Sound cannot be brought from one rate to another, or encoded at it.
    case sampleRate = "sample-rate"
    /// The channels of a source or of the edit do not fit what is asked of them.
    case channels
    /// A frame rate cannot be rendered.
    case frameRate = "frame-rate"
    /// A picture is too large, or has a size that no picture has.
    case size
    /// The range of an output is past the end of the timeline.
    case rangePastEnd = "range-past-end"
    /// Nothing is placed on the timeline.
    case emptyEdit = "empty-edit"
    /// Edits use each other in a circle.
    case editCycle = "edit-cycle"
    /// There are more tracks, layers or pieces than an edit may have.
    case tooMany = "too-many"
    /// A warning: nothing of a picture is ever seen.
    case neverSeen = "never-seen"
    /// A warning: a file whose sound is used is cut off, or has bytes that belong to no frame.
    case damagedSound = "damaged-sound"
    /// A note: the source that the format was taken from.
    case impliedFormat = "implied-format"
    /// A note: the output that is made where none is written.
    case impliedOutput = "implied-output"
    /// A note: the source that an output of the preset `match` follows where none is named.
    case impliedMatch = "implied-match"

    // MARK: Compositions

    /// The timeline has no frame.
    case emptyTimeline = "empty-timeline"
    /// The instructions leave out frames.
    case instructionHole = "instruction-hole"
    /// Two instructions cover one frame.
    case instructionOverlap = "instruction-overlap"
    /// The instructions end before the timeline.
    case instructionsTooShort = "instructions-too-short"
    /// The instructions end after the timeline.
    case instructionsTooLong = "instructions-too-long"
    /// A layer names tracks in a combination that it cannot show.
    case layerSides = "layer-sides"
    /// A transition runs past its own end.
    case dissolveSteps = "dissolve-steps"
    /// Two tracks have one name.
    case duplicateTrack = "duplicate-track"
    /// A range begins before 0, or is empty.
    case rangeInvalid = "range-invalid"
    /// A segment begins before its source.
    case sourceNegative = "source-negative"
    /// A crossfade is longer than its segment.
    case fade
    /// A volume is negative.
    case volume
    /// A property has no keys, or keys that its form does not allow.
    case animation
    /// An effect has a parameter that its kind lacks, lacks one that its kind needs, or has a colour that is none; or
    /// there are too many effects.
    case effects
    /// A title has values that cannot be drawn.
    case title
    /// A text is no colour, or a colour description is one that is not rendered.
    case color
    /// A container cannot hold a codec.
    case container
    /// An output has neither picture nor sound.
    case emptyOutput = "empty-output"
}

extension FindingRule {
    /// The rule of a finding about a text that is no time.
    package init(_ rule: TimeTextError.Rule) {
        self =
            switch rule {
            case .syntax: .timeSyntax
            case .overflow: .timeOverflow
            case .timecode: .timecode
            case .frameNumber: .frameNumber
            }
    }
}
