import Client
import CompositionModel
import Coordinator
import Foundation
import Sandbox
import Storage
import TLS
import WireProtocol
import Worker

/// The end of a command without success: what to print, and the exit status.
struct CommandFailure: Error, Sendable {
    /// The status with which the process exits.
    let status: ExitStatus
    /// The lines to print on standard error.
    let lines: [String]
    /// The findings that ``lines`` were made from, when the edit itself is at fault; else empty.
    let findings: [Finding]
    /// Whether the farm may do later what it cannot do now: it has a fault, no room, or too much of this owner's to do;
    /// another job's movie goes to the same place, or the folder there does not answer; or too few machines are there
    /// for an audit.
    var mayPass = false

    /// Makes a failure that prints these lines.
    init(_ status: ExitStatus, _ lines: String...) {
        self.init(status, lines: lines)
    }

    /// Makes a failure of an edit with findings.
    init(_ status: ExitStatus, lines: [String], findings: [Finding] = []) {
        self.status = status
        self.lines = lines
        self.findings = findings
    }

    /// Makes the failure that an error of this package's modules means.
    /// - Returns: Nil for an error that is a defect of this program, or ArgumentParser's own.
    init?(recognising error: any Error) {
        switch error {
        case let error as ClientError: self.init(error)
        case let error as RenderFailed: self.init(error.failure)
        case let error as StorageError: self.init(error.code == "no_space" ? .noSpace : .usage, error.description)
        case let error as WorkerRefused: self.init(error.problem)
        case let error as AddressUnusable: self.init(.usage, error.description)
        case let error as CredentialsError: self.init(.usage, error.description)
        case is CancellationError: self.init(.interrupted, "Interrupted.")
        default: return nil
        }
    }

    /// The failure of a request to a coordinator.
    init(_ error: ClientError) {
        switch error {
        case .unreachable: self.init(.unreachable, error.description)
        case .notUnderstood: self.init(.unreachable, error.description)
        case .usage: self.init(.usage, error.description)
        case .cancelled: self.init(.interrupted, error.description)
        case .file(let failure): self.init(failure)
        case .problem(let problem): self.init(problem)
        }
    }

    /// The failure that a coordinator's refusal means.
    init(_ problem: Problem) {
        let status: ExitStatus =
            switch (problem.status, problem.code) {
            case (401, _), (403, _), (_, "version_mismatch"): .notAllowed
            case (507, _), (_, "no_space"): .noSpace
            // The coordinator was asked again for a while, and could not answer.
            case (503, _): .unreachable
            // The edit names an asset by a digest that the farm does not have, or no longer has.
            case (_, "asset_missing"): .usage
            case (409, _): .conflict
            case (400..<500, _): .usage
            default: .internalError
            }
        self.init(status, problem.detail)
        mayPass = ClientError.problem(problem).isTransient || Self.passingConflicts.contains(problem.code)
    }

    /// The codes of conflicts that end by themselves.
    private static let passingConflicts = ["no_auditor", "output_folder_silent", "target_taken"]

    /// The failure of a render process or of the farm: a permanent one is the input's fault.
    init(_ failure: Failure) {
        self.init(
            failure.code == "no_space" ? .noSpace : failure.isPermanent ? .usage : .internalError,
            failure.message
        )
    }
}
