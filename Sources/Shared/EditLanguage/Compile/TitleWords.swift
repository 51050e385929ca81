import CompositionModel
import Timing

/// Turns texts and styles of titles into their canonical form: pixels, colours with alpha, standard values said.
struct TitleWords {
    /// What to do about a text that is too large to be drawn.
    static let sizeRemedy =
        "make \"size\" smaller, give \"box\" a \"width\" at which lines are broken, or split the text"

    /// The size of the edit's frame.
    let frame: PictureSize

    func text(_ written: EditTitleText, faces: [FontFace]) -> TitleText {
        TitleText(
            text: written.text.value,
            faces: faces,
            size: written.font.size.map { length($0, .y) } ?? part(6, of: frame.height),
            color: color(written.color?.value ?? "#ffffff"),
            alignment: written.alignment?.value ?? .center,
            language: written.language?.value,
            lineSpacing: written.lineSpacing?.value.millionths,
            letterSpacing: written.letterSpacing.map { length($0, .x) },
            box: box(written.box),
            outline: written.outline.map {
                TitleOutline(width: length($0.width, .y), color: color($0.color?.value ?? "#000000"))
            },
            shadow: written.shadow.map(shadow)
        )
    }

    /// The style that cues are drawn with. A box's `width` leaves as much room at both sides.
    func subtitleStyle(_ written: EditSubtitles) -> SubtitleStyle {
        let size = written.font.size.map { length($0, .y) } ?? part(5, of: frame.height)
        let margin = pair(written.box?.margin, standard: part(4, of: frame.height))
        let room = written.box?.width.map { (Int64(frame.width) * 1_000_000 - length($0, .x)) / 2 } ?? 0
        return SubtitleStyle(
            size: size,
            weight: written.font.weight?.value ?? 400,
            isItalic: written.font.isItalic,
            color: color(written.color?.value ?? "#ffffff"),
            outline: TitleOutline(
                width: written.outline.map { length($0.width, .y) } ?? size / 16,
                color: color(written.outline?.color?.value ?? "#000000")
            ),
            background: written.box?.background.map(background),
            anchor: written.box?.anchor?.value ?? .bottom,
            marginLeft: max(margin.x, room),
            marginRight: max(margin.x, room),
            marginVertical: margin.y
        )
    }

    func box(_ written: EditTitleBox?) -> TitleBox {
        let margin = pair(written?.margin, standard: 0)
        return TitleBox(
            anchor: written?.anchor?.value ?? .center,
            marginX: margin.x,
            marginY: margin.y,
            width: written?.width.map { length($0, .x) },
            background: written?.background.map(background)
        )
    }

    private func background(_ written: EditTitleBackground) -> TitleBackground {
        let padding = pair(written.padding, standard: 0)
        return TitleBackground(
            color: color(written.color.value),
            paddingX: padding.x,
            paddingY: padding.y,
            radius: written.radius.map { length($0, .y) } ?? 0
        )
    }

    private func shadow(_ written: EditTitleShadow) -> TitleShadow {
        let offset = pair(written.offset, standard: 4_000_000)
        return TitleShadow(
            x: offset.x,
            y: offset.y,
            blur: written.blur.map { length($0, .y) } ?? 4_000_000,
            color: color(written.color?.value ?? "#00000080")
        )
    }

    func color(_ text: String) -> String { text.utf8.count == 7 ? text + "ff" : text }

    private func pair(_ written: [EditQuantity]?, standard: Int64) -> (x: Int64, y: Int64) {
        guard let written, written.count == 2 else { return (standard, standard) }
        return (length(written[0], .x), length(written[1], .y))
    }

    func length(_ quantity: EditQuantity, _ axis: PropertyForm.Axis) -> Int64 {
        switch quantity.unit {
        case .plain: quantity.millionths
        case .percent: hundredths(quantity, of: axis == .x ? frame.width : frame.height)
        case .percentOfWidth: hundredths(quantity, of: frame.width)
        case .percentOfHeight: hundredths(quantity, of: frame.height)
        }
    }

    private func part(_ hundredths: Int64, of side: Int) -> Int64 { hundredths * 10_000 * Int64(side) }

    /// Both factors have limits (``Limits``) that keep the product far below 2^63.
    private func hundredths(_ quantity: EditQuantity, of side: Int) -> Int64 {
        let product = Int128(quantity.millionths) * Int128(side)
        return Int64(clamping: Rounding.halfAwayFromZero.divide(product, by: 100).value)
    }
}
