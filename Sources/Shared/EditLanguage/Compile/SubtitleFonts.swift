import CompositionModel
import Timing

/// Finds the faces that a subtitle file's cues are drawn with: those in the file itself, then the edit's fonts.
struct SubtitleFonts {
    let fonts: TitleFonts

    private var log: FindingLog { fonts.log }

    /// - Returns: nil after a finding, here or elsewhere.
    func place(_ written: EditSubtitles, grid: TrackGrid) -> PlacedSubtitles? {
        guard let asset = fonts.assets[written.asset.value] else { return nil }
        guard let facts = asset.facts.subtitles else {
            let has = asset.facts.words
            log.error(
                written.asset.mark,
                .noSubtitles,
                "asset \"\(written.asset.value)\" is no SubRip, WebVTT or ASS file: \(has)"
            )
            return nil
        }
        if facts.format == .ass, let mark = written.styleMark {
            let advice = "only \"family\", \"asset\" and \"language\" count for it"
            log.error(mark, .contradiction, "an ASS file brings its own styles; \(advice)")
        }
        guard let start = start(of: written, facts, grid), fonts.unusable.isEmpty,
            let candidates = fonts.candidates(for: written.font)
        else { return nil }
        let own = facts.fonts.flatMap { font in
            font.faces.map { face in
                let place = FontPlace(asset: written.asset.value, font: font.number, index: face.index)
                return FontChoice<FontPlace>.Candidate(place: place, facts: face)
            }
        }
        var placed = PlacedSubtitles(asset: written.asset.value, format: facts.format, start: start)
        for use in facts.uses {
            choose(FontDescriptor(of: written, use), among: own + candidates, use, written, &placed)
        }
        return placed
    }

    /// - Returns: nil after a finding.
    private func start(of written: EditSubtitles, _ facts: SubtitleFacts, _ grid: TrackGrid) -> RationalTime? {
        guard let mark = written.start else { return .zero }
        guard let start = grid.seconds(mark), let end = try? RationalTime(facts.end, 1000) else { return nil }
        guard start < end else {
            let message = "\(TimeWords.seconds(start)) is past the last cue, which ends at \(TimeWords.seconds(end))"
            log.error(mark.mark, .inPastEnd, message)
            return nil
        }
        return start
    }

    private func choose(
        _ descriptor: FontDescriptor,
        among candidates: [FontChoice<FontPlace>.Candidate],
        _ use: SubtitleFontUse,
        _ written: EditSubtitles,
        _ placed: inout PlacedSubtitles
    ) {
        let choice = FontChoice(descriptor, among: candidates)
        guard let first = choice.faces.first else { return missing(descriptor, use, written, candidates) }
        if !choice.missing.isEmpty {
            let message = "no font without colours has \(choice.missing.names)"
            log.error(written.asset.mark, .glyphMissing, "\(message); name the file of one that does as an asset")
        }
        placed.add(first, to: use.family)
        for face in choice.faces.dropFirst() where !placed.fallback.contains(face) { placed.fallback.append(face) }
    }

    private func missing(
        _ descriptor: FontDescriptor,
        _ use: SubtitleFontUse,
        _ written: EditSubtitles,
        _ candidates: [FontChoice<FontPlace>.Candidate]
    ) {
        guard !use.family.isEmpty else { return fonts.missingFamily(written.font) }
        let names = Set(candidates.flatMap(\.facts.families)).sorted()
        let nearest = Spelling.nearest(to: use.family, in: names).map { "; \"\($0)\" is there" } ?? ""
        let advice = "install it, name its file as an asset, or name another in \"font\""
        let message = "the subtitles ask for the font \"\(use.family)\", which is not there\(nearest): \(advice)"
        log.error(written.asset.mark, .fontMissing, message)
    }
}

/// Subtitles that have their faces.
struct PlacedSubtitles {
    /// The name in the edit.
    var asset: String
    var format: SubtitleFormat
    /// Time of the file at the title's start.
    var start: RationalTime
    var families: [(name: String, faces: [FontPlace])] = []
    var fallback: [FontPlace] = []

    var faces: [FontPlace] { families.flatMap(\.faces) + fallback }

    fileprivate mutating func add(_ face: FontPlace, to family: String) {
        guard let index = families.firstIndex(where: { $0.name == family }) else {
            return families.append((family, [face]))
        }
        if !families[index].faces.contains(face) { families[index].faces.append(face) }
    }
}

extension FontDescriptor {
    /// What `use` of the subtitles asks for, with what stands in for it.
    init(of written: EditSubtitles, _ use: SubtitleFontUse) {
        let named = written.font.families.map(\.value)
        let standard = named.isEmpty && written.font.assets.isEmpty ? FontDescriptor.standard : named
        self.init(
            families: use.family.isEmpty ? standard : [use.family] + named,
            weight: use.weight == 400 ? written.font.weight?.value ?? 400 : use.weight,
            isItalic: use.isItalic || written.font.isItalic,
            language: written.language?.value,
            text: use.text,
            isPlain: true
        )
    }

    /// What of it the fonts of a machine have to do: the rest is drawn by those in the file.
    /// - Returns: nil for nothing.
    init?(of written: EditSubtitles, machine use: SubtitleFontUse, _ facts: SubtitleFacts) {
        self.init(of: written, use)
        let faces = facts.fonts.flatMap(\.faces).filter { face in
            !face.isColor && face.families.contains { $0.lowercased() == use.family.lowercased() }
        }
        guard !faces.isEmpty else { return }
        let rest = scalars.filter { scalar in !faces.contains { $0.covers(scalar) } }
        guard !rest.isEmpty else { return nil }
        families = []
        text = ""
        text.unicodeScalars.append(contentsOf: rest)
    }
}
