import Client
import CompositionModel
import Farm
import Foundation
import Sandbox
import Storage
import WireProtocol

extension Failure {
    /// Makes the failure that the farm is told of an error on a worker.
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
        case StorageError.noSpace:
            self.init(code: FarmFailure.workerNoSpace, message: "The worker's disk is full.", isPermanent: false)
        default: self.init(code: "worker_failed", message: "The worker failed: \(error)", isPermanent: false)
        }
    }

    /// The failure of a request for a source: that one is gone for good where the coordinator has nothing of it, until
    /// somebody sends it again.
    init(describing error: any Error, about source: ContentDigest) {
        self.init(describing: error)
        asset = source
        guard case .problem(let problem)? = error as? ClientError, problem.status == 404 else { return }
        let reason = "Its bytes are no longer on the farm: they were removed there, or have rotted"
        self = Failure(
            code: FarmFailure.assetGone,
            message: "\(reason); submit the same edit again, which sends them anew.",
            isPermanent: true,
            asset: source
        )
    }

    /// The failure, marked if this machine's disk is full rather than the coordinator's, so that this worker gets no
    /// more work.
    private var onThisWorker: Failure {
        guard code == FarmFailure.noSpace else { return self }
        return Failure(code: FarmFailure.workerNoSpace, message: message, isPermanent: isPermanent, asset: asset)
    }

    /// Makes the failure of a request. A source that is gone permanently (410: a registered file was changed) fails the
    /// task permanently; no other answer, or lack of one, is the task's fault.
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
