import Curl
import Foundation

/// The reason why a request to a bucket was not carried out.
package struct BucketError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of reasons.
    package enum Kind: String, Sendable, Hashable {
        /// There is no such object, upload or bucket.
        case missing
        /// The condition of the request does not hold: the object is another now, or there is one already.
        case conditionFailed
        /// The service does not know the condition of the request, and has done nothing.
        case noConditions
        /// The keys may not do that, are unknown, or have expired.
        case notAllowed
        /// The clocks of this machine and of the service differ too much for a signature.
        case clockSkew
        /// The service asks for fewer requests, or has a fault that may pass.
        case busy
        /// No whole answer came.
        case unreachable
        /// The address of the service is none that may be connected to.
        case addressRefused
        /// The request ended because its task was cancelled.
        case cancelled
        /// The bytes to send cannot be read, or those that came cannot be kept.
        case file
        /// The service refused the request for another reason, or answered what is not understood.
        case refused
    }

    /// The kind of reason.
    package let kind: Kind
    /// One sentence for the user. No key, token or signature is in it.
    package let description: String

    init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

    /// Whether the same request may be carried out later.
    package var isTransient: Bool { kind == .busy || kind == .unreachable }
}

extension BucketError {
    /// The error of a request without a whole answer.
    init(_ error: any Error, _ what: String) {
        guard let error = error as? HTTPError else {
            self.init(error is CancellationError ? .cancelled : .file, "\(what): \(error)")
            return
        }
        let kind: Kind =
            switch error.code {
            case .cancelled: .cancelled
            case .sinkFailed, .bodyFailed: .file
            case .addressRefused: .addressRefused
            case .unreachable, .timedOut: .unreachable
            case .tls, .certificate, .bodyTooLarge, .protocolError: .refused
            }
        self.init(kind, "\(what): \(error.description)")
    }

    /// The error that stands in the body of a success, which the service began to send before it failed.
    init(failed response: HTTPResponse, _ what: String, now: Date) {
        let code = XMLElement(document: response.body)?["Code"]?.text
        let status = ["InternalError", "SlowDown", "ServiceUnavailable"].contains(code) || code == nil ? 503 : 400
        self.init(HTTPResponse(status: status, headers: response.headers, body: response.body), what, now: now)
    }

    /// The error that an answer other than a success says.
    /// - Parameters:
    ///   - what: the beginning of the sentence: what was to be done with which object of which bucket.
    ///   - now: the time of this machine.
    init(_ response: HTTPResponse, _ what: String, now: Date) {
        let said = XMLElement(document: response.body)
        let code = said?["Code"]?.text ?? ""
        let message = said?["Message"]?.text.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        let answer =
            "it was answered with \([String(response.status), code].filter { !$0.isEmpty }.joined(separator: " "))"
        switch (response.status, code) {
        case (_, "RequestTimeTooSkewed"):
            let theirs = response.headers["date"].flatMap(Self.date)
            let seconds = theirs.map { Int(now.timeIntervalSince($0).rounded()) }
            let difference =
                seconds.map { "is \(abs($0)) s \($0 < 0 ? "behind" : "ahead of") that" } ?? "differs from that"
            self.init(.clockSkew, "\(what): the clock of this machine \(difference) of the service; set it right.")
        case (_, "NoSuchBucket"): self.init(.missing, "\(what): there is no such bucket.")
        case (_, "NoSuchUpload"): self.init(.missing, "\(what): the upload is no longer known; begin it anew.")
        case (404, _): self.init(.missing, "\(what): there is no such object.")
        case (409, "ConditionalRequestConflict"):
            // Another request was under way, which may come to nothing (AWS, "How to prevent object overwrites").
            self.init(.busy, "\(what): another request for the same was under way; try again.")
        case (412, _):
            self.init(.conditionFailed, "\(what): the condition of the request does not hold.")
        case (501, _): self.init(.noConditions, "\(what): the service has no such requests (\(answer)).")
        case (_, "ExpiredToken"), (_, "TokenRefreshRequired"):
            self.init(.notAllowed, "\(what): the session token has expired; get new keys.")
        case (_, "SignatureDoesNotMatch"):
            self.init(.notAllowed, "\(what): the signature was not accepted; check the secret key and the region.")
        case (_, "InvalidAccessKeyId"):
            self.init(.notAllowed, "\(what): the access key is not known to the service.")
        case (401, _), (403, _): self.init(.notAllowed, "\(what): the keys do not allow it (\(answer)).")
        case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"):
            let region = said?["Region"]?.text ?? response.headers["x-amz-bucket-region"]
            let advice = region.map { "name the region \($0)" } ?? "name its region and endpoint"
            self.init(.refused, "\(what): the bucket is elsewhere; \(advice).")
        case (500, _), (502, _), (503, _), (504, _), (429, _), (_, "SlowDown"), (_, "InternalError"),
            (_, "OperationAborted"), (_, "RequestTimeout"):
            self.init(.busy, "\(what): the service is busy or has a fault (\(answer)); try again later.")
        default: self.init(.refused, "\(what): \(answer)\(message.isEmpty ? "" : " (\(message.prefix(200)))").")
        }
    }

    /// An instant as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    private static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: text)
    }
}
