import CompositionModel
package import Foundation
import Storage
import WireProtocol

// `identities/` is the artifact store's, `records/<hex>.json` an AssetRecord, `indexes/<hex>` hard links of frame indexes.
// Every file appears whole under its name. What is missing or wrong is found out again.

/// What farms without a database have in common about sources on this machine: which files were hashed and what a probe
/// found in them, so that the next run of `cutfarm render` reads neither again.
package struct SourceMemory: Sendable {
    /// The folder of the digests of files by identity, for ``ArtifactStore/init(root:identities:now:)``.
    package var identities: String { root + "/identities" }
    private let root: String

    /// Opens the memory, and makes its folders when they are missing.
    /// - Throws: The error of the file system when they cannot be made.
    package init(root: String) throws {
        self.root = root
        for folder in [root + "/identities", root + "/records", root + "/indexes"] {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
    }

    private func record(_ digest: ContentDigest) -> String { "\(root)/records/\(digest.hex).json" }

    private func index(_ digest: ContentDigest) -> String { "\(root)/indexes/\(digest.hex)" }

    /// What a probe of this version found in the asset, with its frame indexes in `artifacts`; nil when it is not known, or
    /// an index is gone or has rotted.
    func recall(_ digest: ContentDigest, into artifacts: ArtifactStore) -> AssetRecord? {
        guard let data = FileManager.default.contents(atPath: record(digest)),
            let record = try? JSONDecoder().decode(AssetRecord.self, from: data), record.digest == digest,
            record.facts?.version == AssetFacts.currentVersion
        else { return nil }
        for named in record.frameIndexes.values {
            guard (try? artifacts.lend(index(named), as: named)) != nil,
                (try? artifacts.verify(artifacts.open(named))) != nil
            else {
                // Else the next probe could not keep its own.
                unlink(index(named))
                return nil
            }
        }
        return record
    }

    /// Keeps what a probe found. A disk that is full keeps nothing.
    func keep(_ record: AssetRecord, from artifacts: ArtifactStore) {
        for named in record.frameIndexes.values {
            guard (try? artifacts.link(named, to: index(named))) != nil else { return }
        }
        guard let data = try? JSONEncoder().encode(record) else { return }
        try? data.write(to: URL(fileURLWithPath: self.record(record.digest)), options: .atomic)
    }

    /// Forgets what was kept before `date`; a source that is still used is hashed and probed once more.
    package func prune(keptBefore date: Date) {
        let files = FileManager.default
        for folder in [root + "/identities", root + "/records", root + "/indexes"] {
            for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
                let path = "\(folder)/\(name)"
                let kept = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
                if let kept, kept < date { try? files.removeItem(atPath: path) }
            }
        }
    }
}
