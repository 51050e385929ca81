import CompositionModel
import Timing

/// Finds the faces of titles among the edit's font assets.
struct TitleFonts {
    let assets: [String: CompilerAsset]
    /// Names of assets of which nothing can be known.
    let unusable: Set<String>
    let log: FindingLog

    /// - Returns: none after a finding, or while a font asset is unusable.
    func faces(of text: EditTitleText) -> [FontPlace] {
        guard let candidates = candidates(for: text.font), unusable.isEmpty else { return [] }
        let choice = FontChoice(FontDescriptor(text), among: candidates)
        guard !choice.faces.isEmpty else {
            missingFamily(text.font)
            return []
        }
        if !choice.missing.isEmpty {
            let message = "no font has \(choice.missing.names); name the file of one that does as an asset"
            log.error(text.text.mark, .glyphMissing, message)
        }
        return choice.faces
    }

    /// Faces of the fonts that are named, in their order; else those of all fonts of the edit, by name.
    /// - Returns: nil after a finding, here or elsewhere.
    func candidates(for font: EditFont) -> [FontChoice<FontPlace>.Candidate]? {
        guard !font.assets.isEmpty else { return assets.keys.sorted().flatMap(faces) }
        for asset in font.assets {
            guard let facts = assets[asset.value]?.facts else { return nil }
            guard facts.fonts == nil else { continue }
            log.error(asset.mark, .noFont, "asset \"\(asset.value)\" is no font: \(facts.words)")
            return nil
        }
        return font.assets.map(\.value).flatMap(faces)
    }

    private func faces(of asset: String) -> [FontChoice<FontPlace>.Candidate] {
        (assets[asset]?.facts.fonts ?? []).map { facts in
            FontChoice<FontPlace>.Candidate(place: FontPlace(asset: asset, index: facts.index), facts: facts)
        }
    }

    func missingFamily(_ font: EditFont) {
        guard let family = font.families.first else {
            log.error(font.mark, .fontMissing, "there is no font at all; install one, or name one as an asset")
            return
        }
        let names = Set(assets.values.flatMap { $0.facts.fonts ?? [] }.flatMap(\.families)).sorted()
        let suggestion = Spelling.nearest(to: family.value, in: names)
        let message = "there is no font \"\(family.value)\"; install it, or name its file as an asset"
        log.error(family.mark, .fontMissing, message, suggestion: suggestion.map(JSONText.quoted))
    }
}

extension FontDescriptor {
    /// Families that are looked for when a title names none.
    static let standard = ["Noto Sans", "DejaVu Sans", "Liberation Sans"]

    init(_ text: EditTitleText) {
        let names = text.font.families.map(\.value)
        self.init(
            families: names.isEmpty && text.font.assets.isEmpty ? FontDescriptor.standard : names,
            weight: text.font.weight?.value ?? 400,
            isItalic: text.font.isItalic,
            language: text.language?.value,
            text: text.text.value
        )
    }
}
