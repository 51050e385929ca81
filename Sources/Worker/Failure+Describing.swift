import Client
import CompositionModel
import Farm
import Foundation
import Sandbox
import Storage
import WireProtocol

extension Failure {
    /// The failure that the farm is told of an error on a worker.
    init(describing error: any Error) {
        switch error {
        case let error as RenderFailed: self = error.failure.onThisWorker
        case let error as CachedAsset.BlockError: self = error.failure.onThisWorker
        case let error as ClientError: self.init(error)
        case let error as CocoaError where error.code == .fileWriteOutOfSpace:
            self.init(
                code: FarmFailure.workerNoSpace,
                message: "The worker's disk is full: \(error.localizedDescription)",
                isPermanent: false
            )
        default: self.init(code: "worker_failed", message: "The worker failed: \(error)", isPermanent: false)
        }
    }

    /// The failure with a full disk of this machine told from the coordinator's: it is this worker that should get no
    /// more work then.
    private var onThisWorker: Failure {
        guard code == FarmFailure.noSpace else { return self }
        return Failure(code: FarmFailure.workerNoSpace, message: message, isPermanent: isPermanent, asset: asset)
    }

    /// The failure of a request. What is gone for good (410: a registered file that was changed) fails the task for
    /// good; nothing else that the coordinator says, or does not say, is the task's fault.
    private init(_ error: ClientError) {
        switch error {
        case .problem(let problem):
            self.init(code: problem.code, message: problem.detail, isPermanent: problem.status == 410)
        case .file(let failure): self = failure
        case .unreachable, .notUnderstood, .usage, .cancelled:
            self.init(code: FarmFailure.coordinatorUnreachable, message: error.description, isPermanent: false)
        }
    }
}
