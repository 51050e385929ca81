import Timing

extension CompositionCheck {
    /// Checks that titles are in order, do not overlap, use fonts that exist, and have numbers that can be drawn.
    mutating func titleTrackSegments() {
        for (track, titleTrack) in (composition.titleTracks ?? []).enumerated() {
            var end: Int64 = 0
            for (index, segment) in titleTrack.segments.enumerated() {
                var pointer: String { "/titleTracks/\(track)/segments/\(index)" }
                for (number, layer) in segment.layers.enumerated() {
                    titleLayer(layer, at: "\(pointer)/layers/\(number)")
                }
                guard isSound(segment.target, at: pointer + "/target") else { continue }
                if segment.target.start < end {
                    let place = "frame \(segment.target.start), before the one before it ends at \(end)"
                    report(.segmentsOverlap, pointer + "/target", "the title begins at \(place)")
                }
                end = max(end, segment.target.end)
            }
        }
    }

    private mutating func titleLayer(_ layer: TitleLayer, at pointer: @autoclosure () -> String) {
        if let appearance = layer.appearance { self.appearance(appearance, at: pointer() + "/appearance") }
        if let motion = layer.motion { self.motion(motion, at: pointer() + "/motion") }
        if let timing = layer.timing { self.timing(timing, at: pointer() + "/timing") }
        let kinds = [
            layer.text != nil, layer.shape != nil, layer.image != nil, layer.subtitles != nil, layer.group != nil,
        ]
        if layer.detail != nil { report(.title, pointer() + "/detail", "only a task says how sharp a layer is drawn") }
        if kinds.count(where: \.self) != 1 {
            report(.title, pointer(), "a layer is exactly one of text, shape, image, subtitles and group")
        }
        if let text = layer.text { self.text(text, blur: layer.appearance?.blurReach ?? 0, at: pointer() + "/text") }
        if let shape = layer.shape {
            sides(shape.width, shape.height, at: pointer() + "/shape")
            color(shape.color, at: pointer() + "/shape/color")
            if let problem = shape.sizeProblem { report(.shapeTooLarge, pointer() + "/shape", problem) }
        }
        if let image = layer.image {
            asset(image.asset, at: pointer() + "/image")
            sides(image.width, image.height, at: pointer() + "/image")
        }
        if let subtitles = layer.subtitles { self.subtitles(subtitles, at: pointer() + "/subtitles") }
        for (index, child) in (layer.group ?? []).enumerated() { titleLayer(child, at: "\(pointer())/group/\(index)") }
    }

    private mutating func subtitles(_ subtitles: TitleSubtitles, at pointer: @autoclosure () -> String) {
        asset(subtitles.asset, at: pointer())
        for face in subtitles.faces { asset(face.asset, at: pointer()) }
        if subtitles.start < .zero { report(.title, pointer() + "/start", "the time is before the file's beginning") }
        guard let style = subtitles.style else { return }
        let size = Int64(Limits.longestSide) * 1_000_000
        let lengths = [
            ("size", style.size), ("outline/width", style.outline.width), ("marginLeft", style.marginLeft),
            ("marginRight", style.marginRight), ("marginVertical", style.marginVertical),
            ("background/paddingX", style.background?.paddingX ?? 0),
            ("background/paddingY", style.background?.paddingY ?? 0),
        ]
        for (name, value) in lengths where !(0...size).contains(value) {
            report(.title, "\(pointer())/style/\(name)", "\(value) millionths of a pixel are not within 0 to \(size)")
        }
        for color in [style.color, style.outline.color, style.background?.color].compactMap(\.self) {
            self.color(color, at: pointer() + "/style")
        }
        if !(1...1000).contains(style.weight) { report(.title, pointer() + "/style/weight", "no weight of 1 to 1000") }
        if subtitles.families.isEmpty { report(.title, pointer() + "/families", "the subtitles have no font") }
    }

    private mutating func sides(_ width: Int64, _ height: Int64, at pointer: @autoclosure () -> String) {
        let sizes = 0...Int64(Limits.longestSide) * 1_000_000
        guard !sizes.contains(width) || !sizes.contains(height) else { return }
        report(.title, pointer(), "\(width) × \(height) millionths of a pixel are no size up to \(sizes.upperBound)")
    }

