extension Edit {
    /// What the titles ask of the fonts of a machine: all that name no font asset. Equal wishes are one, marked where
    /// the family is written or, without one, at the title's text or at the subtitles.
    /// - Parameter subtitles: what is known of subtitle files, by the names of the assets.
    public func fontWishes(subtitles: [String: SubtitleFacts] = [:]) -> [Marked<FontWish>] {
        var wishes: [Marked<FontWish>] = []
        var known: Set<FontWish> = []
        for text in titleTexts where text.font.assets.isEmpty {
            let wish = FontWish(text)
            guard known.insert(wish).inserted else { continue }
            wishes.append(Marked(wish, text.font.families.first?.mark ?? text.text.mark))
        }
        for written in self.subtitles where written.font.assets.isEmpty {
            guard let facts = subtitles[written.asset.value] else { continue }
            for wish in facts.uses.compactMap({ FontWish(of: written, machine: $0, facts) })
            where known.insert(wish).inserted {
                wishes.append(Marked(wish, written.font.families.first?.mark ?? written.asset.mark))
            }
        }
        return wishes
    }

    /// All subtitles, in the order of the tracks.
    public var subtitles: [EditSubtitles] {
        tracks.flatMap(\.titles).compactMap { item in
            guard case .title(let title) = item, case .subtitles(let subtitles) = title.content else { return nil }
            return subtitles
        }
    }

    private var titleTexts: [EditTitleText] {
        tracks.flatMap(\.titles).flatMap { item -> [EditTitleText] in
            if case .title(let title) = item { title.texts } else { [] }
        }
    }
}

extension EditTitle {
    /// All its texts, from the bottom up.
    var texts: [EditTitleText] {
        switch content {
        case .text(let text): [text]
        case .layers(let layers): layers.flatMap(\.texts)
        case .subtitles: []
        }
    }

    /// All its pictures, from the bottom up.
    var images: [EditTitleImage] {
        if case .layers(let layers) = content { layers.flatMap(\.images) } else { [] }
    }

    /// Its own and those of all its layers.
    var appearances: [EditAppearance] {
        if case .layers(let layers) = content { [appearance] + layers.flatMap(\.appearances) } else { [appearance] }
    }
}

extension EditTitleLayer {
    var texts: [EditTitleText] {
        switch content {
        case .text(let text): [text]
        case .group(let layers): layers.flatMap(\.texts)
        case .shape, .image: []
        }
    }

    var images: [EditTitleImage] {
        switch content {
        case .image(let image): [image]
        case .group(let layers): layers.flatMap(\.images)
        case .shape, .text: []
        }
    }

    var appearances: [EditAppearance] {
        if case .group(let layers) = content { [appearance] + layers.flatMap(\.appearances) } else { [appearance] }
    }
}

extension FontAnswer {
    /// What of `wish` this machine cannot do.
    public func findings(for wish: Marked<FontWish>) -> [Finding] {
        if paths.isEmpty {
            let family = wish.value.families.first ?? ""
            let message = "there is no font \"\(family)\" on this machine; install it, or name its file as an asset"
            let suggestion = nearest.map(JSONText.quoted)
            return [wish.mark.finding(rule: .fontMissing, message, suggestion: suggestion)]
        }
        guard !missing.isEmpty else { return [] }
        let list = Array(missing.unicodeScalars).names
        let message = "no font of this machine has \(list); install one that does, or name its file as an asset"
        return [wish.mark.finding(rule: .glyphMissing, message)]
    }
}

extension [Unicode.Scalar] {
    /// `“漢” (U+6F22), …`: the first of them.
    var names: String {
        prefix(20).map { scalar in
            let number = String(scalar.value, radix: 16, uppercase: true)
            return "“\(scalar)” (U+\(String(repeating: "0", count: Swift.max(0, 4 - number.count)))\(number))"
        }.joined(separator: ", ")
    }
}
