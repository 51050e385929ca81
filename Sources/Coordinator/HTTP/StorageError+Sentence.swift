import Foundation
import Storage

extension StorageError {
    /// The sentence for clients, who need not know where things lie on the coordinator's host; its log says that.
    var sentenceWithoutPaths: String {
        switch self {
        case .missing, .wrongDigest: description
        case .changed: "A registered file was changed or removed after it was registered; submit the job again."
        case .elsewhere: "The farm's artifacts are elsewhere than this coordinator was told."
        case .bucket:
            "The farm's bucket does not answer as it should; the coordinator's log says why. Repeat the request."
        case .foreign: "The coordinator's artifact folder belongs to the farm of another database."
        case .foreignBucket: "The coordinator's bucket belongs to the farm of another database."
        case .noSpace: "There is no space left on the coordinator's disk; free some and try again."
        case .unreadable(_, let cause): "The file cannot be read: \(cause)."
        case .system(_, _, let code):
            "The coordinator's artifact store failed: \(String(cString: strerror(code))); its log says where."
        }
    }
}
