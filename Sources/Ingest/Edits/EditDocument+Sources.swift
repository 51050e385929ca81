import CompositionModel
import EditLanguage
import Foundation
import Timing

extension EditDocument {
    /// The places of the document's assets, by name, with absolute paths. Paths of nested edits stay as they are.
    /// - Parameters:
    ///   - folder: the absolute path from which relative paths in the document count.
    ///   - replacements: asset name → path, relative to the working folder.
    /// - Throws: ``EditFile/Refusal/unreadable(_:)`` for the replacement of an asset that the document does not have.
    func sources(in folder: String, replacements: [String: String]) throws(EditFile.Refusal) -> [String: AssetSource] {
        var sources = writtenSources.mapValues { $0.absolute(in: folder) }
        for (name, path) in replacements.sorted(by: { $0.key < $1.key }) {
            guard sources[name] != nil else {
                throw .unreadable("--asset \(name)=…: the edit has no asset of that name.")
            }
            sources[name] = .path(LocalPath.absolute(path, in: FileManager.default.currentDirectoryPath))
        }
        return sources
    }

    private var writtenSources: [String: AssetSource] {
        switch self {
        case .edit(let edit): edit.assetSources
        case .composition(let composition):
            Dictionary(
                composition.assets.map { ($0.name, AssetSource.digest($0.digest)) },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }
}

extension AssetSource {
    fileprivate func absolute(in folder: String) -> AssetSource {
        switch self {
        case .path(let path): .path(LocalPath.absolute(path, in: folder))
        case .sequence(let pattern, let rate): .pictures(LocalPath.absolute(pattern, in: folder), rate)
        case .raw(let path, let format): .raw(LocalPath.absolute(path, in: folder), format)
        case .url, .digest, .generated, .generatedSound, .speech, .edit: self
        }
    }

    /// Numbered pictures, unless a file has exactly the name of their pattern: it is meant then.
    private static func pictures(_ pattern: String, _ rate: FrameRate) -> AssetSource {
        FileManager.default.fileExists(atPath: pattern) ? .path(pattern) : .sequence(pattern, rate)
    }
}
