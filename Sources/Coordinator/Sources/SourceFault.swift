import CompositionModel
import Curl
import ObjectStorage
import Storage
import WireProtocol

/// The reason why a file elsewhere could not be fetched, or not yet.
struct SourceFault: Error, Sendable {
    /// The failure; it is permanent when another attempt cannot help.
    let failure: Failure

    init(_ code: String, _ message: String, isPermanent: Bool = true) {
        failure = Failure(code: code, message: message, isPermanent: isPermanent)
    }

    /// The file has changed since the first bytes of it came.
    static func changed(_ address: String) -> SourceFault {
        SourceFault("source_changed", "\(address) was changed while it was read; submit the edit again.")
    }

    /// Somebody else writes the same file, or wrote to it a moment ago.
    static func taken(_ address: String) -> SourceFault {
        SourceFault("source_busy", "\(address) is being fetched by another coordinator.", isPermanent: false)
    }

    /// - Parameter error: what a transfer threw.
    init(_ error: any Error, of address: String) {
        switch error {
        case let fault as SourceFault: self = fault
        case let error as HTTPError: self.init(error, of: address)
        case let error as BucketError: self.init(error, of: address)
        case let problem as Problem:
            self.init(problem.code, "\(address): \(problem.detail)", isPermanent: problem.status < 500)
        case let error as StorageError:
            if case .wrongDigest(let expected, let found) = error {
                self.init("digest_mismatch", "\(address) has the digest \(found) and not \(expected).")
            } else {
                self.init(error.code, "\(address) cannot be kept: \(error)", isPermanent: false)
            }
        case let shortage as DiskShortage: self.init("no_space", shortage.description, isPermanent: false)
        default:
            self.init(
                "source_failed",
                "\(address) could not be fetched; the coordinator's log says more.",
                isPermanent: false
            )
        }
    }

    private init(_ error: HTTPError, of address: String) {
        let isPermanent =
            switch error.code {
            // A server that is started again cuts handshakes off too.
            case .unreachable, .timedOut, .cancelled, .sinkFailed, .bodyFailed, .tls: false
            case .certificate, .addressRefused, .bodyTooLarge, .protocolError: true
            }
        guard error.code != .addressRefused else {
            let advice = "it is not of the public Internet, and --source-allow names no block that holds it"
            self.init("source_not_allowed", "\(address) leads to an address that is not allowed: \(advice).")
            return
        }
        self.init("source_unreachable", "\(address) cannot be reached: \(error.description).", isPermanent: isPermanent)
    }

    private init(_ error: BucketError, of address: String) {
        let code =
            switch error.kind {
            case .missing: "source_missing"
            case .conditionFailed: "source_changed"
            case .notAllowed, .addressRefused: "source_not_allowed"
            case .clockSkew, .busy, .unreachable, .cancelled, .file, .refused, .noConditions: "source_unreachable"
            }
        guard error.kind != .conditionFailed else {
            self = .changed(address)
            return
        }
        let isPermanent = !error.isTransient && error.kind != .cancelled && error.kind != .file
        self.init(code, "\(address) cannot be had: \(error.description)", isPermanent: isPermanent)
    }

    /// - Parameter status: the status of an answer that is no success.
    init(status: Int, of address: String) {
        switch status {
        case 404, 410: self.init("source_missing", "There is nothing at \(address) (status \(status)).")
        case 401, 403: self.init("source_not_allowed", "The server of \(address) does not allow it (status \(status)).")
        case 408, 429, 500...599:
            self.init(
                "source_unreachable",
                "The server of \(address) answers with status \(status).",
                isPermanent: false
            )
        default: self.init("source_refused", "The server of \(address) answers with status \(status).")
        }
    }
}
