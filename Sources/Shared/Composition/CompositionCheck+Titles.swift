extension CompositionCheck {
    /// Titles: in order, without overlap, of fonts that exist, with numbers that can be drawn.
    mutating func titleTrackSegments() {
        for (track, titleTrack) in (composition.titleTracks ?? []).enumerated() {
            var end: Int64 = 0
            for (index, segment) in titleTrack.segments.enumerated() {
                let pointer = "/titleTracks/\(track)/segments/\(index)"
                for (number, layer) in segment.layers.enumerated() {
                    titleLayer(layer, at: "\(pointer)/layers/\(number)")
                }
                guard isSound(segment.target, at: pointer + "/target") else { continue }
                if segment.target.start < end {
                    let place = "frame \(segment.target.start), before the one before it ends at \(end)"
                    report("segments-overlap", pointer + "/target", "the title begins at \(place)")
                }
                end = max(end, segment.target.end)
            }
        }
    }

    private mutating func titleLayer(_ layer: TitleLayer, at pointer: String) {
        if let appearance = layer.appearance { self.appearance(appearance, at: pointer + "/appearance") }
        if let motion = layer.motion { self.motion(motion, at: pointer + "/motion") }
        let (text, place) = (layer.text, pointer + "/text")
        if text.text.isEmpty { report("title", place + "/text", "the title has no text") }
        if text.faces.isEmpty { report("title", place + "/faces", "the title has no font") }
        for face in text.faces { asset(face.asset, at: place) }
        let size = Int64(Limits.longestSide) * 1_000_000
        let positive = [
            ("size", text.size), ("box/width", text.box.width ?? 1), ("lineSpacing", text.lineSpacing ?? 1),
        ]
        for (name, value) in positive where !(1...size).contains(value) {
            report("title", "\(place)/\(name)", "\(value) millionths are not above 0 and at most \(size)")
        }
        for (name, value) in lengths(of: text) where !(-size...size).contains(value) {
            report("title", "\(place)/\(name)", "\(value) millionths of a pixel are not within ±\(size)")
        }
        let colors = [
            ("color", text.color), ("outline/color", text.outline?.color), ("shadow/color", text.shadow?.color),
            ("box/background/color", text.box.background?.color),
        ]
        for (name, color) in colors {
            guard let color, !color.isHexColorWithAlpha else { continue }
            report("color", "\(place)/\(name)", "“\(color)” is no colour like #rrggbbaa")
        }
    }

    private func lengths(of text: TitleText) -> [(String, Int64)] {
        let (background, shadow) = (text.box.background, text.shadow)
        let lengths: [(String, Int64?)] = [
            ("letterSpacing", text.letterSpacing), ("box/marginX", text.box.marginX), ("box/marginY", text.box.marginY),
            ("box/background/paddingX", background?.paddingX), ("box/background/paddingY", background?.paddingY),
            ("box/background/radius", background?.radius), ("outline/width", text.outline?.width),
            ("shadow/x", shadow?.x), ("shadow/y", shadow?.y), ("shadow/blur", shadow?.blur),
        ]
        return lengths.compactMap { name, value in value.map { (name, $0) } }
    }

    /// As many numbers as each property has, keys in order of time.
    private mutating func motion(_ motion: TitleMotion, at pointer: String) {
        let parts = [
            ("opacity", motion.opacity, 1), ("offset", motion.offset, 2), ("zoom", motion.zoom, 1),
            ("typed", motion.typed, 1),
        ]
        for (name, property, count) in parts {
            guard let keys = property?.keys else { continue }
            let isOrdered = zip(keys, keys.dropFirst()).allSatisfy { $0.at <= $1.at }
            if keys.isEmpty || !isOrdered || !keys.allSatisfy({ $0.value.count == count }) {
                report("title", "\(pointer)/\(name)", "\(count) numbers at times in order are expected here")
            }
        }
    }
}

extension String {
    /// `#rrggbbaa`.
    fileprivate var isHexColorWithAlpha: Bool {
        utf8.count == 9 && String(prefix(7)).isHexColor && suffix(2).allSatisfy(\.isHexDigit)
    }
}
