extension EditReading {
    mutating func titleItem(_ node: JSONNode) -> EditTitleItem? {
        if node["gap"] != nil { return gap(node).map(EditTitleItem.gap) }
        if node["transition"] != nil {
            report(
                .transitionPlace,
                node.mark,
                "a title track has no transitions; write \"enter\" and \"exit\" instead"
            )
            return nil
        }
        return title(node).map(EditTitleItem.title)
    }

    private mutating func title(_ node: JSONNode) -> EditTitle? {
        guard let fields = fields(node, as: .title) else { return nil }
        let (content, duration) = (titleContent(fields), time(fields["duration"], .length))
        let at = time(fields["at"], .place)
        let snap: Marked<SnapRule>? = word(fields["snap"], "rule to snap")
        let appearance = appearance(fields)
        let (enter, exit) = (move(fields["enter"]), move(fields["exit"]))
        if fields["subtitles"] != nil, let move = [enter, exit].compactMap(\.self).first(where: { $0.kind == .type }) {
            report(.contradiction, move.mark, "subtitles cannot be typed; \"fade\" makes them come and go")
        }
        guard let content, let duration else { return nil }
        var title = EditTitle(content: content, duration: duration, at: at, snap: snap, mark: node.mark)
        (title.appearance, title.enter, title.exit) = (appearance, enter, exit)
        return title
    }

    private mutating func titleContent(_ fields: EditFields) -> EditTitleContent? {
        if let subtitles = fields["subtitles"] { return self.subtitles(subtitles, fields) }
        if let start = fields["in"] {
            report(.contradiction, start.mark, "only subtitles have an \"in\"")
        }
        guard let layers = fields["layers"] else { return titleText(fields).map(EditTitleContent.text) }
        if let other = EditObject.textKeys.compactMap({ fields[$0.name] }).first {
            report(.contradiction, other.mark, "a title has a text or layers; the text belongs into one of the layers")
            return nil
        }
        return titleLayers(layers).map(EditTitleContent.layers)
    }

    private mutating func subtitles(_ node: JSONNode, _ fields: EditFields) -> EditTitleContent? {
        let others = ["text", "layers", "align", "lineSpacing", "letterSpacing", "shadow"]
        for other in others.compactMap({ fields[$0] }) {
            report(.contradiction, other.mark, "subtitles bring their own text; this belongs to a title of its own")
        }
        let font = font(fields["font"]) ?? EditFont(mark: fields.mark)
        let (color, language) = (color(fields["color"]), text(fields["language"]))
        let outline = fields["outline"].flatMap { self.outline($0) }
        let box = fields["box"].flatMap { titleBox($0) }
        let start = time(fields["in"], .place)
        guard let asset = text(node) else { return nil }
        usedAssets.append(asset)
        let looks = ["color", "outline", "box"].compactMap { fields[$0]?.mark }
        let isSized = font.size != nil || font.weight != nil || font.isItalic
        return .subtitles(
            EditSubtitles(
                asset: asset,
                start: start,
                font: font,
                color: color,
                language: language,
                outline: outline,
                box: box,
                styleMark: looks.first ?? (isSized ? font.mark : nil)
            )
        )
    }

    private mutating func titleLayers(_ node: JSONNode) -> [EditTitleLayer]? {
        let items = list(node)
        if case .array = node.value, items.isEmpty {
            report(.missingKey, node.mark, "there is no layer")
            return nil
        }
        let layers = items.compactMap { titleLayer($0) }
        return layers.isEmpty || layers.count < items.count ? nil : layers
    }

    private mutating func titleLayer(_ node: JSONNode) -> EditTitleLayer? {
        let names = EditObject.layerObjects.map(\.name)
        guard let kind = node["layer"] else {
            report(.missingKey, node.mark, "a layer says what it is", suggestion: "\"layer\": \"text\"")
            return nil
        }
        guard let name = text(kind) else { return nil }
        guard let object = EditObject.layerObjects.first(where: { $0.name == name.value })?.object else {
            unknownValue(name, "kind of layer", known: names)
            return nil
        }
        guard let fields = fields(node, as: object) else { return nil }
        let (content, appearance, timing) = (layerContent(fields), appearance(fields), timing(fields))
        return content.map {
            EditTitleLayer(content: $0, appearance: appearance, timing: timing, mark: node.mark)
        }
    }

    private mutating func layerContent(_ fields: EditFields) -> EditTitleLayer.Content? {
        switch fields.object {
        case .shapeLayer: shape(fields).map(EditTitleLayer.Content.shape)
        case .imageLayer: image(fields).map(EditTitleLayer.Content.image)
        case .groupLayer: fields["layers"].flatMap { titleLayers($0) }.map(EditTitleLayer.Content.group)
        default: titleText(fields).map(EditTitleLayer.Content.text)
        }
    }

