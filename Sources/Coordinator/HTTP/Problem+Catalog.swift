import CompositionModel
import WireProtocol

// Every problem the API itself finds; docs/api.md lists them by code.
extension Problem {
    static let unauthorized = Problem(
        status: 401,
        code: "unauthorized",
        title: "Not signed in",
        detail: "The request carries no token that this coordinator knows; send “Authorization: Bearer TOKEN”."
    )
    static let notFound = Problem(
        status: 404,
        code: "not_found",
        title: "Not found",
        detail: "There is nothing at this address."
    )
    static let usedLink = Problem(
        status: 410,
        code: "link_used",
        title: "Used or too old",
        detail:
            "A sign-in link works once and for ten minutes; sign in with a token, or restart the coordinator for another."
    )
    static let forgery = Problem(
        status: 403,
        code: "csrf",
        title: "Not from the dashboard",
        detail: "A session may change things only with its X-CSRF-Token and from this coordinator's own pages."
    )
    /// The answer to whoever asks where else than to the coordinator bytes may be sent.
    static let sentHere = Problem(
        status: 404,
        code: "sent_here",
        title: "Sent to the coordinator",
        detail: "These bytes are sent to the coordinator itself, with PUT."
    )
    static let badHost = Problem(
        status: 400,
        code: "bad_host",
        title: "Bad Host",
        detail: "The request must have exactly one Host header."
    )
    static let endlessMarks = Problem(
        status: 400,
        code: "invalid_request",
        title: "Not understood",
        detail: "The address or a header field has more than \(StreamSafeText.mostMarks) combining marks in a row, and "
            + "no script needs as many; leave them out."
    )
    static let unknownHost = Problem(
        status: 400,
        code: "bad_host",
        title: "Bad Host",
        detail: "This coordinator answers no requests for the host that this one names; its --allowed-host lists them."
    )
    static let unknownEncoding = Problem(
        status: 400,
        code: "invalid_request",
        title: "Not understood",
        detail: "The only Transfer-Encoding here is “chunked”, without a Content-Length."
    )
    static let brokenFraming = Problem(
        status: 400,
        code: "invalid_request",
        title: "Not understood",
        detail: "The request is not HTTP/1.1 as RFC 9112 has it, or it ended too early."
    )
    static let shuttingDown = Problem(
        status: 503,
        code: "shutting_down",
        title: "Shutting down",
        detail: "The coordinator is shutting down; ask again in a moment."
    )
    static let leaseLost = Problem(
        status: 409,
        code: "lease_lost",
        title: "Lease lost",
        detail: "The attempt is no longer this worker's: it was superseded, cancelled or is unknown; drop its work."
    )
    static let artifactConflict = Problem(
        status: 409,
        code: "artifact_conflict",
        title: "Other bytes were accepted",
        detail: "The task is completed with an artifact of another digest, and that one stays."
    )
    static let stitchIsOurs = Problem(
        status: 422,
        code: "kind_not_allowed",
        title: "Kind not allowed",
        detail: "Only coordinators join segments; ask for picture and sound tasks."
    )

    /// The problem of a token that was valid once.
    static func tokenOver(_ sentence: String) -> Problem {
        Problem(status: 401, code: "token_over", title: "Token no longer valid", detail: sentence)
    }

    static func forbidden(_ scopes: [Scope]) -> Problem {
        let names = scopes.map { "“\($0.rawValue)”" }.joined(separator: " or ")
        return Problem(
            status: 403,
            code: "forbidden",
            title: "Not allowed",
            detail:
                "This token lacks the scope \(names) that this needs; ask whoever runs the farm for one that has it."
        )
    }

    static func notYours(_ job: JobView) -> Problem {
        Problem(
            status: 403,
            code: "forbidden",
            title: "Not allowed",
            detail: "The job belongs to \(job.owner); only its owner or an admin may change it."
        )
    }

    /// The problem of an owner who submits more at a time than is allowed.
    static func tooManySubmissions(_ owner: String, limit: Int) -> Problem {
        Problem(
            status: 429,
            code: "too_many_submissions",
            title: "Too many at a time",
            detail: "“\(owner)” has \(limit) submissions under way, the most at a time; send it again in a moment."
        )
    }

    /// The problem of an owner who leaves more unfinished than is allowed.
    static func tooManyUploads(_ limit: String) -> Problem {
        Problem(
            status: 429,
            code: "too_many_uploads",
            title: "Too many unfinished uploads",
            detail: "One owner may have \(limit); finish or delete some, or wait until they are forgotten."
        )
    }

    /// The problem of a body that waited in vain for room in memory.
    static func noRoom(_ byteCount: Int) -> Problem {
        Problem(
            status: 429,
            code: "too_many_submissions",
            title: "Too many at a time",
            detail: "Submissions under way leave no room for another of \(byteCount) bytes; send it again in a moment."
        )
    }

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        Problem(
            status: 405,
            code: "method_not_allowed",
            title: "Method not allowed",
            detail: "This address takes \(allowed.joined(separator: ", "))."
        )
    }

    static func bodyTooLarge(limit: Int64) -> Problem {
        Problem(
            status: 413,
            code: "body_too_large",
            title: "Too large",
            detail: "The body may have \(limit) bytes at the most here."
        )
    }

    /// The most bytes of a sentence that shows what a client sent, which may be megabytes.
    private static let mostDetailBytes = 2000

    static func notUnderstood(_ detail: String) -> Problem {
        let detail = detail.cut(to: mostDetailBytes)
        return Problem(status: 400, code: "invalid_request", title: "Not understood", detail: detail)
    }

    static func unprocessable(_ code: String, _ detail: String) -> Problem {
        Problem(status: 422, code: code, title: "Not acceptable", detail: detail.cut(to: mostDetailBytes))
    }

    static func conflict(_ code: String, _ detail: String) -> Problem {
        Problem(status: 409, code: code, title: "Conflict", detail: detail)
    }

    static func unavailable(_ code: String, _ detail: String) -> Problem {
        Problem(status: 503, code: code, title: "Not available", detail: detail)
    }
}
