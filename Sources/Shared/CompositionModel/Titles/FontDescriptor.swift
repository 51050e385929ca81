/// The font that a text asks for, and the characters that it draws.
package struct FontDescriptor: Sendable, Hashable, Codable {
    /// The names of families, of which the first one available is taken; empty means any family.
    package var families: [String]
    /// The weight, 100…900 (CSS Fonts 4): 400 is regular, 700 bold.
    package var weight: Int
    package var isItalic: Bool
    /// The language of the text in BCP 47, which decides between faces that draw one character differently; nil means
    /// unknown.
    package var language: String?
    /// The characters to be drawn, in any order.
    package var text: String
    /// Whether colour fonts are excluded because the subtitle renderer cannot draw them; nil means no.
    package var isPlain: Bool?

    package init(
        families: [String],
        weight: Int,
        isItalic: Bool,
        language: String?,
        text: String,
        isPlain: Bool? = nil
    ) {
        self.families = families
        self.weight = weight
        self.isItalic = isItalic
        self.language = language
        self.text = text
        self.isPlain = isPlain
    }

    /// The characters that must have a glyph, each once: all except spaces, line ends, joiners, direction marks, and
    /// the selectors between text and emoji.
    package var scalars: [Unicode.Scalar] {
        var seen: Set<Unicode.Scalar> = []
        return text.unicodeScalars.filter { scalar in
            let properties = scalar.properties
            let isSilent = properties.isDefaultIgnorableCodePoint || properties.isWhitespace
            let isControl = [.control, .format, .surrogate].contains(properties.generalCategory)
            return !isSilent && !isControl && !(0xFE00...0xFE0F).contains(scalar.value) && seen.insert(scalar).inserted
        }
    }

    /// The same font for any text.
    package var withoutText: FontDescriptor {
        var descriptor = self
        descriptor.text = ""
        return descriptor
    }

    /// Whether the face asked for draws all characters by itself, so that ``FontChoice`` takes no other.
    package func isDrawn(by face: FontFaceFacts) -> Bool { scalars.allSatisfy { face.draws($0) } }
}

extension FontFaceFacts {
    /// Whether the face may draw the character: characters that are emoji by default are drawn in colours, others are
    /// not.
    fileprivate func draws(_ scalar: Unicode.Scalar) -> Bool {
        // Flags are made of regional indicators.
        let isRegional = (0x1F1E6...0x1F1FF).contains(scalar.value)
        return isColor == (scalar.properties.isEmojiPresentation || isRegional) && covers(scalar)
    }
}