    private mutating func shape(_ fields: EditFields) -> EditTitleShape? {
        let kind: Marked<TitleShape.Kind>? = word(fields["shape"], "shape")
        let size = pair(fields["size"], "size", 0...Int64(Limits.longestSide))
        let radius = length(fields["radius"], "radius", 0...Int64(Limits.longestSide), .y)
        let (color, box) = (color(fields["color"]), fields["box"].flatMap { titleBox($0) })
        guard let kind, let size else { return nil }
        return EditTitleShape(kind: kind.value, size: size, radius: radius, color: color, box: box)
    }

    private mutating func image(_ fields: EditFields) -> EditTitleImage? {
        let asset = text(fields["asset"])
        let width = length(fields["width"], "width", 1...Int64(Limits.longestSide), .x)
        let height = length(fields["height"], "height", 1...Int64(Limits.longestSide), .y)
        let box = fields["box"].flatMap { titleBox($0) }
        guard let asset else { return nil }
        usedAssets.append(asset)
        return EditTitleImage(asset: asset, width: width, height: height, box: box)
    }

    /// - Returns: nil when nothing of it is written.
    private mutating func timing(_ fields: EditFields) -> EditLayerTiming? {
        var timing = EditLayerTiming(mark: fields.mark)
        timing.begin = time(fields["beginTime"], .key)
        timing.duration = time(fields["duration"], .length)
        timing.speed = fields["speed"].flatMap { node in constantSpeed(node).map { Marked($0, node.mark) } }
        if let speed = timing.speed, speed.value.isNegative {
            report(.numberRange, speed.mark, "the speed of a layer is above 0; \"autoreverse\" runs it backwards")
        }
        timing.runs = runs(fields["repeat"])
        timing.autoreverses = flag(fields["autoreverse"])?.value ?? false
        let repeats = fields["repeat"] ?? fields["autoreverse"]
        if let repeats, fields["duration"] == nil {
            report(.contradiction, repeats.mark, "only a layer with a \"duration\" runs more than once")
        }
        let written = ["beginTime", "duration", "speed", "repeat", "autoreverse"].contains { fields[$0] != nil }
        return written ? timing : nil
    }

    /// A number of runs, a time, or for ever.
    private mutating func runs(_ node: JSONNode?) -> EditLayerTiming.Repeat? {
        guard let node else { return nil }
        if case .string("forever") = node.value { return .forever }
        if case .string = node.value { return time(node, .length).map(EditLayerTiming.Repeat.duration) }
        return factor(node, "repeat", upTo: 1_000_000).map { .count($0.value.millionths) }
    }

    private mutating func titleText(_ fields: EditFields) -> EditTitleText? {
        let text = titleWords(fields["text"])
        if fields["text"] == nil {
            report(.missingKey, fields.mark, "the key \"text\" is missing in \(fields.object.name): what it says")
        }
        let written = EditTitleText(
            text: text ?? Marked("", fields.mark),
            font: font(fields["font"]) ?? EditFont(mark: fields.mark),
            color: color(fields["color"]),
            alignment: word(fields["align"], "alignment"),
            language: self.text(fields["language"]),
            lineSpacing: factor(fields["lineSpacing"], "lineSpacing", upTo: 100),
            letterSpacing: length(fields["letterSpacing"], "letterSpacing", -1000...1000, .x),
            box: fields["box"].flatMap { titleBox($0) },
            outline: fields["outline"].flatMap { outline($0) },
            shadow: fields["shadow"].flatMap { shadow($0) }
        )
        return text == nil ? nil : written
    }

    /// Without control characters: they draw nothing, and U+0000 hides the rest.
    private mutating func titleWords(_ node: JSONNode?) -> Marked<String>? {
        guard let node, case .string(let words) = node.value, let scalar = TitleText.forbidden(in: words) else {
            return text(node)
        }
        let drawn = words.unicodeScalars.filter { TitleText.forbidden(in: String($0)) == nil }
        let clean = String(String.UnicodeScalarView(drawn))
        let message = "the text has the control character \(scalar.codePoint), which draws nothing"
        let suggestion = clean.isEmpty || clean.utf8.count > 80 ? nil : JSONText.quoted(clean)
        report(.unknownValue, node.mark, message, suggestion: suggestion)
        return nil
    }

    private mutating func font(_ node: JSONNode?) -> EditFont? {
        guard let node, let fields = fields(node, as: .font) else { return nil }
        var font = EditFont(mark: node.mark)
        font.families = texts(fields["family"])
        font.assets = texts(fields["asset"])
        font.weight = weight(fields["weight"])
        let style: Marked<FontStyle>? = word(fields["style"], "font style")
        font.isItalic = style?.value == .italic
        font.size = length(fields["size"], "size", 1...4000, .y)
        usedAssets += font.assets
        return font
    }

    private enum FontStyle: String, CaseIterable {
        case normal, italic
    }

    /// One text or a list of them.
    private mutating func texts(_ node: JSONNode?) -> [Marked<String>] {
        guard let node else { return [] }
        if case .array(let items) = node.value { return items.compactMap { text($0) } }
        return text(node).map { [$0] } ?? []
    }

