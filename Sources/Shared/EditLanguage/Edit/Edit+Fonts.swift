package import CompositionModel

extension Edit {
    /// The fonts that the titles ask of a machine: those of all texts and subtitles that name no font asset. Equal
    /// descriptors are one, marked where the family is written or, without one, at the title's text or at the subtitles.
    /// - Parameter subtitles: what is known of subtitle files, by the names of the assets.
    package func fontDescriptors(subtitles: [String: SubtitleFacts] = [:]) -> [Marked<FontDescriptor>] {
        var descriptors: [Marked<FontDescriptor>] = []
        var known: Set<FontDescriptor> = []
        for text in titleTexts where text.font.assets.isEmpty {
            let descriptor = FontDescriptor(text)
            guard known.insert(descriptor).inserted else { continue }
            descriptors.append(Marked(descriptor, text.font.families.first?.mark ?? text.text.mark))
        }
        for written in self.subtitles where written.font.assets.isEmpty {
            guard let facts = subtitles[written.asset.value] else { continue }
            for descriptor in facts.uses.compactMap({ FontDescriptor(of: written, machine: $0, facts) })
            where known.insert(descriptor).inserted {
                descriptors.append(Marked(descriptor, written.font.families.first?.mark ?? written.asset.mark))
            }
        }
        return descriptors
    }

    /// The subtitles in the order of the tracks.
    package var subtitles: [EditSubtitles] {
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
    /// The texts of the title from the bottom up.
    var texts: [EditTitleText] {
        switch content {
        case .text(let text): [text]
        case .layers(let layers): layers.flatMap(\.texts)
        case .subtitles: []
        }
    }

    /// The pictures of the title from the bottom up.
    var images: [EditTitleImage] {
        if case .layers(let layers) = content { layers.flatMap(\.images) } else { [] }
    }

    /// The appearance of the title and those of all its layers.
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
    /// Findings for what of `descriptor` this machine cannot do.
    package func findings(for descriptor: Marked<FontDescriptor>) -> [Finding] {
        if paths.isEmpty {
            let family = descriptor.value.families.first ?? ""
            let message = "there is no font \"\(family)\" on this machine; install it, or name its file as an asset"
            let suggestion = nearest.map(JSONText.quoted)
            return [descriptor.mark.finding(rule: .fontMissing, message, suggestion: suggestion)]
        }
        guard !missing.isEmpty else { return [] }
        let list = Array(missing.unicodeScalars).names
        let message = "no font of this machine has \(list); install one that does, or name its file as an asset"
        return [descriptor.mark.finding(rule: .glyphMissing, message)]
    }
}

extension [Unicode.Scalar] {
    /// The names of the first twenty: `“漢” (U+6F22), …`.
    var names: String {
        prefix(20).map { scalar in
            let number = String(scalar.value, radix: 16, uppercase: true)
            return "“\(scalar)” (U+\(String(repeating: "0", count: Swift.max(0, 4 - number.count)))\(number))"
        }.joined(separator: ", ")
    }
}