    private mutating func color(_ color: String, at pointer: @autoclosure () -> String) {
        if !color.isHexColorWithAlpha { report(.color, pointer(), "“\(color)” is no colour like #rrggbbaa") }
    }

    /// Checks that times are at most some hundred hours and speeds are those of the edit language: exact times hold far
    /// more.
    private mutating func timing(_ timing: LayerTiming, at pointer: @autoclosure () -> String) {
        let hours = RationalTime(whole: Limits.longestSeconds)
        // A total may be a million runs, there and back.
        let most = 2_000_000 * Limits.longestSeconds
        let runs = RationalTime(whole: most)
        let ranges = [
            ("begin", timing.begin, RationalTime(whole: -most)...hours),
            ("speed", timing.speed, Limits.speeds),
            ("duration", timing.duration ?? hours, .zero...hours),
            ("total", timing.total ?? hours, .zero...runs),
        ]
        for (name, value, range) in ranges where !range.contains(value) {
            let numbers = "from \(range.lowerBound) to \(range.upperBound)"
            report(.title, "\(pointer())/\(name)", "\(name) is \(numbers), not \(value)")
        }
        let positive = [timing.speed, timing.duration, timing.total].compactMap(\.self)
        if positive.contains(where: { $0 <= .zero }) {
            report(.title, pointer(), "speed, duration and total are above 0")
        }
    }

    /// - Parameter blur: The pixels that the layer's effects need on each side.
    private mutating func text(_ text: TitleText, blur: Double, at place: String) {
        if text.text.isEmpty { report(.title, place + "/text", "the title has no text") }
        if let scalar = TitleText.forbidden(in: text.text) {
            report(.title, place + "/text", "the text has the control character \(scalar.codePoint)")
        }
        if text.faces.isEmpty { report(.title, place + "/faces", "the title has no font") }
        for face in text.faces { asset(face.asset, at: place) }
        let size = Int64(Limits.longestSide) * 1_000_000
        let positive = [
            ("size", text.size), ("box/width", text.box.width ?? 1), ("lineSpacing", text.lineSpacing ?? 1),
        ]
        var isInRange = true
        for (name, value) in positive where !(1...size).contains(value) {
            report(.title, "\(place)/\(name)", "\(value) millionths are not above 0 and at most \(size)")
            isInRange = false
        }
        for (name, value) in lengths(of: text) where !(-size...size).contains(value) {
            report(.title, "\(place)/\(name)", "\(value) millionths of a pixel are not within ±\(size)")
            isInRange = false
        }
        if isInRange, let problem = text.sizeProblem(blur: blur) { report(.textTooLarge, place, problem) }
        let colors = [
            ("color", text.color), ("outline/color", text.outline?.color), ("shadow/color", text.shadow?.color),
            ("box/background/color", text.box.background?.color),
        ]
        for (name, color) in colors {
            if let color { self.color(color, at: "\(place)/\(name)") }
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

    /// Checks the keys of a motion like those of an appearance's properties.
    private mutating func motion(_ motion: TitleMotion, at pointer: @autoclosure () -> String) {
        let part = PropertyForm(count: 1, range: 0...1, unit: .part)
        let parts = [
            ("opacity", motion.opacity, part), ("offset", motion.offset, PictureProperty.position.form),
            ("zoom", motion.zoom, PropertyForm(count: 1, range: 0...1000, unit: .factor)),
            ("typed", motion.typed, part),
        ]
        for (name, property, form) in parts {
            guard let property else { continue }
            keys(property.keys, name, form, at: "\(pointer())/\(name)/keys")
        }
    }
}

extension String {
    /// Whether the text is `#rrggbbaa`.
    fileprivate var isHexColorWithAlpha: Bool {
        utf8.count == 9 && String(prefix(7)).isHexColor && suffix(2).allSatisfy(\.isHexDigit)
    }
}

extension Unicode.Scalar {
    /// The code point as people write it: `U+0007`.
    package var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
