import CompositionModel
import Timing

extension TitleLayer {
    /// The layer for a frame rendered at another size, with the same relative positions.
    func scaled(from frame: PictureSize, to output: PictureSize) -> TitleLayer {
        guard frame != output else { return self }
        return changed { layer in
            layer.appearance = layer.appearance?.scaled(from: frame, to: output)
            guard var offset = layer.motion?.offset else { return }
            for index in offset.keys.indices {
                let value = offset.keys[index].value
                offset.keys[index].value = [
                    TitleLayer.scaled(value[0], by: output.width, over: frame.width),
                    TitleLayer.scaled(value[1], by: output.height, over: frame.height),
                ]
            }
            layer.motion?.offset = offset
        }
    }

    private static func scaled(_ length: Int64, by top: Int, over bottom: Int) -> Int64 {
        Int64(clamping: Rounding.halfAwayFromZero.divide(Int128(length) * Int128(top), by: Int128(bottom)).value)
    }
}

extension SliceTitle {
    /// The title as it is `frames` frames later.
    func advanced(by frames: Int64, frameDuration: RationalTime) throws(PlanError) -> SliceTitle {
        guard let itemTime else { return self }
        var title = self
        title.itemTime = try exact { () throws(TimeError) in
            try itemTime.adding(RationalTime(frames, of: frameDuration))
        }
        return title
    }
}

extension SliceTitle {
    /// The title for its first `count` frames, without the keys that decide about none of them.
    func trimmed(to count: Int64, frameDuration: RationalTime) throws(PlanError) -> SliceTitle {
        guard let start = itemTime else { return self }
        let end = try exact { () throws(TimeError) in try start.adding(RationalTime(count - 1, of: frameDuration)) }
        var title = self
        title.layers = layers.map { $0.trimmed(from: start, to: end) }
        if !title.layers.contains(where: \.isAnimated) { title.itemTime = nil }
        return title
    }
}

extension TitleLayer {
    /// The layer with the detail that it needs to be drawn as sharp as it is ever shown.
    /// - Parameters:
    ///   - growth: The largest factor by which the enclosing groups scale it.
    ///   - scale: The pixels of the composited picture per pixel of the edit, before ``scaled(from:to:)``.
    func detailed(growth: Double = 1, scale: Double = 1) -> TitleLayer {
        var layer = self
        layer.detail = nil
        if text != nil || shape != nil || group != nil {
            let own = growth * (appearance?.scale?.largest ?? 1) * max(1, motion?.zoom?.largest ?? 1)
            if group == nil, own > 1 { layer.detail = fineness(own > 2 ? 4 : 2, scale: scale) }
            // A group that is cut or changed is drawn at the frame's size and scaled as the picture that it is.
            let isPicture = appearance?.crop != nil || appearance?.effects?.isEmpty == false
            layer.group = group?.map { $0.detailed(growth: isPicture ? 1 : own, scale: scale) }
        }
        return layer
    }

    /// Returns `wanted`, or less where the margin for its blur would make the picture too large; nil for 1.
    private func fineness(_ wanted: Int, scale: Double) -> Int? {
        guard let blur = appearance?.blurReach, blur > 0 else { return wanted }
        let sides = text?.estimatedExtent ?? (Double(shape?.width ?? 0) / 1e6, Double(shape?.height ?? 0) / 1e6)
        var detail = wanted
        while detail > 1 {
            let grown = scale * Double(detail)
            let (width, height) = (sides.0 * grown, sides.1 * grown)
            let room = 2 * min(blur * grown, LayerAppearance.mostBlurReach)
            if (width + room) * (height + room) <= Double(TitleText.mostBlurredPixels) { break }
            detail /= 2
        }
        return detail > 1 ? detail : nil
    }

    /// The layer from `start` to `end` of the enclosing clock. A layer with timing of its own keeps all of its keys,
    /// and those of its group.
    fileprivate func trimmed(from start: RationalTime, to end: RationalTime) -> TitleLayer {
        guard timing == nil else { return self }
        var layer = self
        layer.appearance = appearance?.trimmed(from: start, to: end)
        layer.motion = motion?.trimmed(from: start, to: end)
        layer.group = group?.map { $0.trimmed(from: start, to: end) }
        return layer
    }
}

extension TitleMotion {
    /// The motion from `start` to `end`, without the keys that decide about none of these times.
    /// - Returns: Nil when it changes nothing in that time.
    fileprivate func trimmed(from start: RationalTime, to end: RationalTime) -> TitleMotion? {
        func part(_ property: AnimatedProperty?, still: [Int64]) -> AnimatedProperty? {
            guard let trimmed = property?.trimmed(from: start, to: end) else { return nil }
            return trimmed.keys.allSatisfy { $0.value == still } ? nil : trimmed
        }
        let motion = TitleMotion(
            opacity: part(opacity, still: [1_000_000]),
            offset: part(offset, still: [0, 0]),
            zoom: part(zoom, still: [1_000_000]),
            typed: part(typed, still: [1_000_000])
        )
        return motion == TitleMotion() ? nil : motion
    }
}
