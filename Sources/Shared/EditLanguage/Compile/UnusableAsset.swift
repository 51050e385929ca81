package import CompositionModel

/// An asset of which nothing is known, although it was looked for.
package struct UnusableAsset: Sendable, Hashable {
    /// Why nothing is known.
    package enum Reason: Sendable, Hashable {
        /// There is no such file, or nobody said where it is.
        case missing
        /// There is one, and it is no media that can be read.
        case unreadable
        /// Its source is of a kind that this version does not take in.
        case unsupported
    }

    /// Why nothing is known of it.
    package var reason: Reason
    /// What is wrong with it, as a sentence.
    package var message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    fileprivate func finding(_ name: String, at mark: SourceMark) -> Finding {
        let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
        return mark.finding(rule: reason.rule, "asset \"\(name)\": \(sentence)")
    }
}

extension UnusableAsset.Reason {
    fileprivate var rule: FindingRule {
        switch self {
        case .missing: .assetMissing
        case .unreadable: .assetUnreadable
        case .unsupported: .unsupported
        }
    }
}

extension EditDocument {
    /// One finding for each of `unusable`, where the document names the asset, in the order of the names.
    package func findings(of unusable: [String: UnusableAsset]) -> [Finding] {
        switch self {
        case .edit(let edit):
            unusable.sorted { $0.key < $1.key }.map { name, asset in
                asset.finding(name, at: edit.assets[name]?.mark ?? .nowhere)
            }
        case .composition(let composition):
            composition.assets.enumerated().compactMap { index, asset in
                let mark = SourceMark(pointer: "/assets/\(index)", line: 0, column: 0)
                return unusable[asset.name]?.finding(asset.name, at: mark)
            }
        }
    }
}

/// The findings of an edit that hold whatever its unusable assets are.
struct AssetIndependentFindings {
    /// The rules of findings about a format that is taken from an asset.
    private static let ofFormat = [FindingRule.impliedFormat, .size, .frameRate, .sampleRate, .unsupported]
    private static let withoutRate = [
        FindingRule.assetMissing, .assetUnreadable, .noPicture, .noSound, .unknownSourceTrack, .unknownLanguage,
        .unknownPreset, .tooMany,
    ]

    /// The asset that the format is taken from may be an unusable one.
    let isFormatUnknown: Bool
    let isRateWritten: Bool

    func contains(_ finding: Finding) -> Bool {
        guard isFormatUnknown else { return true }
        guard isRateWritten else { return Self.withoutRate.contains(where: finding.breaks) }
        return !Self.ofFormat.contains(where: finding.breaks)
    }
}