/// The faces that draw what a ``FontDescriptor`` asks for.
///
/// The choice is a pure function: the same descriptor and the same faces give the same choice on every machine.
package struct FontChoice<Place: Sendable & Hashable>: Sendable, Hashable {
    /// A face that may be chosen, and its place.
    package struct Candidate: Sendable {
        package var place: Place
        package var facts: FontFaceFacts

        package init(place: Place, facts: FontFaceFacts) {
            self.place = place
            self.facts = facts
        }
    }

    /// The faces in the order in which a character looks for its glyph: the face asked for, then fallbacks. Empty when
    /// no family was found.
    package var faces: [Place]
    /// The facts of the first of ``faces``, which does not depend on the characters; nil when no family was found.
    package var face: FontFaceFacts?
    /// The characters that no candidate has.
    package var missing: [Unicode.Scalar]

    /// - Parameter candidates: The faces that may be chosen; of two that fit equally well, the earlier one is taken.
    package init(_ descriptor: FontDescriptor, among candidates: [Candidate]) {
        (faces, face, missing) = ([], nil, [])
        // The subtitle renderer cannot draw named instances of variable fonts either.
        let candidates = candidates.filter {
            descriptor.isPlain != true || !$0.facts.isColor && $0.facts.index >> 16 == 0
        }
        guard let first = FontChoice.face(descriptor, among: candidates) else { return }
        (faces, face) = ([first.place], first.facts)
        var rest = descriptor.scalars.filter { !first.facts.draws($0) }
        var unserved: [Unicode.Scalar] = []
        while let scalar = rest.first {
            let able = candidates.filter { $0.facts.draws(scalar) }
            let ranked = able.map { (candidate: $0, rank: FontChoice.rank($0.facts, rest, descriptor, first.facts)) }
            guard let best = ranked.max(by: { $0.rank < $1.rank }) else {
                unserved.append(rest.removeFirst())
                continue
            }
            faces.append(best.candidate.place)
            rest.removeAll { best.candidate.facts.draws($0) }
        }
        // An emoji that only a face without colours has is drawn with that face.
        for scalar in unserved {
            if let other = candidates.first(where: { $0.facts.covers(scalar) })?.place {
                if !faces.contains(other) { faces.append(other) }
            } else {
                missing.append(scalar)
            }
        }
    }

    /// The face whose weight and slope are nearest, in the first family that is available.
    private static func face(_ descriptor: FontDescriptor, among candidates: [Candidate]) -> Candidate? {
        let upright = candidates.filter { !$0.facts.isColor }
        guard !descriptor.families.isEmpty else { return best(descriptor, upright) ?? best(descriptor, candidates) }
        for family in descriptor.families {
            let name = family.lowercased()
            let members = candidates.filter { $0.facts.families.contains { $0.lowercased() == name } }
            if let best = best(descriptor, members) { return best }
        }
        return nil
    }

    private static func best(_ descriptor: FontDescriptor, _ members: [Candidate]) -> Candidate? {
        members.enumerated().min { first, second in
            let (one, other) = (distance(first.element.facts, descriptor), distance(second.element.facts, descriptor))
            return one == other ? first.offset < second.offset : one < other
        }?.element
    }

    /// The distance of a face from what was asked for. A wrong slope counts more than any weight, and a wrong width
    /// more than that. Of two weights equally far away, the one on the descriptor's side of 450 is nearer (CSS Fonts 4,
    /// §5.2).
    private static func distance(_ face: FontFaceFacts, _ descriptor: FontDescriptor) -> Int {
        let side = (face.weight > descriptor.weight) == (descriptor.weight > 450) ? 0 : 1
        let weight = 2 * abs(face.weight - descriptor.weight) + side
        return abs(face.width - 100) * 100_000 + (face.isItalic == descriptor.isItalic ? 0 : 10_000) + weight
    }

    private struct Rank: Comparable {
        var isOfLanguage: Bool
        var commonWords: Int
        var count: Int
        var distance: Int

        static func < (first: Rank, second: Rank) -> Bool {
            if first.isOfLanguage != second.isOfLanguage { return second.isOfLanguage }
            if first.commonWords != second.commonWords { return first.commonWords < second.commonWords }
            if first.count != second.count { return first.count < second.count }
            return first.distance > second.distance
        }
    }

    /// The rank of a face as a fallback: first by the language in its name, then by the words that its family's name
    /// shares with the first face's, then by how many of the remaining characters it draws.
    private static func rank(
        _ face: FontFaceFacts,
        _ rest: [Unicode.Scalar],
        _ descriptor: FontDescriptor,
        _ first: FontFaceFacts
    ) -> Rank {
        let own = face.families.first ?? ""
        let isAlien = face.isMonospaced != first.isMonospaced || face.isItalic != first.isItalic
        return Rank(
            isOfLanguage: FontChoice.suffix(of: descriptor.language).map { own.hasSuffix($0) } ?? false,
            commonWords: FontChoice.commonWords(own, first.families.first ?? ""),
            count: rest.count { face.draws($0) },
            distance: distance(face, descriptor) + (isAlien ? 100_000_000 : 0)
        )
    }

    private static func commonWords(_ one: String, _ other: String) -> Int {
        zip(one.split(separator: " "), other.split(separator: " ")).prefix { $0 == $1 }.count
    }

    /// The ending of names of ideographic families that are drawn for `language`.
    private static func suffix(of language: String?) -> String? {
        guard let language = language?.lowercased() else { return nil }
        if language.hasPrefix("ja") { return " JP" }
        if language.hasPrefix("ko") { return " KR" }
        guard language.hasPrefix("zh") else { return nil }
        if language.contains("hk") || language.contains("mo") { return " HK" }
        return language.contains("hant") || language.contains("tw") ? " TC" : " SC"
    }
}
