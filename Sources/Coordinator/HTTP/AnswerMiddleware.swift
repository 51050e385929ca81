import Farm
import HTTPTypes
import Hummingbird
import Logging
import Storage
import Timing
import WireProtocol

/// The outermost middleware: whatever is thrown leaves as problem+json, every answer has the security headers, and the
/// log has a line for it.
struct AnswerMiddleware: RouterMiddleware {
    let hosts: AllowedHosts
    let metrics: FarmMetrics
    let clock: any Clock<Duration>
    let logger: Logger

    func handle(
        _ request: Request,
        context: FarmRequestContext,
        next: @concurrent (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        let stopwatch = Stopwatch(on: clock)
        var response: Response
        do {
            try checkHost(request)
            try checkFraming(request)
            response = try await next(request, context)
        } catch {
            response = describe(error, request)
        }
        if request.method == .head { response = response.createHeadResponse() }
        response.addSecurityHeaders()
        metrics.answered(
            request.method.rawValue,
            context.endpointPath,
            response.status.code,
            received: Int64(context.received.byteCount),
            sent: Int64(response.body.contentLength ?? 0)
        )
        logger.debug(
            "answered",
            metadata: [
                "method": "\(request.method)", "path": "\(Self.path(of: request))", "status": "\(response.status.code)",
                "milliseconds": "\(stopwatch.elapsed.milliseconds)",
            ]
        )
        return response
    }

    /// The path as the log has it: without the code of a sign-in link.
    private static func path(of request: Request) -> String {
        let path = request.uri.path
        return path.hasPrefix(SignInLinks.path) ? SignInLinks.path + "…" : path
    }

    /// RFC 9112 §3.2: a request without Host, or with more than one, must be refused.
    private func checkHost(_ request: Request) throws(Problem) {
        guard let host = request.head.authority, !host.isEmpty, request.headers[.host] == nil else { throw .badHost }
        guard hosts.allow(host) else { throw .unknownHost }
    }

    /// RFC 9112 §6.1: where a body ends must be sure, or its rest would be taken for another request.
    private func checkFraming(_ request: Request) throws(Problem) {
        guard !request.headers.hasUnknownEncoding else { throw .unknownEncoding }
    }

    private func describe(_ error: any Error, _ request: Request) -> Response {
        if let problem = Problem.answering(error) {
            if problem == .unknownEncoding {
                var response = problem.response()
                response.headers[.connection] = "close"
                return response
            }
            if problem.status >= 500, error is StorageError || error is FarmStoreError {
                // Its problem names no places of this host.
                logger.warning("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            }
            return problem.response()
        }
        if error.meansThatTheClientLeft {
            logger.debug("client left", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return Problem.brokenFraming.response()
        }
        logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
        return Problem.internalFault.response()
    }
}

extension Response {
    /// Adds the header fields that every answer has, but for those that a route has set.
    mutating func addSecurityHeaders() {
        headers[.xContentTypeOptions] = "nosniff"
        headers[.referrerPolicy] = "no-referrer"
        headers[.frameOptions] = "DENY"
        if headers[.contentSecurityPolicy] == nil {
            headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    }
}

extension HTTPFields {
    /// Whether a request with these fields may end elsewhere for another reader, such as a proxy.
    var hasUnknownEncoding: Bool {
        guard let encoding = self[.transferEncoding] else { return false }
        return encoding.lowercased() != "chunked" || self[.contentLength] != nil
    }
}
