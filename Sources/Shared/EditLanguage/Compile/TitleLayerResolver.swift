import CompositionModel
import Timing

/// Turns a title's layers into their canonical form.
struct TitleLayerResolver {
    let placed: PlacedTitle
    /// The size of the edit's frame.
    let frame: PictureSize
    let grid: TrackGrid
    /// The position of an asset in the composition.
    let position: (String) -> Int
    let assets: EffectAssets

    private var words: TitleWords { TitleWords(frame: frame) }

    func appearance(_ written: EditAppearance) -> LayerAppearance? {
        AppearanceResolver(frame: frame, grid: grid, assets: assets).appearance(written, box: frame)
    }

    /// - Parameter appearance: the resolved appearance of the layer.
    func text(_ written: EditTitleText, _ appearance: LayerAppearance?) -> TitleText {
        let faces = (placed.faces[written.text.mark.pointer] ?? []).map {
            FontFace(asset: position($0.asset), index: $0.index)
        }
        let text = words.text(written, faces: faces)
        // Of one that is too large without its blur, that has been said.
        if let blur = appearance?.blurReach, text.sizeProblem() == nil, let problem = text.sizeProblem(blur: blur) {
            grid.log.error(written.text.mark, .textTooLarge, "\(problem); \(TitleWords.sizeRemedy)")
        }
        return text
    }

    func layers(_ written: [EditTitleLayer]) throws(TimeError) -> [TitleLayer] {
        var layers: [TitleLayer] = []
        for layer in written { layers.append(try self.layer(layer)) }
        return layers
    }

    private func layer(_ written: EditTitleLayer) throws(TimeError) -> TitleLayer {
        var layer = TitleLayer(appearance: appearance(written.appearance))
        layer.timing = try written.timing.map { timing throws(TimeError) in try self.timing(timing) }
        switch written.content {
        case .text(let text): layer.text = self.text(text, layer.appearance)
        case .shape(let shape):
            layer.shape = self.shape(shape)
            if let problem = layer.shape?.sizeProblem {
                let remedy = "make \"size\" smaller, and the layer larger with \"scale\""
                grid.log.error(written.mark, .shapeTooLarge, "\(problem); \(remedy)")
            }
        case .image(let image): layer.image = try self.image(image)
        case .group(let layers): layer.group = try self.layers(layers)
        }
        return layer
    }

    /// - Returns: nil after a finding.
    func subtitles(_ written: EditSubtitles) -> TitleSubtitles? {
        guard let placed = placed.subtitles else { return nil }
        func face(_ place: FontPlace) -> SubtitleFace {
            SubtitleFace(asset: position(place.asset), font: place.font, index: place.index)
        }
        return TitleSubtitles(
            asset: position(placed.asset),
            start: placed.start,
            style: placed.format == .ass ? nil : words.subtitleStyle(written),
            families: placed.families.map { SubtitleFamily(name: $0.name, faces: $0.faces.map(face)) },
            fallback: placed.fallback.map(face)
        )
    }

    private func shape(_ written: EditTitleShape) -> TitleShape {
        TitleShape(
            kind: written.kind,
            width: words.length(written.size[0], .x),
            height: words.length(written.size[1], .y),
            radius: written.radius.map { words.length($0, .y) } ?? 0,
            color: words.color(written.color?.value ?? "#ffffff"),
            box: words.box(written.box)
        )
    }

    /// A missing side is the picture's own, or as the other one wants it.
    private func image(_ written: EditTitleImage) throws(TimeError) -> TitleImage? {
        guard let stream = placed.streams[written.asset.value] else { return nil }
        let shown = stream.displaySize
        let (width, height) = (written.width.map { words.length($0, .x) }, written.height.map { words.length($0, .y) })
        let own = (Int64(shown.width) * 1_000_000, Int64(shown.height) * 1_000_000)
        return TitleImage(
            asset: position(written.asset.value),
            stream: stream.streamIndex,
            width: width ?? height.map { TitleLayerResolver.scaled($0, by: own.0, over: own.1) } ?? own.0,
            height: height ?? width.map { TitleLayerResolver.scaled($0, by: own.1, over: own.0) } ?? own.1,
            box: words.box(written.box)
        )
    }

    private static func scaled(_ side: Int64, by top: Int64, over bottom: Int64) -> Int64 {
        let product = Int128(side) * Int128(top)
        return Int64(clamping: Rounding.halfAwayFromZero.divide(product, by: Int128(max(1, bottom))).value)
    }

    private func timing(_ written: EditLayerTiming) throws(TimeError) -> LayerTiming {
        var timing = LayerTiming(autoreverses: written.autoreverses)
        if let begin = written.begin, let seconds = grid.seconds(begin) { timing.begin = seconds }
        if let speed = written.speed { timing.speed = speed.value }
        guard let duration = written.duration.flatMap(grid.seconds) else { return timing }
        timing.duration = duration
        let cycle = try duration.multiplied(by: RationalTime(whole: written.autoreverses ? 2 : 1))
        switch written.runs {
        case nil: timing.total = cycle
        case .count(let millionths): timing.total = try cycle.multiplied(by: RationalTime(millionths, 1_000_000))
        case .duration(let time): timing.total = grid.seconds(time) ?? cycle
        case .forever: break
        }
        return timing
    }
}
