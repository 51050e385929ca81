import CompositionModel

/// Reads the layers of a title: texts, shapes, images and groups.
struct TitleLayerReader {
    let context: ReadingContext

    /// The layers from the bottom up; nil when one of them could not be read, or there is none.
    func read(_ node: JSONNode) -> [EditTitleLayer]? {
        let items = context.list(node)
        if case .array = node.value, items.isEmpty {
            context.report(.missingKey, node.mark, "there is no layer")
            return nil
        }
        let layers = items.compactMap { titleLayer($0) }
        return layers.isEmpty || layers.count < items.count ? nil : layers
    }

    private func titleLayer(_ node: JSONNode) -> EditTitleLayer? {
        let names = EditObject.layerObjects.map(\.name)
        guard let kind = node["layer"] else {
            context.report(.missingKey, node.mark, "a layer says what it is", suggestion: "\"layer\": \"text\"")
            return nil
        }
        guard let name = context.text(kind) else { return nil }
        guard let object = EditObject.layerObjects.first(where: { $0.name == name.value })?.object else {
            context.unknownValue(name, "kind of layer", known: names)
            return nil
        }
        guard let fields = context.fields(node, as: object) else { return nil }
        let (content, appearance, timing) = (
            layerContent(fields), AppearanceReader(context: context).read(fields),
            LayerTimingReader(context: context).read(fields)
        )
        return content.map {
            EditTitleLayer(content: $0, appearance: appearance, timing: timing, mark: node.mark)
        }
    }

    private func layerContent(_ fields: EditFields) -> EditTitleLayer.Content? {
        switch fields.object {
        case .shapeLayer: shape(fields).map(EditTitleLayer.Content.shape)
        case .imageLayer: image(fields).map(EditTitleLayer.Content.image)
        case .groupLayer: fields["layers"].flatMap { read($0) }.map(EditTitleLayer.Content.group)
        default: TitleTextReader(context: context).read(fields).map(EditTitleLayer.Content.text)
        }
    }

    private func shape(_ fields: EditFields) -> EditTitleShape? {
        let kind: Marked<TitleShape.Kind>? = context.word(fields["shape"], "shape")
        let size = LengthReader(context: context).pair(fields["size"], "size", 0...Int64(Limits.longestSide))
        let radius = LengthReader(context: context).read(fields["radius"], "radius", 0...Int64(Limits.longestSide), .y)
        let (color, box) = (
            context.color(fields["color"]), fields["box"].flatMap { TitleBoxReader(context: context).read($0) }
        )
        guard let kind, let size else { return nil }
        return EditTitleShape(kind: kind.value, size: size, radius: radius, color: color, box: box)
    }

    private func image(_ fields: EditFields) -> EditTitleImage? {
        let asset = context.text(fields["asset"])
        let width = LengthReader(context: context).read(fields["width"], "width", 1...Int64(Limits.longestSide), .x)
        let height = LengthReader(context: context).read(fields["height"], "height", 1...Int64(Limits.longestSide), .y)
        let box = fields["box"].flatMap { TitleBoxReader(context: context).read($0) }
        guard let asset else { return nil }
        context.usedAssets.append(asset)
        return EditTitleImage(asset: asset, width: width, height: height, box: box)
    }
}
