/// The rules that reading an edit can find broken. Their names are stable.
public enum EditRule: String, Sendable, Hashable, CaseIterable {
    /// The text is no JSON.
    case json
    /// The text is no UTF-8.
    case encoding
    /// A file of another program, or media.
    case foreignFormat = "foreign-format"
    /// Too long, too deep, too many values.
    case limit
    case duplicateKey = "duplicate-key"
    /// `schema` is missing or names what this version does not read.
    case schema
    case wrongType = "wrong-type"
    case unknownKey = "unknown-key"
    case missingKey = "missing-key"
    /// A word of the edit language that this version does not render yet.
    case unsupported
    /// Two keys that exclude each other.
    case contradiction
    /// A text that is none of the words allowed there.
    case unknownValue = "unknown-value"
    /// A number outside of what is allowed there.
    case numberRange = "number-range"
    case timeIsNumber = "time-is-number"
    case timeSyntax = "time-syntax"
    case timeOverflow = "time-overflow"
    /// Negative or empty where it must not be.
    case timeRange = "time-range"
    /// A label that does not exist at the edit's rate.
    case timecode
    /// `"#120"` where it is no in point.
    case frameNumber = "frame-number"
    case unknownAsset = "unknown-asset"
    /// A warning: no segment uses the asset.
    case unusedAsset = "unused-asset"
    case duplicateIdentifier = "duplicate-id"
    /// Two outputs of one name.
    case duplicateFile = "duplicate-file"
    /// A transition that has no segment beside it, or follows another.
    case transitionPlace = "transition-place"
    case unknownParameter = "unknown-param"
    /// A warning: nothing uses the parameter.
    case unusedParameter = "unused-param"
    /// A parameter without a value, or one of another type.
    case parameterValue = "param-value"
    /// A `composition/1` that does not have the canonical form.
    case composition
}
