import EditLanguage
import Farm
import Hummingbird
import WireProtocol

/// Edits before they are submitted: what they need, and what they would come to. Nothing is stored.
struct EditRoutes: RouteGroup {
    let planning: JobPlanning
    /// The limits that these requests share with submissions.
    let submissions: OwnerCounter
    let memory: ByteBudget

    func add(to table: RouteTable) {
        table.on(.post, "/v1/edits:read", .submit) { request, context in
            try await limited(request, context) { (edit: EditText, owner) in
                try await planning.outline(edit, owner: owner)
            }
        }
        table.on(.post, "/v1/jobs:plan", .submit) { request, context in
            try await limited(request, context) { (submission: JobSubmission, owner) in
                try await planning.estimate(submission, owner: owner)
            }
        }
    }

    /// Reads a body within the limits of submissions, and answers what `work` makes of it.
    private func limited<Body: Decodable & Sendable>(
        _ request: Request,
        _ context: FarmRequestContext,
        _ work: @Sendable (Body, String) async throws -> some Encodable & Sendable
    ) async throws -> Response {
        let owner = try context.require([.submit]).owner
        let response = try await submissions.counting(owner) {
            try request.requireJSON()
            let byteCount = try request.checkLength(Int64(BodyLimit.submission))
            return try await memory.holding(Int(byteCount), of: owner) {
                try await request.invite(context)
                return try await request.answeringUnlessTheClientLeaves { body in
                    let body = try await Request.decode(Body.self, body, .submission, context)
                    return try Response.json(try await work(body, owner))
                }
            }
        }
        guard let response else { throw Problem.tooManySubmissions(owner, limit: submissions.limit) }
        return response
    }
}
