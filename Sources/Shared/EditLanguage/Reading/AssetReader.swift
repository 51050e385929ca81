extension EditReading {
    /// - Parameter format: the edit's, for pictures that are generated to its size and rate.
    mutating func assets(_ node: JSONNode?, in format: EditFormat) -> [String: Marked<AssetSource>] {
        var assets: [String: Marked<AssetSource>] = [:]
        for member in map(node) {
            if let source = source(member.node, in: format) { assets[member.key] = Marked(source, member.node.mark) }
        }
        return assets
    }

    private mutating func source(_ node: JSONNode, in format: EditFormat) -> AssetSource? {
        guard case .object(let members) = node.value else {
            return text(node).flatMap { source($0, frameRate: nil, in: format) }
        }
        if let kind = members.first(where: { $0.key == "generate" }) {
            if case .string(let name) = kind.node.value, EditReading.soundNames.contains(name) {
                return generatedSound(node, in: format)
            }
            return generated(node, in: format).map(AssetSource.generated)
        }
        if members.contains(where: { $0.key == "edit" }) { return nestedEdit(node) }
        // Asked for by a later key, the missing "src" would be a second finding for one mistake.
        if let later = members.first(where: { EditObject.source.laterKeys.contains($0.key) }) {
            unsupported(later.keyMark, "an asset with \"\(later.key)\"")
            return nil
        }
        guard let fields = fields(node, as: .source), let text = text(fields["src"]) else { return nil }
        if let node = fields["raw"] { return raw(text, raw(node), frameRate: fields["frameRate"]) }
        return source(text, frameRate: frameRate(fields["frameRate"]), in: format)
    }

    private mutating func raw(_ text: Marked<String>, _ format: RawFormat?, frameRate: JSONNode?) -> AssetSource? {
        if let frameRate {
            let message = "the rate of a raw file stands in its \"raw\""
            report(.contradiction, frameRate.mark, message)
        }
        guard case .path(let path) = source(text), let format else {
            if format != nil { report(.contradiction, text.mark, "a raw file is named by its path") }
            return nil
        }
        return .raw(path, format)
    }

    private mutating func nestedEdit(_ node: JSONNode) -> AssetSource? {
        guard let fields = fields(node, as: .nestedEdit), let path = text(fields["edit"]) else { return nil }
        guard !path.value.contains("://"), !path.value.hasPrefix("sha256:"), !path.value.isEmpty else {
            report(.unknownValue, path.mark, "an edit as an asset is named by the path of its file")
            return nil
        }
        var parameters: [String: String] = [:]
        for member in map(fields["params"]) {
            switch member.node.value {
            case .string(let value), .number(let value): parameters[member.key] = value
            default: wrongType(member.node, wanted: "a string or a number")
            }
        }
        return .edit(path.value, parameters: parameters)
    }

    private mutating func source(
        _ text: Marked<String>,
        frameRate: Marked<FrameRate>?,
        in format: EditFormat
    ) -> AssetSource? {
        let source = source(text)
        guard case .path(let path) = source, path.split(separator: "/").last?.contains(/%(0[1-9])?d/) == true else {
            if let frameRate {
                let message = "\"frameRate\" belongs to numbered pictures such as \"frame_%04d.png\""
                report(.contradiction, frameRate.mark, message)
            }
            return source
        }
        guard let rate = frameRate?.value ?? format.frameRate?.value ?? (try? FrameRate(25)) else { return nil }
        return .sequence(path, rate)
    }

    private mutating func source(_ text: Marked<String>) -> AssetSource? {
        if text.value.hasPrefix("sha256:") {
            guard let digest = ContentDigest(text: text.value) else {
                report(
                    .unknownValue,
                    text.mark,
                    "“\(text.value.prefix(80))” is no sha256: and 64 lower-case hex digits"
                )
                return nil
            }
            return .digest(digest)
        }
        return text.value.contains("://") ? .url(text.value) : .path(text.value)
    }

    /// Names that segments use and nobody declared, and the other way round.
    mutating func checkUses(of assets: [String: Marked<AssetSource>], declared names: Set<String>) {
        for use in usedAssets where !names.contains(use.value) {
            let suggestion = Spelling.nearest(to: use.value, in: names.sorted())
            let message = "there is no asset “\(use.value)” in assets"
            report(.unknownAsset, use.mark, message, suggestion: suggestion.map(JSONText.quoted))
        }
        // A segment that could not be read may well have used it.
        if hasErrors { return }
        let used = Set(usedAssets.map(\.value))
        for (name, source) in assets where !used.contains(name) {
            report(.unusedAsset, source.mark, "no segment uses the asset “\(name)”", severity: .warning)
        }
    }
}
