package import CompositionModel
import Curl
package import WireProtocol

/// The reason why a coordinator could not be asked, or did not do what was asked.
package enum ClientError: Error, Sendable, CustomStringConvertible {
    /// No answer came. The sentence says from where, and why.
    case unreachable(String)
    /// The coordinator refused.
    case problem(Problem)
    /// The answer is none of a coordinator: another program answered, or another version.
    case notUnderstood(String)
    /// The command itself is at fault.
    case usage(String)
    case cancelled
    /// A local file cannot be read or written.
    case file(Failure)

    init(_ error: any Error, baseURL: String) {
        guard let error = error as? HTTPError else {
            self = .notUnderstood("\(error)")
            return
        }
        switch error.code {
        case .cancelled: self = .cancelled
        case .sinkFailed, .bodyFailed:
            self = .file(Failure(code: "file_failed", message: error.description, isPermanent: false))
        case .unreachable, .timedOut, .forbiddenPeer, .tls, .certificate, .bodyTooLarge, .protocolError:
            let advice = ClientError.advice(after: error.code, baseURL: baseURL)
            self = .unreachable("The coordinator at \(baseURL) cannot be reached (\(error.description)); \(advice)")
        }
    }

    /// The advice that ends the sentence.
    private static func advice(after code: HTTPError.Code, baseURL: String) -> String {
        switch code {
        case .tls:
            "if it was started without --tls-certificate, write http\(baseURL.dropFirst("https".count)) instead."
        case .certificate:
            "is its address the one in its certificate, and is who signed that among the authorities of this host?"
        default: "is it running?"
        }
    }

    /// The sentence for the user.
    package var description: String {
        switch self {
        case .unreachable(let sentence), .notUnderstood(let sentence), .usage(let sentence): sentence
        case .problem(let problem): problem.detail
        case .cancelled: "Cancelled."
        case .file(let failure): failure.message
        }
    }

    /// Whether the same request may succeed later.
    package var isTransient: Bool {
        switch self {
        case .unreachable: true
        case .problem(let problem): problem.status >= 500 || problem.status == 429
        case .notUnderstood, .usage, .cancelled, .file: false
        }
    }
}
