import CompositionModel
import Foundation

/// The facts and frame indexes of files that were probed before, in one folder, named by digest.
struct ProbeMemory: Sendable {
    /// The absolute path; the folder is made when something is remembered.
    let folder: String

    /// - Returns: nil for bytes that were not probed by this version.
    func facts(of digest: ContentDigest) -> AssetFacts? {
        FileManager.default.contents(atPath: entry(digest, ".json"))
            .flatMap { try? JSONDecoder().decode(AssetFacts.self, from: $0) }
    }

    /// - Returns: the path of each video stream's frame index, by stream index; nil unless all of them are there.
    func indexes(of facts: AssetFacts, _ digest: ContentDigest) -> [Int: String]? {
        let paths = facts.video.map { ($0.streamIndex, entry(digest, "-index-\($0.streamIndex)")) }
        guard paths.allSatisfy({ FileManager.default.fileExists(atPath: $0.1) }) else { return nil }
        return Dictionary(paths, uniquingKeysWith: { first, _ in first })
    }

    /// Keeps what a probe found. Where nothing can be kept, the file is probed again the next time.
    ///
    /// The facts are written last: where they are, the indexes are too.
    /// - Parameters:
    ///   - indexes: the paths that the child named, by stream index.
    ///   - scratch: the child's folder. The child is not believed: only files in this folder are taken.
    func remember(_ facts: AssetFacts, _ indexes: [Int: String], of digest: ContentDigest, from scratch: String) {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (stream, path) in indexes {
            let name = (path as NSString).lastPathComponent
            guard let data = FileManager.default.contents(atPath: scratch + "/" + name) else { continue }
            try? data.write(to: URL(fileURLWithPath: entry(digest, "-index-\(stream)")), options: .atomic)
        }
        try? JSONEncoder().encode(facts).write(to: URL(fileURLWithPath: entry(digest, ".json")), options: .atomic)
    }

    private func entry(_ digest: ContentDigest, _ suffix: String) -> String {
        folder + "/\(AssetFacts.currentVersion)-\(digest.hex)\(suffix)"
    }
}
