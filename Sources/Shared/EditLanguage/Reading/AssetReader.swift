import CompositionModel
import Timing

/// Reads `assets`: where the bytes of each come from, or what is generated in their place.
struct AssetReader {
    let context: ReadingContext

    /// - Parameter format: what the edit says of its format, for pictures that are generated to its size and rate.
    func read(_ node: JSONNode?, in format: EditFormat) -> [String: Marked<AssetSource>] {
        var assets: [String: Marked<AssetSource>] = [:]
        for member in context.map(node) {
            if let source = source(member.node, in: format) { assets[member.key] = Marked(source, member.node.mark) }
        }
        return assets
    }

    private func source(_ node: JSONNode, in format: EditFormat) -> AssetSource? {
        guard case .object(let members) = node.value else {
            return context.text(node).flatMap { source($0, frameRate: nil, in: format) }
        }
        if let kind = members.first(where: { $0.key == "generate" }) {
            if case .string(let name) = kind.node.value, EditObject.generatedSoundNames.contains(name) {
                return GeneratedSoundReader(context: context).read(node, in: format)
            }
            return GeneratedPictureReader(context: context).read(node, in: format).map(AssetSource.generated)
        }
        if members.contains(where: { $0.key == "edit" }) { return nestedEdit(node) }
        // Asked for by a later key, the missing "src" would be a second finding for one mistake.
        if let later = members.first(where: { EditObject.source.laterKeys.contains($0.key) }) {
            context.unsupported(later.keyMark, "an asset with \"\(later.key)\"")
            return nil
        }
        guard let fields = context.fields(node, as: .source), let text = context.text(fields["src"]) else { return nil }
        if let node = fields["raw"] {
            return raw(text, RawFormatReader(context: context).read(node), frameRate: fields["frameRate"])
        }
        let found = source(text, frameRate: FrameRateReader(context: context).read(fields["frameRate"]), in: format)
        return pinned(found, text, fields)
    }

    /// The source with what must hold of a file elsewhere.
    private func pinned(
        _ source: AssetSource?,
        _ text: Marked<String>,
        _ fields: EditFields
    ) -> AssetSource? {
        guard case .url(var remote) = source else {
            for key in ["digest", "etag", "version"] where source != nil {
                guard let node = fields[key] else { continue }
                context.report(.contradiction, node.mark, "\"\(key)\" belongs to a file that is named by its address")
            }
            return source
        }
        if let digest = context.text(fields["digest"]) {
            guard case .digest(let value) = self.source(digest) else { return nil }
            remote.digest = value
        }
        if let tag = context.text(fields["etag"])?.value {
            remote.entityTag = tag.hasPrefix("\"") ? tag : "\"\(tag)\""
        }
        remote.version = context.text(fields["version"])?.value
        return .url(remote)
    }

    private func raw(_ text: Marked<String>, _ format: RawFormat?, frameRate: JSONNode?) -> AssetSource? {
        if let frameRate {
            let message = "the rate of a raw file stands in its \"raw\""
            context.report(.contradiction, frameRate.mark, message)
        }
        guard case .path(let path) = source(text), let format else {
            if format != nil { context.report(.contradiction, text.mark, "a raw file is named by its path") }
            return nil
        }
        return .raw(path, format)
    }

    private func nestedEdit(_ node: JSONNode) -> AssetSource? {
        guard let fields = context.fields(node, as: .nestedEdit), let path = context.text(fields["edit"]) else {
            return nil
        }
        guard !path.value.contains("://"), !path.value.hasPrefix("sha256:"), !path.value.isEmpty else {
            context.report(.unknownValue, path.mark, "an edit as an asset is named by the path of its file")
            return nil
        }
        var parameters: [String: String] = [:]
        for member in context.map(fields["params"]) {
            switch member.node.value {
            case .string(let value), .number(let value): parameters[member.key] = value
            default: context.wrongType(member.node, wanted: "a string or a number")
            }
        }
        return .edit(path.value, parameters: parameters)
    }

    private func source(
        _ text: Marked<String>,
        frameRate: Marked<FrameRate>?,
        in format: EditFormat
    ) -> AssetSource? {
        let source = source(text)
        // Making the expression takes longer than reading a short edit.
        guard case .path(let path) = source, path.contains("%"),
            path.split(separator: "/").last?.contains(/%(0[1-9])?d/) == true
        else {
            if let frameRate {
                let message = "\"frameRate\" belongs to numbered pictures such as \"frame_%04d.png\""
                context.report(.contradiction, frameRate.mark, message)
            }
            return source
        }
        guard let rate = frameRate?.value ?? format.frameRate?.value ?? (try? FrameRate(25)) else { return nil }
        return .sequence(path, rate)
    }

    private func source(_ text: Marked<String>) -> AssetSource? {
        if text.value.hasPrefix("sha256:") {
            guard let digest = ContentDigest(text: text.value) else {
                context.report(
                    .unknownValue,
                    text.mark,
                    "“\(text.value.prefix(80))” is no sha256: and 64 lower-case hex digits"
                )
                return nil
            }
            return .digest(digest)
        }
        return text.value.contains("://") ? .url(RemoteSource(text.value)) : .path(text.value)
    }

    /// Finds the names that something uses and nobody declared, and warns of assets that nothing uses.
    /// - Parameter names: the keys of `assets`, also of those that could not be read.
    func checkUses(of assets: [String: Marked<AssetSource>], declared names: Set<String>) {
        let known = names.sorted()
        for use in context.usedAssets where !names.contains(use.value) {
            let suggestion = Spelling.nearest(to: use.value, in: known)
            let message = "there is no asset “\(use.value)” in assets"
            context.report(.unknownAsset, use.mark, message, suggestion: suggestion.map(JSONText.quoted))
        }
        // A segment that could not be read may well have used it.
        if context.hasErrors { return }
        let used = Set(context.usedAssets.map(\.value))
        for (name, source) in assets where !used.contains(name) {
            context.report(.unusedAsset, source.mark, "no segment uses the asset “\(name)”", severity: .warning)
        }
    }
}
