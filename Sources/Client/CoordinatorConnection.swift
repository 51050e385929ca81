package import Curl
import Foundation
import WireProtocol

/// A coordinator's address and the token by which it is asked. Each request opens or reuses an HTTP connection; the
/// value may be shared.
package struct CoordinatorConnection: Sendable {
    /// The address without a slash at its end, such as `http://127.0.0.1:7411`.
    package let baseURL: String
    /// The clock by which requests to the coordinator are repeated.
    package let clock: any Clock<Duration>
    let token: ClientToken
    /// The addresses that were given of what lies in the farm's bucket.
    let addresses = SignedAddresses()
    let client: CurlClient

    /// Checks the address. Nothing is sent.
    /// - Parameters:
    ///   - token: the token; empty asks without one.
    ///   - reread: the token as it is kept now, nil when it cannot be read; it is asked for when the coordinator refuses the
    ///     one that is known, because somebody may have put a newer one in its place.
    ///   - allowInsecureToken: whether the token may be sent in clear to a host that is not loopback.
    /// - Throws: ``ClientError`` when `baseURL` is no http or https address, or the token would travel in clear.
    package init(
        baseURL: String,
        token: String,
        reread: (@Sendable () -> String?)? = nil,
        allowInsecureToken: Bool = false,
        client: CurlClient = CurlClient(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(ClientError) {
        guard let parts = URLComponents(string: baseURL), let host = parts.host, !host.isEmpty,
            parts.scheme == "http" || parts.scheme == "https"
        else {
            throw .usage("“\(baseURL)” is no address of a coordinator; write one like http://127.0.0.1:7411.")
        }
        guard parts.scheme == "https" || CoordinatorConnection.isLoopback(host) || allowInsecureToken else {
            throw .usage(
                "The token would travel to \(host) in clear; use https, or say --insecure-token if the network is trusted."
            )
        }
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.token = ClientToken(token, reread: reread)
        self.client = client
        self.clock = clock
    }

    /// Whether `host` can only be this machine. A name that merely begins like an address is not.
    private static func isLoopback(_ host: String) -> Bool {
        var address = in_addr()
        if inet_pton(AF_INET, host, &address) == 1 { return host.hasPrefix("127.") }
        return ["localhost", "::1", "[::1]"].contains(host.lowercased())
    }

    /// A request for `path` (beginning with `/v1`) that carries the token.
    func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: [(name: String, value: String)] = [],
        body: HTTPRequest.Body = .none,
        timeout: Duration? = nil,
        stallTimeout: Duration = .seconds(60)
    ) -> HTTPRequest {
        // No byte moves while the coordinator thinks: that must not count as a stall before the timeout.
        HTTPRequest(
            method,
            baseURL + path,
            headers: ClientToken.header(token.text) + headers,
            body: body,
            timeout: timeout,
            stallTimeout: timeout ?? stallTimeout
        )
    }

    /// Sends a request and expects success.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    func send(_ request: HTTPRequest) async throws(ClientError) -> HTTPResponse {
        try await answer(request, isFollowing: false) { try await client.send($0) }
    }

    /// Sends a request and gives the body of a success to `sink` as it comes. The sink sees nothing of a refusal.
    /// - Parameter isFollowing: whether a redirection to the farm's bucket is followed.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached, or the sink throws.
    func receive(
        _ request: HTTPRequest,
        isFollowing: Bool = false,
        into sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws(ClientError) -> HTTPResponse {
        try await answer(request, isFollowing: isFollowing) { try await client.receive($0, into: sink) }
    }

    /// Sends a request, and once more with the newest token when the coordinator does not know the one that it carried.
    func withNewestToken(
        _ request: HTTPRequest,
        _ send: (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let response = try await send(request)
        guard response.status == 401, let newer = token.replacement(in: request) else { return response }
        return try await send(newer)
    }

    /// Sends a request and expects success.
    private func answer(
        _ request: HTTPRequest,
        isFollowing: Bool,
        _ send: (HTTPRequest) async throws -> HTTPResponse
    ) async throws(ClientError) -> HTTPResponse {
        let response: HTTPResponse
        do {
            response = try await isFollowing ? following(request, send) : withNewestToken(request, send)
        } catch {
            throw ClientError(error, baseURL: baseURL)
        }
        return try accept(response)
    }

    /// The answer, if it is a success.
    /// - Throws: ``ClientError/problem(_:)`` for any other.
    func accept(_ response: HTTPResponse) throws(ClientError) -> HTTPResponse {
        guard response.isSuccess else { throw .problem(problem(of: response)) }
        return response
    }

    /// The coordinator's problem. An unknown token is described by our options, since the coordinator speaks of
    /// headers.
    private func problem(of response: HTTPResponse) -> Problem {
        var problem = response.problem
        if problem.status == 401, problem.code != "token_over" {
            let advice = "say which one with --token-file or CUTFARM_TOKEN"
            problem.detail = "The coordinator at \(baseURL) does not know this token; \(advice)."
        }
        return problem
    }

    /// Whether the coordinator has something at `path`.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    func exists(_ path: String) async throws(ClientError) -> Bool {
        do {
            _ = try await send(request(.head, path, timeout: .seconds(60)))
            return true
        } catch {
            guard case .problem(let problem) = error else { throw error }
            if problem.status == 404 { return false }
            guard problem.status == 403 else { throw error }
            // An answer to HEAD has no body: what this token lacks is said to a GET only.
            _ = try await send(
                request(.get, path, headers: [(name: "Range", value: "bytes=0-0")], timeout: .seconds(60))
            )
            throw error
        }
    }

    /// Asks for JSON at `path`.
    /// - Throws: ``ClientError``, also when the answer is no `Value`.
    func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws(ClientError) -> Value {
        try decode(type, from: try await send(request(.get, path, timeout: .seconds(60))))
    }

    /// Sends JSON and expects JSON.
    /// - Parameter timeout: the longest time that the whole exchange may take.
    /// - Throws: ``ClientError``, also when the answer is no `Value`.
    func post<Value: Decodable>(
        _ path: String,
        _ message: some Encodable & Sendable,
        timeout: Duration = .seconds(60),
        returning type: Value.Type
    ) async throws(ClientError) -> Value {
        try decode(type, from: try await post(path, message, timeout: timeout))
    }

    /// Sends JSON; the answer's body counts for nothing.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    @discardableResult
    func post(
        _ path: String,
        _ message: some Encodable & Sendable,
        timeout: Duration = .seconds(60)
    ) async throws(ClientError) -> HTTPResponse {
        guard let body = try? WireJSON.encode(message) else { throw .usage("The message cannot be written as JSON.") }
        return try await send(
            request(
                .post,
                path,
                headers: [(name: "Content-Type", value: "application/json")],
                body: .data(body),
                timeout: timeout
            )
        )
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from response: HTTPResponse) throws(ClientError) -> Value
    {
        do {
            return try WireJSON.decode(type, from: response.body)
        } catch {
            throw .notUnderstood("\(baseURL) answered something else than \(Value.self): \(error)")
        }
    }
}

extension HTTPResponse {
    /// The problem that the body describes; one made from the status when the body is no problem document.
    var problem: Problem {
        if let problem = try? WireJSON.decode(Problem.self, from: body) { return problem }
        return Problem(
            status: status,
            code: "http_\(status)",
            title: "Refused",
            detail: HTTPResponse.detail(of: status)
        )
    }

    /// The sentence for an answer to HEAD, which has no body, or from a server that is no coordinator.
    private static func detail(of status: Int) -> String {
        switch status {
        case 403: "This token does not allow what was asked of the coordinator."
        default: "The coordinator answered with status \(status)."
        }
    }
}
