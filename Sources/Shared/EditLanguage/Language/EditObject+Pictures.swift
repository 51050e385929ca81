import CompositionModel
import Timing

extension EditObject {
    /// A property of a picture: its value, or keys.
    static func pictureKey(_ property: PictureProperty) -> EditKey {
        let form = property.form
        let number: EditShape =
            if case .length = form.unit { length } else { .decimal }
        let tuple = EditShape.tuple(Array(repeating: number, count: form.count))
        let value: [EditShape] = form.count == 1 ? [number] : form.unit == .factor ? [number, tuple] : [tuple]
        return EditKey(property.rawValue, .anyOf(value + [.list(.object(.propertyKey))]), property.summary)
    }

    static let propertyKeys = [
        EditKey("at", .time, required: #""0s""#, "From the start of the item."),
        EditKey("value", .anyOf([length, .list(length)]), required: "1", "As the property is written without keys."),
        EditKey("ease", ease, "The way to the next key."),
    ]

    /// Pixels, or hundredths of a side.
    static let length = EditShape.anyOf([.decimal, .pattern(#"^-?[0-9]+(\.[0-9]+)?(px|%|%w|%h)$"#)])
    static let ease = EditShape.anyOf([.words(Easing.named.map(\.name)), .pattern(#"^cubicBezier\(.*\)$"#)])
}

extension PictureProperty {
    /// One line for the schema's readers.
    fileprivate var summary: String {
        switch self {
        case .position: "Where the anchor lands in the frame: x, y."
        case .scale: "Factor of the size, or factors of width and height."
        case .rotate: "Degrees clockwise."
        case .rotateX: "Degrees about the horizontal axis, in perspective."
        case .rotateY: "Degrees about the vertical axis, in perspective."
        case .skew: "Degrees by which the sides lean."
        case .anchor: "The point of the picture that is placed and turned about: x, y; its centre when missing."
        case .crop: "What is cut away: left, top, right, bottom."
        case .opacity: "0 to 1."
        }
    }
}