    private mutating func weight(_ node: JSONNode?) -> Marked<Int>? {
        guard let node, case .string = node.value else { return integer(node, in: 100...900, of: "a font's weight") }
        guard let name = text(node) else { return nil }
        guard let weight = FontWeight.allCases.first(where: { "\($0)" == name.value }) else {
            unknownValue(name, "font weight", known: FontWeight.names)
            return nil
        }
        return Marked(weight.rawValue, node.mark)
    }

    private mutating func titleBox(_ node: JSONNode) -> EditTitleBox? {
        guard let fields = fields(node, as: .titleBox) else { return nil }
        return EditTitleBox(
            anchor: word(fields["anchor"], "anchor"),
            margin: pair(fields["margin"], "margin", 0...Limits.layerLengths.upperBound),
            width: length(fields["width"], "width", 1...Int64(Limits.longestSide), .x),
            background: fields["background"].flatMap { background($0) }
        )
    }

    private mutating func background(_ node: JSONNode) -> EditTitleBackground? {
        guard case .object = node.value else { return color(node).map { EditTitleBackground(color: $0) } }
        guard let fields = fields(node, as: .titleBackground) else { return nil }
        let padding = pair(fields["padding"], "padding", 0...1000)
        let radius = length(fields["radius"], "radius", 0...1000, .y)
        return color(fields["color"]).map { EditTitleBackground(color: $0, padding: padding, radius: radius) }
    }

    private mutating func outline(_ node: JSONNode) -> EditTitleOutline? {
        guard let fields = fields(node, as: .titleOutline) else { return nil }
        let color = color(fields["color"])
        return length(fields["width"], "width", 0...500, .y).map { EditTitleOutline(width: $0, color: color) }
    }

    private mutating func shadow(_ node: JSONNode) -> EditTitleShadow? {
        guard let fields = fields(node, as: .titleShadow) else { return nil }
        return EditTitleShadow(
            offset: pair(fields["offset"], "offset", -1000...1000),
            blur: length(fields["blur"], "blur", 0...200, .y),
            color: color(fields["color"])
        )
    }

    private mutating func move(_ node: JSONNode?) -> EditTitleMove? {
        guard let node else { return nil }
        guard case .object = node.value else {
            let kind: Marked<EditTitleMove.Kind>? = word(node, "move")
            return kind.map { EditTitleMove(kind: $0.value, mark: node.mark) }
        }
        guard let fields = fields(node, as: .titleMove) else { return nil }
        let kind: Marked<EditTitleMove.Kind>? = word(fields["move"], "move")
        let (duration, ease) = (time(fields["duration"], .length), easing(fields["ease"]))
        let side: Marked<EditTitleMove.Side>? = word(fields["from"], "side")
        if let side, let kind, kind.value != .slide {
            report(
                .contradiction,
                side.mark,
                "only a slide comes from a side; leave \"from\" out of a \(kind.value.rawValue)"
            )
        }
        return kind.map {
            EditTitleMove(kind: $0.value, duration: duration, side: side, ease: ease, mark: node.mark)
        }
    }

    /// `#rrggbb` or `#rrggbbaa`, in lower case.
    private mutating func color(_ node: JSONNode?) -> Marked<String>? {
        guard let color = text(node) else { return nil }
        guard ColorText.isColor(color.value) else {
            let message = "“\(color.value.prefix(40))” is no colour; write #rrggbb or #rrggbbaa"
            report(.unknownValue, color.mark, message, suggestion: ColorText.suggestion(for: color.value))
            return nil
        }
        return Marked(color.value.lowercased(), color.mark)
    }

    /// Above 0.
    private mutating func factor(_ node: JSONNode?, _ name: String, upTo most: Int64) -> Marked<FixedDecimal>? {
        guard let node else { return nil }
        guard case .number(let text) = node.value else {
            wrongType(node, wanted: "a number")
            return nil
        }
        guard let number = try? FixedDecimal(text), (1...most * 1_000_000).contains(number.millionths) else {
            let message = "\(name) is a number above 0 and at most \(most), not \(text.prefix(40))"
            report(.numberRange, node.mark, message)
            return nil
        }
        return Marked(number, node.mark)
    }

    private mutating func length(
        _ node: JSONNode?,
        _ name: String,
        _ range: ClosedRange<Int64>,
        _ axis: PropertyForm.Axis
    ) -> EditQuantity? {
        node.flatMap { quantity($0, name, PropertyForm(count: 1, range: range, unit: .length([axis]))) }
    }

    /// Across and down; one length stands for both.
    private mutating func pair(_ node: JSONNode?, _ name: String, _ range: ClosedRange<Int64>) -> [EditQuantity]? {
        guard let node else { return nil }
        let form = PropertyForm(count: 2, range: range, unit: .length([.x, .y]))
        guard case .array(let items) = node.value else { return quantity(node, name, form).map { [$0, $0] } }
        guard items.count == 2 else {
            wrongType(node, wanted: "\(name) as a length or a list of two")
            return nil
        }
        let lengths = items.compactMap { quantity($0, name, form) }
        return lengths.count == 2 ? lengths : nil
    }
}
