import HTTPTypes
import Hummingbird
import WireProtocol

extension Request {
    /// Answers what `work` gives, which is cancelled when the client leaves: a handler is not cancelled by itself. The
    /// watch uses the connection up, which closes behind the answer; so whatever is at hand is answered without it.
    /// - Throws: the errors of `work` that are no problems of clients; `CancellationError` when the client has left.
    func answeringUnlessTheClientLeaves(
        _ work: @Sendable (RequestBody) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await body.consumeWithCancellationOnInboundClose { body in try await work(body) }
        } catch {
            guard let problem = Problem.answering(error) else { throw error }
            response = problem.response()
        }
        response.headers[.connection] = "close"
        return response
    }
}
