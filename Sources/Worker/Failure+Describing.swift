import Client
import Sandbox
import Shared
import Storage

extension Failure {
    /// What the farm is told of an error on a worker.
    init(describing error: any Error) {
        switch error {
        case let error as RenderFailed: self = error.failure
        case let error as CachedAsset.BlockError: self = error.failure
        case let error as ClientError:
            let code = if case .problem(let problem) = error { problem.code } else { "coordinator_unreachable" }
            self.init(code: code, message: error.description, isPermanent: false)
        default: self.init(code: "worker_failed", message: "The worker failed: \(error)", isPermanent: false)
        }
    }
}
