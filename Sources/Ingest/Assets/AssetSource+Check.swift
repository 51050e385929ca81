package import EditLanguage
import Foundation

extension AssetSource {
    /// The reason why the asset cannot be used, as far as it shows without a byte being read or sent.
    ///
    /// It is nil for a file that is there, whatever it holds, and for every source that is no single file.
    package var refusal: UnusableAsset? {
        switch self {
        case .digest, .generated, .generatedSound, .speech, .sequence, .edit, .url: return nil
        case .path(let path), .raw(let path, _):
            var about = stat()
            guard stat(path, &about) == 0 else {
                return UnusableAsset(.missing, "the file \(path) does not exist; correct the path")
            }
            guard about.st_mode & S_IFMT == S_IFREG else {
                return UnusableAsset(.unreadable, "\(path) is no regular file; name a media file")
            }
            return about.st_size > 0 ? nil : UnusableAsset(.unreadable, "the file \(path) is empty")
        }
    }
}
