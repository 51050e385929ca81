import EditLanguage
import Foundation
import Ingest
import Storage

extension EditFile {
    /// Keeps movies from replacing what they are made from, whatever `--force` says.
    /// - Throws: ``CommandFailure`` when one of `outputs` is the edit itself or a file of one of its assets.
    func protect(from outputs: [String]) throws {
        for output in outputs {
            guard let identity = FileStatus(of: output)?.identity else { continue }
            if FileStatus(of: path)?.identity == identity {
                throw CommandFailure(
                    .usage,
                    "\(output) is the edit itself, which the movie would replace; choose another -o."
                )
            }
            for (name, source) in allAssets.sorted(by: { $0.key < $1.key }) {
                guard let path = source.file, FileStatus(of: path)?.identity == identity else { continue }
                let what = "is the asset “\(name)” of the edit, which the movie would replace"
                throw CommandFailure(.usage, "\(output) \(what); choose another -o.")
            }
        }
    }
}

extension AssetSource {
    /// The one file that holds the asset's bytes; nil where there is none.
    fileprivate var file: String? {
        switch self {
        case .path(let path), .raw(let path, _): path
        default: nil
        }
    }
}
